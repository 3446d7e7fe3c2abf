import CoreData

/// Goes through a store's history once and hands out what a filter takes.
///
/// Invariants:
/// 1. Every transaction that is begun is ended before the next one begins, whatever is thrown by the store.
/// 2. With a filter for an entity a transaction is begun at its first change that is taken.
struct HistoryIteration {
    private let store: NSPersistentStore
    private let history: any HistoryKeeping
    private let filter: HistoryFilter
    private let properties: [HistoryProperties]
    /// The values before and after the one transaction that the filter takes.
    var values: TransactionValues?
    /// What is read of transactions that are taken.
    var reading = HistoryReading.changes
    /// Asked before each transaction; true ends the iteration.
    var isStopped: () -> Bool = { false }
    /// The number of the last transaction that was passed, taken or not; 0 before the first.
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

    /// Reads what comes after a bound, or all that the filter takes.
    ///
    /// - Throws: `InspectionError` of code `unreadable` where the store cannot go on, and what `body` throws.
    mutating func run(after bound: HistoryBound?, _ body: (HistoryPart) throws -> Void) throws {
        // What the store throws and what the body throws are different errors.
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
