import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// The store at a URL; nil when none of the coordinator's is there.
    public func persistentStore(for url: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url == url }
            ?? persistentStores.first { $0.url.map(Self.path) == Self.path(url) }
    }

    /// Where a store is.
    public func url(for store: NSPersistentStore) -> URL { store.url ?? MemoryPlace.url }

    /// Lets a store go on at another place; false when it cannot, and then it goes on where it was.
    ///
    /// A SQLite store must be there already: the same one, by its identity, after its file was moved, say.
    /// A store of one plain file is written there at its next save.
    @discardableResult
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        guard persistentStores.contains(where: { $0 === store }) else { return false }
        do {
            try store.serialized { try store.relocate(to: url) }
            return true
        } catch {
            Diagnostics.report("CoreData: error: \(error.localizedDescription)")
            return false
        }
    }

    static func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}
