import CoreData

extension HistoryTransaction {
    /// The time in ISO 8601 in UTC, with all its digits of a second.
    package var timestamp: String { ISODate.text(Date(timeIntervalSinceReferenceDate: time)) }

    /// The members of the transaction without its changes: `id`, `timestamp`, `author`, `contextName`, `bundleID`,
    /// `processID`.
    package var json: JSONValue {
        .object([
            ("id", .integer(number)), ("timestamp", .string(timestamp)), ("author", .text(author)),
            ("contextName", .text(contextName)), ("bundleID", .text(bundleID)), ("processID", .text(processID)),
        ])
    }

    /// The beginning of the transaction's JSON. The changes follow, separated by commas, and then `jsonEnd`.
    package var jsonStart: String { JSONWriter.line(json).dropLast() + ",\"changes\":[" }

    package static var jsonEnd: String { "]}" }
}
