import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Checks whether each store can be used: all stores concurrently, without blocking contexts.
    ///
    /// | store | probe |
    /// |---|---|
    /// | SQLite | a read through a new connection, which finds a file that is missing, replaced, truncated or locked |
    /// | PostgreSQL | a round trip on a connection of the readers, or on a new one if that connection is broken |
    /// | another type | whether it is loaded |
    ///
    /// For a store that does not answer within `limit`, the error is `NSPersistentStoreTimeoutError`. The method
    /// returns after `limit` even if a probe hangs.
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
