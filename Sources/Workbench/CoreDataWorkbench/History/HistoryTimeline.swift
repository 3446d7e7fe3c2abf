import CoreData

/// Counts the transactions of a history in each of 60 equal parts of its time, by author.
package struct HistoryTimeline: Sendable {
    private static let parts = 60
    /// The number of transactions above which later ones are left out, so that memory is limited.
    private static let mostTransactions = 2_000_000
    private static let mostAuthors = 20

    /// The time of the first and of the last transaction, in seconds since 2001.
    private let start: Double
    private let end: Double
    private let authors: [(name: String?, counts: [Int])]
    private let isComplete: Bool

    /// Reads the transactions that a filter selects; their changes are only read if the filter is for objects.
    ///
    /// - Throws: `InspectionError` of code `noHistory` or `unreadable`.
    package init(_ filter: HistoryFilter, of store: NSPersistentStore) throws {
        var (times, numbers): ([Double], [UInt8]) = ([], [])
        var known: [String?: UInt8] = [:]
        var isComplete = true
        let history = try store.keptHistory()
        var iteration = HistoryIteration(store, history: history, filter: filter)
        iteration.reading = filter.entity == nil ? .next : .changes
        try iteration.run(after: nil) { part in
            guard case .transaction(let transaction) = part else { return }
            guard times.count < Self.mostTransactions else {
                isComplete = false
                return
            }
            // Authors beyond the first ones are counted together.
            let number = known[transaction.author] ?? UInt8(min(known.count, Self.mostAuthors))
            if known.count < Self.mostAuthors { known[transaction.author] = number }
            times.append(transaction.time)
            numbers.append(number)
        }
        let (start, end) = (times.min() ?? 0, times.max() ?? 0)
        var counts = Array(repeating: Array(repeating: 0, count: Self.parts), count: Self.mostAuthors + 1)
        for (time, author) in zip(times, numbers) {
            let share = end > start ? (time - start) / (end - start) : 0
            counts[Int(author)][min(Self.parts - 1, max(0, Int(share * Double(Self.parts))))] += 1
        }
        var authors: [(name: String?, counts: [Int])] = known.sorted { $0.value < $1.value }
            .map { ($0.key, counts[Int($0.value)]) }
        if counts[Self.mostAuthors].contains(where: { $0 > 0 }) { authors.append(("…", counts[Self.mostAuthors])) }
        (self.start, self.end, self.authors, self.isComplete) = (start, end, authors, isComplete)
    }

    /// `{"from", "to", "authors": [{"author", "transactions", "counts"}], "complete"}`; `counts` has a number for each
    /// part of the time.
    package var json: JSONValue {
        .object([
            ("from", authors.isEmpty ? .null : .string(ISODate.milliseconds(start))),
            ("to", authors.isEmpty ? .null : .string(ISODate.milliseconds(end))),
            (
                "authors",
                .array(
                    authors.map { author in
                        .object([
                            ("author", .text(author.name)), ("transactions", .count(author.counts.reduce(0, +))),
                            ("counts", .array(author.counts.map { .count($0) })),
                        ])
                    })
            ), ("complete", .bool(isComplete)),
        ])
    }
}
