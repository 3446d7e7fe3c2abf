import CoreDataModeling

/// A store's persistent history: what each transaction changed, in the order in which they were committed.
///
/// Transactions have ascending numbers that are never reused, even after a purge; numbers may be left out. Once a number is
/// reported, no lower one follows. Confined like the store.
package protocol HistoryKeeping: AnyObject {
    /// Which transactions there are.
    func historyExtent() throws -> HistoryExtent
    /// Hands out transactions, the oldest first, each followed by its changes in their order.
    ///
    /// `transaction` says whether the changes of the one that it is given are wanted. Both may throw, which ends the reading.
    func readHistory(
        _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
        change: (HistoryChange) throws -> Void
    ) throws
    /// Hands out the numbers of transactions with the bytes that each takes (`HistorySize`), as long as `body` gives true.
    func readHistorySizes(
        of numbers: ClosedRange<Int64>, _ order: HistoryOrder, _ body: (Int64, Int64) throws -> Bool
    ) throws
    /// Removes the transactions before a bound, excluding that of the bound; returns their number.
    @discardableResult func purgeHistory(before bound: HistoryBound) throws -> Int
    /// Removes the transactions with some numbers, and leaves those between them; returns their number.
    @discardableResult func deleteHistory(_ numbers: [Int64]) throws -> Int
    /// The number of the first of a count of newest transactions.
    func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64
}

extension HistoryKeeping {
    /// Where numbers follow each other, as they do unless single transactions are deleted.
    package func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64 {
        extent.newest - Int64(count) + 1
    }
}

/// Which transactions a history holds.
package struct HistoryExtent: Sendable, Equatable {
    /// The number of the oldest transaction; nil if the history is empty.
    package let oldest: Int64?
    /// The greatest number that was ever given; 0 before the first.
    package let newest: Int64
    /// The greatest number of those that are not kept any more, where numbers may be left out; nil where they follow each other.
    package let purged: Int64?

    package init(oldest: Int64?, newest: Int64, purged: Int64? = nil) {
        self.oldest = oldest
        self.newest = newest
        self.purged = purged
    }

    /// Whether all that was committed after a transaction is still kept.
    package func holdsAll(after number: Int64) -> Bool {
        if let purged { return number >= purged }
        return oldest.map { number >= $0 - 1 } ?? (number >= newest)
    }
}

/// A place between transactions.
package enum HistoryBound: Sendable, Equatable {
    /// That of the transaction with a number.
    case number(Int64)
    /// A time, in seconds since the beginning of 2001 in UTC.
    case time(Double)
}

/// A state of a store that is not the present one, as the old values in its history give it.
package enum PastState: Sendable, Equatable {
    /// Just after the transaction with a number was committed.
    case after(Int64)
    /// The present one, without those changes of the transaction with a number that were not overwritten since.
    case without(Int64)
}

/// Which part of a history is read.
package struct HistoryQuery: Sendable {
    /// Only what was committed after this; nil for all.
    package var after: HistoryBound?
    /// Only transactions up to this number; nil for all.
    package var through: Int64?
    /// Only changes of this row; nil for those of all.
    package var row: RowKey?

    package init(after: HistoryBound? = nil, through: Int64? = nil, row: RowKey? = nil) {
        self.after = after
        self.through = through
        self.row = row
    }
}

/// What is to be read next.
package enum HistoryReading: Sendable {
    /// The changes of this transaction, and what comes after them.
    case changes
    /// The next transaction.
    case next
    /// Nothing any more.
    case end
}

/// One transaction of a history.
package struct HistoryTransaction: Sendable {
    package let number: Int64
    /// Seconds since the beginning of 2001 in UTC, by the clock of who committed it.
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
    /// The properties that an update changed; nil for other kinds, and where the store does not say so for certain.
    package let properties: SlotSet?
    /// What is kept of a deleted row, in the order of `HistoryProperties.tombstoneSlots`.
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
