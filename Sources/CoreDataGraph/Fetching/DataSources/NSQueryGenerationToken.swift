import CoreDataStore

/// A snapshot of a coordinator's stores, which a context can go on reading whatever is saved meanwhile.
///
/// May be handed to any thread, and to other contexts of the coordinator. As long as it lives it has one of the readers of
/// each SQLite store (`NSPersistentStoreConnectionPoolMaxSizeKey`), and the store cannot put its log back into the file
/// beyond that state. Unlike Apple's it cannot be archived: a snapshot does not outlive the process.
open class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    /// Stands for the state of the stores when a context that is pinned to it next reads.
    public static let current = NSQueryGenerationToken(generations: [])

    private let generations: [StoreGeneration]
    /// Whether it is a state that was not the present one when the token was made: what is read there cannot be saved.
    let isPast: Bool

    private init(generations: [StoreGeneration], isPast: Bool = false) {
        self.generations = generations
        self.isPast = isPast
        super.init()
    }

    /// The present state of a coordinator's stores; those that cannot keep a snapshot go on being read as they are.
    ///
    /// `owner` is the name of the context that wants it.
    /// - Throws: the error of a store that cannot be read.
    convenience init(keeping coordinator: NSPersistentStoreCoordinator, for owner: String?) throws {
        let use = ReaderUse(.generation, of: owner)
        self.init(
            generations: try coordinator.persistentStores.compactMap { store in
                try store.keptState(for: use).map {
                    StoreGeneration($0, of: store, rootCount: coordinator.modelLayout.rootCount)
                }
            })
    }

    /// States of some of a coordinator's stores that are not the present ones; the other stores are read as they are.
    ///
    /// `owner` is the name of the context that wants it.
    /// - Throws: 134091 for a store that keeps no old values, 134301 for a state that is too old, or its error.
    convenience init(
        _ states: [(store: NSPersistentStore, state: PastState)], of coordinator: NSPersistentStoreCoordinator,
        for owner: String?
    ) throws {
        let use = ReaderUse(.generation, of: owner)
        let generations = try states.map { store, state in
            guard let kept = try store.keptState(for: use, of: state) else { throw CoreDataError.noPastStates(store) }
            return StoreGeneration(kept, of: store, rootCount: coordinator.modelLayout.rootCount)
        }
        self.init(generations: generations, isPast: true)
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

extension NSManagedObjectContext {
    /// What the context is pinned to, which its data source knows.
    private(set) var generation: NSQueryGenerationToken? {
        get { (dataSource as? StoreDataSource)?.generation }
        set { (dataSource as? StoreDataSource)?.generation = newValue }
    }

    /// The snapshot of the stores that the context reads; nil when it reads them as they are.
    ///
    /// `NSQueryGenerationToken.current` until the context has read something since it was pinned.
    public var queryGenerationToken: NSQueryGenerationToken? { generation }

    /// Pins the context to a snapshot of its stores, or with nil lets it read them as they are.
    ///
    /// Objects keep the values that they have. In a past state
    /// (`NSPersistentStoreCoordinator.queryGeneration(asOf:)`) the context stays, and cannot save. Else a save, a merge and a reset pin the context to what is current by then.
    /// Stores other than SQLite ones with a write-ahead log keep no snapshot and are read as they are. External large
    /// values that were replaced or deleted since cannot be read any more.
    /// - Throws: 134060 in a context with a parent, which is where it reads, and for a token of another coordinator.
    public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        guard parent == nil else {
            throw CoreDataError.make(
                NSCoreDataError, "A context with a parent reads what its parent has, not a query generation.",
                hint: "Pin the parent.")
        }
        guard generation?.belongs(to: coordinator) ?? true else {
            throw CoreDataError.make(
                NSCoreDataError, "The query generation is one of another coordinator's stores.",
                hint: "Give a token of a context with the same coordinator, or NSQueryGenerationToken.current.")
        }
        self.generation = generation
    }

    /// Whether the context is pinned to a past state of its stores, where nothing changes.
    var readsPast: Bool { generation?.isPast == true }

    /// Moves a pinned context on to what the stores have when it next reads; one that is pinned to the past stays there.
    func advanceGeneration() {
        if generation != nil, !readsPast { generation = .current }
    }

    /// The snapshot that a save of a pinned context led to; nil of others, and where the stores cannot be read any
    /// more.
    func savedGeneration() -> NSQueryGenerationToken? {
        generation.flatMap { _ in try? NSQueryGenerationToken(keeping: coordinator, for: name) }
    }

    /// The snapshot that the context is pinned to, which begins now if it has not yet.
    func pinnedGeneration() throws -> NSQueryGenerationToken {
        if let generation, generation !== NSQueryGenerationToken.current { return generation }
        let begun = try NSQueryGenerationToken(keeping: coordinator, for: name)
        generation = begun
        return begun
    }
}
