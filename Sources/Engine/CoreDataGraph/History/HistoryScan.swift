import CoreDataStore

/// Reads one store's history from a bound on, and skips what does not match the request's predicate.
///
/// Transactions and changes are passed on one by one as the store returns them; only the receiver retains them.
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

    /// Whether transactions are found by their changes, which then have to be read for every request.
    var findsByChanges: Bool { selection.subject == .changes }

    /// Reads until `transaction` asks for the end.
    ///
    /// - Throws: `NSCoreDataError` for a predicate that cannot be evaluated.
    func run(
        transaction: (HistoryTransaction) throws -> HistoryReading, change: (HistoryChangeDetails) throws -> Void
    ) throws {
        var condition = predicate.map { PreparedPredicate($0) }
        try history.store.serialized {
            try history.keeping.readHistory(query) { header in
                if !findsByChanges, try !Self.holds(&condition, TransactionRecord(transaction: header)) { return .next }
                return try transaction(header)
            } change: { found in
                // Rows of entities that the model no longer has cannot be reported.
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
