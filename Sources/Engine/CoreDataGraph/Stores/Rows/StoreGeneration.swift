import CoreDataStore

/// One kept state of a store, with its own cache of the rows read from it.
///
/// May be used from any thread, by one at a time. The state is released with the last reference.
final class StoreGeneration: RowSource, @unchecked Sendable {
    private let access = NSRecursiveLock()
    private let kept: any KeptGeneration
    let rowCache: RowCache
    /// The store, which a token does not retain.
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
        try access.withLock { isOpen ? try Reading.run(kept, cache: rowCache, body: body) : nil }
    }
}

/// A query generation: a state of a coordinator's stores that a context can continue to read after later saves.
///
/// May be passed to any thread, and to other contexts of the coordinator. While the token exists, it uses one of the
/// readers of each SQLite store (`NSPersistentStoreConnectionPoolMaxSizeKey`), and a checkpoint cannot write later
/// transactions from the log back to the file. Unlike Apple's it cannot be archived, since its state does not outlast
/// the process.
///
/// ```swift
/// try context.setQueryGenerationFrom(.current)
/// let orders = NSFetchRequest<Order>(entityName: "Order")
/// print(try context.count(for: orders))
/// // If another context saves orders now, this one still finds as many as before.
/// print(try context.count(for: orders))
/// try context.setQueryGenerationFrom(nil)
/// ```
open class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    /// Represents the state of the stores at the time when a context that is pinned to it next reads.
    public static let current = NSQueryGenerationToken(generations: [])

    private let generations: [StoreGeneration]
    /// Whether the state was not the present one when the token was made: a context that reads it cannot save.
    let isPast: Bool

    init(generations: [StoreGeneration], isPast: Bool = false) {
        self.generations = generations
        self.isPast = isPast
        super.init()
    }

    /// Returns the kept state of a store; nil for a store whose state was not kept.
    func generation(of store: NSPersistentStore) -> StoreGeneration? { generations.first { $0.store === store } }

    /// Whether all stores of the token belong to a coordinator.
    func belongs(to coordinator: NSPersistentStoreCoordinator) -> Bool {
        generations.allSatisfy { $0.store == nil || $0.store?.persistentStoreCoordinator === coordinator }
    }

    /// Returns the token itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
