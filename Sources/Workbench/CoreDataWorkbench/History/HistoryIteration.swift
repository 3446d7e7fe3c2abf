import CoreData

/// Reads a store's history once, and passes on the transactions and changes that a filter selects.
///
/// Invariants:
/// 1. Every begun transaction is ended before the next one begins, even if the store throws an error.
/// 2. With a filter for an entity, a transaction begins at its first selected change.
struct HistoryIteration {
    private let store: NSPersistentStore
    private let history: any HistoryKeeping
    private let filter: HistoryFilter
    private let properties: [HistoryProperties]
    /// The values before and after the single transaction that the filter selects.
    var values: TransactionValues?
    /// What is read of the selected transactions.
    var reading = HistoryReading.changes
    /// Called before each transaction; if it returns true, the iteration ends.
    var isStopped: () -> Bool = { false }
    /// The greatest number of the transactions read so far, selected or not; 0 before the first.
    private(set) var last: Int64 = 0

    private var waiting: HistoryTransaction?
    private var isOpen = false

    init(_ store: NSPersistentStore, history: any HistoryKeeping, filter: HistoryFilter) {
        self.store = store
        self.history = history
        self.filter = filter
        properties =
            store.persistentStoreCoordinator.map { HistoryProperties.all(of: ModelLayout.of($0.managedObjectModel)) }
            ?? []
    }

    /// Reads the selected transactions after a bound; nil for all.
    ///
    /// - Throws: `InspectionError` of code `unreadable` if the store cannot be read, and errors of `body`.
    mutating func run(after bound: HistoryBound?, _ body: (HistoryPart) throws -> Void) throws {
        // Errors of `body` are thrown unchanged, errors of the store as `InspectionError`.
        var thrown: (any Error)?
        func send(_ part: HistoryPart) throws {
            do {
                try body(part)
            } catch {
                thrown = error
                throw error
            }
        }
        do {
            try read(filter.query(after: bound), send)
            try close(send)
        } catch {
            if let thrown { throw thrown }
            try close(send)
            throw InspectionError.unreadable(store.place, error)
        }
    }

    private mutating func read(_ query: HistoryQuery, _ send: (HistoryPart) throws -> Void) throws {
        var iteration = self
        defer { self = iteration }
        try store.serialized {
            try history.readHistory(query) { transaction in
                try iteration.close(send)
                guard !iteration.isStopped() else { return .end }
                return try iteration.begin(transaction, send)
            } change: { change in
                try iteration.take(change, send)
            }
        }
    }

    private mutating func begin(
        _ transaction: HistoryTransaction, _ send: (HistoryPart) throws -> Void
    ) throws -> HistoryReading {
        last = max(last, transaction.number)
        guard filter.takes(transaction) else { return .next }
        if filter.entity == nil { try open(transaction, send) } else { waiting = transaction }
        return reading
    }

    private mutating func take(_ change: HistoryChange, _ send: (HistoryPart) throws -> Void) throws {
        guard filter.takes(change) else { return }
        if let waiting { try open(waiting, send) }
        try send(.change(HistoryEntry(change, properties: properties, values: values)))
    }

    private mutating func open(_ transaction: HistoryTransaction, _ send: (HistoryPart) throws -> Void) throws {
        waiting = nil
        isOpen = true
        try send(.transaction(transaction))
    }

    private mutating func close(_ send: (HistoryPart) throws -> Void) throws {
        waiting = nil
        guard isOpen else { return }
        isOpen = false
        try send(.end)
    }
}
