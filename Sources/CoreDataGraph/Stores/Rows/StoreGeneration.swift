import CoreDataStore

/// The rows of one store in one snapshot, and those of them that have been read.
///
/// May be used from any thread, by one at a time. The snapshot is released with the last reference.
final class StoreGeneration: RowSource, @unchecked Sendable {
    private let access = NSRecursiveLock()
    private let kept: any KeptGeneration
    let rowCache: RowCache
    /// The store; a token does not keep it open.
    weak var store: NSPersistentStore?

    var isOpen: Bool { store?.isOpen == true }

    init(_ kept: any KeptGeneration, of store: NSPersistentStore, rootCount: Int) {
        self.kept = kept
        self.store = store
        rowCache = RowCache(rootCount: rootCount)
        rowCache.environment = store.environment
    }

    deinit { kept.release() }

    func reading<Result>(_ body: (Reading) throws -> Result) throws -> Result? {
        try access.withLock { isOpen ? try Reading.run(kept, rowCache, body) : nil }
    }
}
