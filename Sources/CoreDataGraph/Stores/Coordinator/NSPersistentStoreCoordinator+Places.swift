import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// The store at a URL; nil when none of the coordinator's is there.
    public func persistentStore(for url: URL) -> NSPersistentStore? {
        if let store = persistentStores.first(where: { $0.url == url }) { return store }
        guard url.isFileURL else { return persistentStores.first { $0.url == type(of: $0).shownURL(url) } }
        return persistentStores.first { $0.url.map { $0.isFileURL ? Self.path($0) : nil } == Self.path(url) }
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

    /// Whether two URLs lead to one file, or are the same URL of a server.
    static func isSamePlace(_ one: URL, _ other: URL) -> Bool {
        one.isFileURL && other.isFileURL ? path(one) == path(other) : one == other
    }

    static func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}
