import CoreDataStore

/// The persistent history of a store in memory; released with the store.
///
/// Invariant: the transaction numbers of the entries ascend, and none is greater than `newest`.
package final class MemoryHistory: HistoryKeeping {
    private struct Entry {
        let transaction: HistoryTransaction
        let changes: [HistoryChange]
    }

    /// The properties of the model's entities, by the numbers of their layouts.
    let properties: [HistoryProperties]
    private var entries: [Entry] = []
    private var newest: Int64 = 0
    private var lastChange: Int64 = 0

    init(_ model: ModelLayout) { properties = HistoryProperties.all(of: model) }

    /// Adds a transaction and returns its number; returns nil if nothing was changed.
    func append(_ record: ChangeRecord, by source: ChangeSource) -> Int64? {
        let changes = record.changes.map(change)
        guard !changes.isEmpty else { return nil }
        newest += 1
        let transaction = HistoryTransaction(
            number: newest, time: Date().timeIntervalSinceReferenceDate, author: source.author,
            contextName: source.contextName, bundleID: ProcessIdentity.bundleID,
            processID: ProcessIdentity.name)
        entries.append(Entry(transaction: transaction, changes: changes))
        return newest
    }

    private func change(_ change: ChangeRecord.Change) -> HistoryChange {
        lastChange += 1
        return HistoryChange(
            id: lastChange, kind: change.kind, address: change.address,
            properties: change.kind == .update ? change.properties : nil, tombstone: change.tombstone)
    }

    package func historyExtent() throws -> HistoryExtent {
        HistoryExtent(oldest: entries.first?.transaction.number, newest: newest)
    }

    package func readHistory(
        _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
        change: (HistoryChange) throws -> Void
    ) throws {
        for entry in entries where entry.transaction.isIn(query) {
            switch try transaction(entry.transaction) {
            case .end: return
            case .next: continue
            case .changes:
                for found in entry.changes where query.row == nil || found.address.map(RowKey.init) == query.row {
                    try change(found)
                }
            }
        }
    }

    package func readHistorySizes(
        of numbers: ClosedRange<Int64>, _ order: HistoryOrder, _ body: (Int64, Int64) throws -> Bool
    ) throws {
        let wanted = entries.filter { numbers.contains($0.transaction.number) }
        for entry in order == .oldestFirst ? wanted : wanted.reversed() {
            guard try body(entry.transaction.number, size(of: entry)) else { return }
        }
    }

    private func size(of entry: Entry) -> Int64 {
        entry.changes.reduce(HistorySize.transaction) { sum, change in
            sum + HistorySize.bytes(of: change, change.address.map { properties[$0.binding.layout.number] })
        }
    }

    package func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64 {
        entries.suffix(max(0, count)).first?.transaction.number ?? extent.newest + 1
    }

    package func deleteHistory(_ numbers: [Int64]) throws -> Int {
        let (before, gone) = (entries.count, Set(numbers))
        entries.removeAll { gone.contains($0.transaction.number) }
        return before - entries.count
    }

    package func purgeHistory(before bound: HistoryBound) throws -> Int {
        // Stops at the first transaction to keep, so that no gaps arise even if the clock was set back.
        let kept = entries.firstIndex { !$0.transaction.precedes(bound) } ?? entries.count
        entries.removeFirst(kept)
        return kept
    }
}

extension HistoryTransaction {
    fileprivate func isIn(_ query: HistoryQuery) -> Bool {
        if let last = query.through, number > last { return false }
        return switch query.after {
        case .number(let first)?: number > first
        case .time(let first)?: time > first
        case nil: true
        }
    }
}
