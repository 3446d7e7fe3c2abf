import CoreData

/// What came of an import.
package struct ImportReport: Sendable {
    /// What came of the objects of one entity.
    package struct Counts: Sendable, Equatable {
        package var inserted = 0
        package var updated = 0
        package var unchanged = 0

        package init() {}

        static func += (left: inout Counts, right: Counts) {
            left.inserted += right.inserted
            left.updated += right.updated
            left.unchanged += right.unchanged
        }
    }

    package internal(set) var entities: [String: Counts] = [:]
    /// How many objects were refused.
    package internal(set) var refused = 0
    /// Whether the store has what was imported.
    package internal(set) var isSaved = false

    /// All entities together.
    package var total: Counts { entities.values.reduce(into: Counts()) { $0 += $1 } }

    /// `{"inserted", "updated", "unchanged", "refused", "saved", "entities": {name: {…}}}`
    package var json: JSONValue {
        func members(_ counts: Counts) -> [(String, JSONValue)] {
            [
                ("inserted", .count(counts.inserted)), ("updated", .count(counts.updated)),
                ("unchanged", .count(counts.unchanged)),
            ]
        }
        return .object(
            members(total) + [
                ("refused", .count(refused)), ("saved", .bool(isSaved)),
                ("entities", .sorted(entities.mapValues { .object(members($0)) })),
            ])
    }
}

/// An object that was not imported, and why.
package struct RefusedRecord: Sendable {
    package let file: String
    package let line: Int
    package let reason: String

    /// `{"file", "line", "reason"}`
    package var json: JSONValue {
        .object([("file", .string(file)), ("line", .count(line)), ("reason", .string(reason))])
    }
}
