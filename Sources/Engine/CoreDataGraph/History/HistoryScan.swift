import CoreDataStore

/// Reads one store's history from a bound on, and skips what does not match the request's predicate.
///
/// Passes transactions and changes to the caller one by one, as the store returns them, and retains none.
struct HistoryScan {
    let history: StoreHistory
    let selection: HistorySelection
    let properties: [HistoryProperties]
    private let query: HistoryQuery
    private let predicate: NSPredicate?

    init(
        _ history: StoreHistory, after bound: HistoryBound?, selection: HistorySelection, model: ModelLayout,
        properties: [HistoryProperties]
    ) throws {
        self.history = history
        self.selection = selection
        self.properties = properties
        predicate = try selection.predicate(in: history.store, model)
        var bounds = HistoryQueryNarrowing(HistoryQuery(after: bound), in: history.store)
        if let predicate { bounds.narrow(to: predicate) }
        query = bounds.query
    }

    /// Whether the request is one for changes: then the changes of every transaction must be read to find transactions.
    var findsByChanges: Bool { selection.subject == .changes }

    /// Reads the history until its end, or until `transaction` returns `.end`.
    ///
    /// - Throws: `NSCoreDataError` for a predicate that cannot be evaluated; what the store and the two blocks throw.
    func run(
        transaction: (HistoryTransaction) throws -> HistoryReading, change: (HistoryChangeDetails) throws -> Void
    ) throws {
        var condition = predicate.map { PreparedPredicate($0) }
        try history.store.serialized {
            try history.keeping.readHistory(query) { header in
                if !findsByChanges, try !Self.holds(&condition, TransactionRecord(transaction: header)) { return .next }
                return try transaction(header)
            } change: { found in
                // Skips rows of entities that the model no longer has.
                guard let address = found.address else { return }
                let details = HistoryChangeDetails(
                    found, address: address, properties: properties[address.binding.layout.number])
                if findsByChanges, try !Self.holds(&condition, ChangeRecordView(details: details)) { return }
                try change(details)
            }
        }
    }

    private static func holds(_ condition: inout PreparedPredicate?, _ record: any KeyValueCoding) throws -> Bool {
        do {
            return try condition?.holds(forAny: record) ?? true
        } catch  where !(type(of: error) is NSError.Type) {
            throw CoreDataError.make(NSCoreDataError, String(describing: error), underlying: error)
        }
    }
}
