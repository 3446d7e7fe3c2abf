import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// The state that the stores were in when a token was current: a context that is pinned to it
    /// (`setQueryGenerationFrom(_:)`) reads the objects of that time.
    ///
    /// Not one of Apple's methods. What it costs follows the changes since. Objects that were read there are not saved, and
    /// large values that lay in files of their own and were replaced since are gone. Stores that the token does not name
    /// are read as they are. The token holds a reader of each store (`NSPersistentStoreConnectionPoolMaxSizeKey`). Safe
    /// from any thread.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` where a transaction since was committed without
    ///   `CoreDataHistoryKeepsOldValuesOption`, or a store keeps no such states; `NSPersistentHistoryTokenExpiredError` where history
    ///   since was deleted; 134501 for a token of other stores.
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

    /// The state that the stores with a history were in at a time, by the times of their transactions.
    ///
    /// A state before the oldest kept transaction is not known any more unless that is the first one ever. Otherwise like
    /// `queryGeneration(asOf:)` with a token. Where a clock went back, the state before the first transaction with a later time.
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
    /// Whether the store's history also keeps what transactions write over; see `CoreDataHistoryKeepsOldValuesOption`.
    public var keepsOldValuesInHistory: Bool {
        get { options[CoreDataHistoryKeepsOldValuesOption] as? Bool ?? false }
        set { setOption(newValue as NSNumber, forKey: CoreDataHistoryKeepsOldValuesOption) }
    }
}
