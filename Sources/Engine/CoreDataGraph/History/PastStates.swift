import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// A query generation of the stores' state when a token was current: a context that is pinned to it
    /// (`setQueryGenerationFrom(_:)`) reads the objects of that time.
    ///
    /// Not one of Apple's methods. Its cost is proportional to the changes since then. A context pinned to it cannot
    /// save, and large values in separate files that were replaced since cannot be read. Stores that the token does not
    /// name are read in their current state. The query generation uses a reader of each store
    /// (`NSPersistentStoreConnectionPoolMaxSizeKey`). May be called from any thread.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` if a later transaction was committed without
    ///   `CoreDataHistoryKeepsOldValuesOption`, or a store cannot read past states;
    ///   `NSPersistentHistoryTokenExpiredError` if later history was deleted; 134501 for a token of other stores.
    public func queryGeneration(asOf token: NSPersistentHistoryToken) throws -> NSQueryGenerationToken {
        let histories = persistentStores.compactMap(\.keptHistory).filter { token.numbers[$0.store.identifier] != nil }
        guard !histories.isEmpty else { throw CoreDataError.foreignToken(token, persistentStores) }
        let states = try histories.map { history in
            let bound = try history.bound(.token(token))
            try history.requireAll(after: bound, token)
            return (history.store, PastState.after(token.numbers[history.store.identifier] ?? 0))
        }
        return try NSQueryGenerationToken(states, of: self, for: nil)
    }

    /// A query generation of the state that the stores with a history had at a time, by the times of their
    /// transactions.
    ///
    /// A state before the oldest kept transaction is unknown, unless that is the store's first one. If a clock was set
    /// back, the state is that before the first transaction with a later time. Otherwise like `queryGeneration(asOf:)`
    /// with a token.
    public func queryGeneration(asOf date: Date) throws -> NSQueryGenerationToken {
        let histories = persistentStores.compactMap(\.keptHistory)
        guard !histories.isEmpty else { throw CoreDataError.noHistory(persistentStores) }
        return try NSQueryGenerationToken(
            try histories.map { ($0.store, .after(try $0.newest(at: date))) }, of: self, for: nil)
    }
}

extension StoreHistory {
    /// The number of the last transaction before the first one with a later time.
    fileprivate func newest(at date: Date) throws -> Int64 {
        let time = date.timeIntervalSinceReferenceDate
        var first: Int64?
        try store.serialized {
            try keeping.readHistory(HistoryQuery(after: .time(time))) { transaction in
                first = transaction.number
                return .end
            } change: { _ in
            }
        }
        if let first { return first - 1 }
        return try newest()
    }
}

extension NSPersistentStoreDescription {
    /// Whether the store's history also records the values that transactions replace; see
    /// `CoreDataHistoryKeepsOldValuesOption`.
    public var keepsOldValuesInHistory: Bool {
        get { options[CoreDataHistoryKeepsOldValuesOption] as? Bool ?? false }
        set { setOption(newValue as NSNumber, forKey: CoreDataHistoryKeepsOldValuesOption) }
    }
}
