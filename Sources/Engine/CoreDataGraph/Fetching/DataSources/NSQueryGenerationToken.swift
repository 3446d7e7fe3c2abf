import CoreDataStore

extension NSQueryGenerationToken {
    /// A token for the current state of a coordinator's stores; stores that cannot keep a snapshot are read in their
    /// current state.
    ///
    /// `owner` is the name of the context that uses the token.
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

    /// A token for past states of some of a coordinator's stores; the other stores are read in their current state.
    ///
    /// `owner` is the name of the context that uses the token.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` for a store that keeps no old values,
    ///   `NSPersistentHistoryTokenExpiredError` for a state that is too old, or the error of a store that cannot be
    ///   read.
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
    /// The query generation that the context is pinned to; stored in its data source.
    private(set) var generation: NSQueryGenerationToken? {
        get { (dataSource as? StoreDataSource)?.generation }
        set { (dataSource as? StoreDataSource)?.generation = newValue }
    }

    /// Pins the context to a query generation of its stores; nil lets it read their current data.
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

    /// Whether the context is pinned to a past state of its stores, which saves of others do not change.
    var readsPast: Bool { generation?.isPast == true }

    /// Makes a pinned context read the then current generation at its next reading, unless it is pinned to a past
    /// state.
    func advanceGeneration() {
        if generation != nil, !readsPast { generation = .current }
    }

    /// The query generation after a save of a pinned context; nil for other contexts, and if the stores cannot be read
    /// any more.
    func savedGeneration() -> NSQueryGenerationToken? {
        generation.flatMap { _ in try? NSQueryGenerationToken(keeping: coordinator, for: name) }
    }

    /// The query generation that the context is pinned to; if that is `current`, pins the context to the generation of
    /// now.
    func pinnedGeneration() throws -> NSQueryGenerationToken {
        if let generation, generation !== NSQueryGenerationToken.current { return generation }
        let begun = try NSQueryGenerationToken(keeping: coordinator, for: name)
        generation = begun
        return begun
    }
}
