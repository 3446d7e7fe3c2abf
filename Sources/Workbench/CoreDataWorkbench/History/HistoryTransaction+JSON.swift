import CoreData

extension HistoryTransaction {
    /// The time in ISO 8601 and UTC, with as many digits of a second as it has.
    package var timestamp: String { ISODate.text(Date(timeIntervalSinceReferenceDate: time)) }

    /// The members of the transaction but its changes: `id`, `timestamp`, `author`, `contextName`, `bundleID`, `processID`.
    package var json: JSONValue {
        .object([
            ("id", .integer(number)), ("timestamp", .string(timestamp)), ("author", .text(author)),
            ("contextName", .text(contextName)), ("bundleID", .text(bundleID)), ("processID", .text(processID)),
        ])
    }

    /// The transaction's JSON as far as to its changes, which follow with commas, and `jsonEnd` after them.
    package var jsonStart: String { JSONWriter.line(json).dropLast() + ",\"changes\":[" }

    package static var jsonEnd: String { "]}" }
}
