import CoreDataModeling

/// The persistent history of a store: the changes of each transaction, in the order in which the transactions were
/// committed.
///
/// Transactions have ascending numbers that are never reused, even after a purge; numbers may be skipped. Once a read
/// has returned a number, no transaction with a lower number is committed later. Has the store's confinement.
package protocol HistoryKeeping: AnyObject {
    /// The range of transactions that the history contains.
    func historyExtent() throws -> HistoryExtent
    /// Passes transactions to `transaction`, the oldest first, and the changes of each to `change`, in their order.
    ///
    /// `transaction` returns whether the changes of the transaction are to be read. If a closure throws, the reading
    /// ends.
    func readHistory(
        _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
        change: (HistoryChange) throws -> Void
    ) throws
    /// Passes the number and size in bytes (`HistorySize`) of each transaction to `body`, until `body` returns false.
    func readHistorySizes(
        of numbers: ClosedRange<Int64>, _ order: HistoryOrder, _ body: (Int64, Int64) throws -> Bool
    ) throws
    /// Removes the transactions before a bound; the bound's own transaction stays. Returns how many were removed.
    @discardableResult func purgeHistory(before bound: HistoryBound) throws -> Int
    /// Removes the transactions with the given numbers only; returns how many were removed.
    @discardableResult func deleteHistory(_ numbers: [Int64]) throws -> Int
    /// The number of the oldest among the newest `count` transactions.
    func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64
}

extension HistoryKeeping {
    /// Assumes consecutive numbers, in which only the deletion of single transactions leaves gaps.
    package func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64 {
        extent.newest - Int64(count) + 1
    }
}

/// The range of transactions that a history contains.
package struct HistoryExtent: Sendable, Equatable {
    /// The number of the oldest transaction; nil if the history is empty.
    package let oldest: Int64?
    /// The greatest number of a transaction that no transaction with a lower number can follow; 0 before the first one.
    package let newest: Int64
    /// The greatest number of a removed transaction, for stores that may skip numbers; nil for stores with consecutive
    /// numbers.
    package let purged: Int64?

    package init(oldest: Int64?, newest: Int64, purged: Int64? = nil) {
        self.oldest = oldest
        self.newest = newest
        self.purged = purged
    }

    /// Whether the history still contains all transactions that were committed after the one with a number.
    package func holdsAll(after number: Int64) -> Bool {
        if let purged { return number >= purged }
        return oldest.map { number >= $0 - 1 } ?? (number >= newest)
    }
}

/// A position in a history: a transaction or a time.
package enum HistoryBound: Sendable, Equatable {
    /// The transaction with a number.
    case number(Int64)
    /// A time, in seconds since the reference date (2001-01-01 00:00:00 UTC).
    case time(Double)
}

/// A state of a store other than the present one, which the store restores from the old values in its history.
package enum PastState: Sendable, Equatable {
    /// The state just after the transaction with a number was committed.
    case after(Int64)
    /// The present state without the changes of one transaction; values that a later transaction has overwritten stay.
    case without(Int64)
}

/// Which part of a history is read.
package struct HistoryQuery: Sendable {
    /// Only transactions that were committed after this bound; nil for no bound.
    package var after: HistoryBound?
    /// Only transactions up to this number; nil for all.
    package var through: Int64?
    /// Only changes of this row; nil for the changes of all rows.
    package var row: RowKey?

    package init(after: HistoryBound? = nil, through: Int64? = nil, row: RowKey? = nil) {
        self.after = after
        self.through = through
        self.row = row
    }
}

/// How a read of the history continues after a transaction.
package enum HistoryReading: Sendable {
    /// Read the changes of this transaction, then the next transactions.
    case changes
    /// Skip the changes, and continue with the next transaction.
    case next
    /// End the read.
    case end
}

/// One transaction of a history.
package struct HistoryTransaction: Sendable {
    package let number: Int64
    /// When it was committed, in seconds since the reference date, by the clock of the process that committed it.
    package let time: Double
    package let author: String?
    package let contextName: String?
    package let bundleID: String?
    /// The name of the process.
    package let processID: String?

    package init(
        number: Int64, time: Double, author: String?, contextName: String?, bundleID: String?, processID: String?
    ) {
        self.number = number
        self.time = time
        self.author = author
        self.contextName = contextName
        self.bundleID = bundleID
        self.processID = processID
    }
}

extension HistoryTransaction {
    /// Whether the transaction was committed before a bound.
    package func precedes(_ bound: HistoryBound) -> Bool {
        switch bound {
        case .number(let number): self.number < number
        case .time(let time): self.time < time
        }
    }
}

/// One change of a transaction.
package struct HistoryChange: Sendable {
    package let id: Int64
    package let kind: ChangeRecord.Kind
    /// The row; nil if its entity is not in the model.
    package let address: RowAddress?
    /// The properties that an update changed; nil for other kinds, and if the store cannot determine them.
    package let properties: SlotSet?
    /// The values that history preserves of a deleted row, in the order of `HistoryProperties.tombstoneSlots`.
    package let tombstone: [DerivedCell]

    package init(
        id: Int64, kind: ChangeRecord.Kind, address: RowAddress?, properties: SlotSet?, tombstone: [DerivedCell]
    ) {
        self.id = id
        self.kind = kind
        self.address = address
        self.properties = properties
        self.tombstone = tombstone
    }
}
