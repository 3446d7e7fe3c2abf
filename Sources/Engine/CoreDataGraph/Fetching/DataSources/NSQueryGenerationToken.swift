import CoreDataStore

extension NSQueryGenerationToken {
    /// The present state of a coordinator's stores; those that cannot keep a snapshot are read as they are.
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
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` for a store that keeps no old values,
    ///   `NSPersistentHistoryTokenExpiredError` for a state that is too old, or its error.
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
}

extension NSManagedObjectContext {
    /// What the context is pinned to, which its data source knows.
    private(set) var generation: NSQueryGenerationToken? {
        get { (dataSource as? StoreDataSource)?.generation }
        set { (dataSource as? StoreDataSource)?.generation = newValue }
    }

    /// Pins the context to a snapshot of its stores, or with nil lets it read them as they are.
    func pin(to generation: NSQueryGenerationToken?) throws {
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
