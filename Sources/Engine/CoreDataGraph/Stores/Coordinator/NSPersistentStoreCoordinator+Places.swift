import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Implements `persistentStore(for:)`.
    func knownStore(at url: URL) -> NSPersistentStore? {
        if let store = persistentStores.first(where: { $0.url == url }) { return store }
        guard url.isFileURL else { return persistentStores.first { $0.url == type(of: $0).shownURL(url) } }
        return persistentStores.first { $0.url.map { $0.isFileURL ? Self.path($0) : nil } == Self.path(url) }
    }

    /// Implements `setURL(_:for:)`.
    func relocate(_ store: NSPersistentStore, to url: URL) -> Bool {
        guard persistentStores.contains(where: { $0 === store }) else { return false }
        do {
            try store.serialized { try store.relocate(to: url) }
            return true
        } catch {
            CoreDataLogging.report(.error, error.localizedDescription)
            return false
        }
    }

    /// Whether two URLs lead to one file, or are the same URL of a server.
    static func isSamePlace(_ one: URL, _ other: URL) -> Bool {
        one.isFileURL && other.isFileURL ? path(one) == path(other) : one == other
    }

    static func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}
