import CoreData

/// What came of an import.
package struct ImportReport: Sendable {
    /// What came of the objects of one entity.
    package struct Counts: Sendable, Equatable {
        package var inserted = 0
        package var updated = 0
        package var unchanged = 0

        package init() {}

        /// Whether something of the store is another than before.
        var isChange: Bool { inserted > 0 || updated > 0 }

        static func += (left: inout Counts, right: Counts) {
            left.inserted += right.inserted
            left.updated += right.updated
            left.unchanged += right.unchanged
        }
    }

    /// An object that is inserted or updated, to be looked at.
    package struct Sample: Sendable {
        package let entity: String
        /// The address of the object that is updated; nil for one that is inserted.
        package let object: String?
        package let line: Int
        /// What the file has for its properties, as texts that are cut.
        package let values: [(name: String, text: String)]

        /// `{"entity", "object", "line", "values": {name: text}}`
        package var json: JSONValue {
            .object([
                ("entity", .string(entity)), ("object", .text(object)), ("line", .count(line)),
                ("values", .object(values.map { ($0.name, .string($0.text)) })),
            ])
        }
    }

    package internal(set) var entities: [String: Counts] = [:]
    /// The first objects that are inserted or updated, of each entity as many as the request asks for.
    package internal(set) var samples: [Sample] = []
    /// How many objects were refused.
    package internal(set) var refused = 0
    /// Whether the store has what was imported.
    package internal(set) var isSaved = false
    /// Whether nothing was read, as nothing has changed since the same import was last made.
    package internal(set) var isUnread = false

    package init() {}

    /// The report of an import of which nothing was read.
    package static var unread: ImportReport {
        var report = ImportReport()
        report.isUnread = true
        return report
    }

    /// Adds the report of a part of the import.
    mutating func add(_ part: ImportReport) {
        refused += part.refused
        guard part.isSaved else { return }
        isSaved = true
        for (name, counts) in part.entities { entities[name, default: .init()] += counts }
    }

    /// All entities together.
    package var total: Counts { entities.values.reduce(into: Counts()) { $0 += $1 } }

    /// `{"inserted", "updated", "unchanged", "refused", "saved", "notChanged", "entities": {name: {…}}}`
    package var json: JSONValue {
        func members(_ counts: Counts) -> [(String, JSONValue)] {
            [
                ("inserted", .count(counts.inserted)), ("updated", .count(counts.updated)),
                ("unchanged", .count(counts.unchanged)),
            ]
        }
        return .object(
            members(total) + [
                ("refused", .count(refused)), ("saved", .bool(isSaved)), ("notChanged", .bool(isUnread)),
                ("entities", .sorted(entities.mapValues { .object(members($0)) })),
            ])
    }
}

/// An object that was not imported, and why.
package struct RefusedRecord: Sendable {
    package let file: String
    package let line: Int
    /// Which record of the file it is, from 1, where that is not known by the line.
    package var record: Int?
    /// The key of the file's object, or the title of the table's column, that is wrong; nil where it is the object.
    package let column: String?
    /// Why, without values of the object.
    package let reason: String
    /// Why, for the person who gave the file, with the value that a rule of the model refused; nil where that is the reason.
    package var answer: String?

    /// The address of an object that another store has and that was not taken over; nil where it is not known which.
    package var object: String? { line > 0 ? "\(file)/p\(line)" : nil }

    /// `{"file", "line", "column", "reason"}`
    package var json: JSONValue {
        .object([
            ("file", .string(file)), ("line", .count(line)), ("column", .text(column)), ("reason", .string(reason)),
        ])
    }
}
