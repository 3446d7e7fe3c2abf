import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Checks whether each store can be used: all at once, without blocking contexts.
    ///
    /// | store | probe |
    /// |---|---|
    /// | SQLite | a read through a connection made for it, which finds a file that is gone, replaced, cut off or locked |
    /// | PostgreSQL | a round trip on a connection of the readers, or on a new one where that has broken |
    /// | another kind | whether it is loaded |
    ///
    /// A store that does not answer within `limit` has the error `NSPersistentStoreTimeoutError`. The method returns by then, whatever
    /// hangs.
    public func health(within limit: Duration = .seconds(2)) async -> CoreDataHealth {
        let stores = persistentStores
        let found = await withTaskGroup(of: (Int, CoreDataHealth.Store).self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask { (number, await store.health(within: limit)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return CoreDataHealth(stores: found.sorted { $0.0 < $1.0 }.map(\.1))
    }
}
