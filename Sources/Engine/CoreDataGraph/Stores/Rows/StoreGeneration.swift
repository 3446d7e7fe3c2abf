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
        try access.withLock { isOpen ? try Reading.run(kept, cache: rowCache, body: body) : nil }
    }
}

/// A snapshot of a coordinator's stores, which a context can read on whatever is saved after it.
///
/// May be handed to any thread, and to other contexts of the coordinator. As long as it lives it has one of the readers of
/// each SQLite store (`NSPersistentStoreConnectionPoolMaxSizeKey`), and the store cannot put its log back into the file
/// beyond that state. Unlike Apple's it cannot be archived: a snapshot does not outlive the process.
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
    /// Stands for the state of the stores when a context that is pinned to it next reads.
    public static let current = NSQueryGenerationToken(generations: [])

    private let generations: [StoreGeneration]
    /// Whether it is a state that was not the present one when the token was made: what is read there cannot be saved.
    let isPast: Bool

    init(generations: [StoreGeneration], isPast: Bool = false) {
        self.generations = generations
        self.isPast = isPast
        super.init()
    }

    /// The store's rows in the snapshot; nil for a store that did not keep it.
    func generation(of store: NSPersistentStore) -> StoreGeneration? { generations.first { $0.store === store } }

    /// Whether all stores whose snapshot it is are a coordinator's.
    func belongs(to coordinator: NSPersistentStoreCoordinator) -> Bool {
        generations.allSatisfy { $0.store == nil || $0.store?.persistentStoreCoordinator === coordinator }
    }

    /// A copy with the same settings; an immutable object is its own copy.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
