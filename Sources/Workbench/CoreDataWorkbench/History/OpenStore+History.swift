import CoreData

/// A part of a history; the parts are passed on in the order of the history.
package enum HistoryPart {
    /// The beginning of a transaction.
    case transaction(HistoryTransaction)
    /// One change of the transaction that has begun.
    case change(HistoryEntry)
    /// The end of the transaction that has begun.
    case end
}

extension OpenStore {
    /// Passes the transactions that a filter selects to `body`, the oldest first, each with its changes; none is
    /// retained.
    ///
    /// - Throws: `InspectionError` of code `noHistory`, also if the filter names a transaction that does not exist, or
    ///   `unreadable`; and errors of `body`.
    package func readHistory(_ filter: HistoryFilter, _ body: (HistoryPart) throws -> Void) throws {
        let history = try store.keptHistory()
        if let number = filter.number { try require(number, of: history) }
        let start = filter.limit > 0 ? try store.newest(filter, of: history) : nil
        var iteration = HistoryIteration(store, history: history, filter: filter)
        if keepsOldValues { iteration.values = filter.number.flatMap { TransactionValues(of: $0, in: store) } }
        try iteration.run(after: start, body)
    }

    /// Deletes the transactions before a bound, or only counts them; returns their number.
    ///
    /// Deletes the transactions before the first one that does not precede the bound, and none after it, even if a
    /// clock was set back.
    /// - Throws: `InspectionError` of code `noHistory` or `unreadable`.
    package func purgeHistory(before bound: HistoryBound, mode: EditMode = .save) throws -> Int {
        let history = try store.keptHistory()
        return try namingFile {
            try store.serialized {
                guard mode == .dryRun else { return try history.purgeHistory(before: bound) }
                var count = 0
                try history.readHistory(HistoryQuery()) { transaction in
                    guard transaction.precedes(bound) else { return .end }
                    count += 1
                    return .next
                } change: { _ in
                }
                return count
            }
        }
    }

    private func require(_ number: Int64, of history: any HistoryKeeping) throws {
        var isThere = false
        var filter = HistoryFilter()
        filter.number = number
        let (query, extent) = (
            filter.query(after: nil), try namingFile { try store.serialized { try history.historyExtent() } }
        )
        try namingFile {
            try store.serialized {
                try history.readHistory(query) { _ in
                    isThere = true
                    return .end
                } change: { _ in
                }
            }
        }
        guard !isThere else { return }
        let kept = extent.oldest.map { "it has \($0) to \(extent.newest)" } ?? "it has none"
        throw InspectionError(
            .noHistory, subject: facts.url.place, cause: "the history has no transaction \(number)", hint: kept)
    }
}
