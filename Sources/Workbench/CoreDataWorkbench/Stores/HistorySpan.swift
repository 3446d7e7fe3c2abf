import CoreData

/// The extent of a store's history, read from its tables.
package struct HistorySpan {
    /// The first or the last transaction.
    package struct End {
        package let number: Int64
        /// ISO 8601 in UTC, to the millisecond; nil if the stored time is invalid.
        package let timestamp: String?
    }

    package let count: Int
    package let first: End?
    package let last: End?
}

extension RawStore {
    /// The extent of the history; nil for a store without one.
    func historySpan() throws -> HistorySpan? {
        guard hasHistory else { return nil }
        let span = try transactionSpan()
        return HistorySpan(
            count: span.count, first: span.first.map(HistorySpan.End.init), last: span.last.map(HistorySpan.End.init))
    }
}

extension HistorySpan.End {
    fileprivate init(_ end: (number: Int64, time: Double?)) {
        self.init(
            number: end.number, timestamp: end.time.map { ISODate.text(Date(timeIntervalSinceReferenceDate: $0)) })
    }
}

extension HistorySpan {
    /// `{"count", "first": {"id", "timestamp"}, "last": {"id", "timestamp"}}`
    var json: JSONValue {
        .object([("count", .count(count)), ("first", first?.json ?? .null), ("last", last?.json ?? .null)])
    }
}

extension HistorySpan.End {
    fileprivate var json: JSONValue { .object([("id", .integer(number)), ("timestamp", .text(timestamp))]) }
}
