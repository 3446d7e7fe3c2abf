import CoreDataStore

/// What a `TableCopy` must know about a store's persistent history before it copies the history.
package struct CopiedHistory: Sendable {
    /// How many transactions there are.
    package let count: Int
    /// Whether older transactions have been deleted.
    package let isPurged: Bool
    /// Whether the store also has the old values that transactions overwrote, which copies leave out.
    package let keepsOldValues: Bool
    /// A text that differs after every change of the history.
    package let state: String

    package init(count: Int, isPurged: Bool, keepsOldValues: Bool, state: String) {
        self.count = count
        self.isPurged = isPurged
        self.keepsOldValues = keepsOldValues
        self.state = state
    }

    /// How many transactions are written at a time.
    static let portion = 500

    /// The number before that of the copy's first transaction: 1 if older transactions have been deleted, so that a
    /// reader without a token learns that transactions are missing.
    var before: Int64 { isPurged ? 1 : 0 }
}

/// One change of a transaction, as a `TableCopy` copies it: in its stored form, even if the model lacks the entity.
package struct CopiedChange: Sendable {
    /// The number of the transaction.
    package var transaction: Int64
    /// The stored number of a `ChangeRecord.Kind`.
    package let kind: Int64
    /// The number of the row's entity.
    package let entity: Int64
    package let key: Int64
    /// The bits of the changed properties of an updated row; nil for other kinds.
    package let properties: [UInt8]?
    /// The preserved values of a deleted row (its tombstone), without nulls at the end.
    package let tombstone: [DerivedCell]

    package init(
        transaction: Int64, kind: Int64, entity: Int64, key: Int64, properties: [UInt8]?, tombstone: [DerivedCell]
    ) {
        self.transaction = transaction
        self.kind = kind
        self.entity = entity
        self.key = key
        self.properties = properties
        let end = tombstone.lastIndex { $0.tag != RowTag.null }
        self.tombstone = Array(tombstone[..<(end.map { $0 + 1 } ?? 0)])
    }
}

extension TableCopy {
    /// Copies the transactions after `start`; returns the extent of the copied history.
    ///
    /// In the copy, transactions have consecutive numbers. The keys of a `CopyPlace` are the numbers of the last copied
    /// transaction in the source and in the copy.
    func copyHistory(
        _ history: CopiedHistory, after start: CopyPlace, progress: (Int) -> Void
    ) throws -> HistoryExtent {
        var place = start
        while true {
            let page = try source.transactions(after: place.keys.first ?? .min, limit: CopiedHistory.portion)
            guard let first = page.first?.number, let last = page.last?.number else { break }
            let before = place.keys.last ?? history.before
            let numbers = Dictionary(
                zip(page.map(\.number), (before + 1)...), uniquingKeysWith: { first, _ in first })
            place.keys = [last, before + Int64(page.count)]
            try target.add(page.map { $0.renumbered(numbers[$0.number] ?? 0) }) { put in
                try source.readChanges(of: first...last) { change in
                    // Leaves out a change whose transaction does not exist.
                    guard let number = numbers[change.transaction] else { return }
                    var renumbered = change
                    renumbered.transaction = number
                    try put(renumbered)
                }
                return place
            }
            progress(page.count)
            guard page.count == CopiedHistory.portion else { break }
        }
        return HistoryExtent(
            oldest: history.before + 1, newest: place.keys.last ?? history.before, purged: history.before)
    }
}

extension HistoryTransaction {
    fileprivate func renumbered(_ number: Int64) -> HistoryTransaction {
        HistoryTransaction(
            number: number, time: time, author: author, contextName: contextName, bundleID: bundleID,
            processID: processID)
    }
}
