import CoreDataStore

/// The sources of a context's rows: its parent if it has one, or the stores of its coordinator.
extension NSManagedObjectContext {
    func makeDataSource() -> any ContextDataSource {
        if let parent { ParentDataSource(context: self, parent: parent) } else { StoreDataSource(context: self) }
    }

    /// The source that answers the context's fetches.
    var fetchDataSource: any FetchDataSource {
        guard let source = dataSource as? ParentDataSource else { return storeDataSource }
        return source
    }

    /// The source of a context without a parent.
    var storeDataSource: StoreDataSource { dataSource as? StoreDataSource ?? StoreDataSource(context: self) }

    /// Runs a fetch of several queries, all of which read the same state of each store.
    ///
    /// A pinned context reads one state without this; a context with a parent queries the parent each time. If a
    /// replica ends its state during the fetch, the whole fetch runs again with states of the stores themselves.
    func holdingStates<Result>(for execution: FetchExecution, _ body: () throws -> Result) throws -> Result {
        guard let source = dataSource as? StoreDataSource, source.generation == nil, source.heldStates.isEmpty else {
            return try body()
        }
        let use = ReaderUse(.fetch, of: name)
        let stores = source.stores(of: execution)
        func ownState(_ store: NSPersistentStore) throws -> HeldState? {
            try HeldState(of: store, for: use, beside: source.replicaRows(of: store))
        }
        do {
            let states = try stores.compactMap { store in
                try source.replicaRows(of: store).flatMap { try HeldState(of: $0) } ?? ownState(store)
            }
            return try source.holding(states, body)
        } catch is ReplicaRefusal {
            return try source.holding(stores.compactMap(ownState), body)
        }
    }
}

extension StoreDataSource {
    fileprivate func holding<Result>(_ states: [HeldState], _ body: () throws -> Result) throws -> Result {
        heldStates = states
        defer {
            heldStates = []
            for state in states { state.end() }
        }
        return try body()
    }
}
