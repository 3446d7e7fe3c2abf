import CoreData

/// What was recovered of a damaged store, and what was not.
package struct RecoveryReport: Sendable {
    package let source: URL
    package let target: URL
    /// Where the model came from: `given`, or `kept` in the damaged file.
    package internal(set) var model = "given"
    /// Whether the new store has the identity of the damaged one, so that addresses of objects stay good.
    package internal(set) var keepsIdentity = false
    /// Whether the file still said which tables there are.
    package internal(set) var hasSchema = true
    package internal(set) var pages = 0
    package internal(set) var unreadablePages = 0
    package internal(set) var unreadableCells = 0
    /// Rows by entity.
    package internal(set) var rows: [String: Int] = [:]
    /// Those of them from pages that no tree leads to any more.
    package internal(set) var orphans = 0
    /// Links of many-to-many relationships.
    package internal(set) var links = 0
    /// Rows that were found more than once.
    package internal(set) var doubled = 0
    /// Rows that were found and not taken over, by reason.
    package internal(set) var refused: [String: Int] = [:]
    /// Values that became nil because they were not valid for their attribute or incomplete, by property.
    package internal(set) var emptied: [String: Int] = [:]
    /// Rows of tables that do not belong to Core Data, which were copied unchanged.
    package internal(set) var otherRows: [String: Int] = [:]
    /// Rows of tables of Core Data that the model does not know, and those of the history.
    package internal(set) var leftOut: [String: Int] = [:]
    package internal(set) var remarks: [String] = []
    /// The check of the new store.
    package internal(set) var check: StoreCheckReport

    package var rowCount: Int { rows.values.reduce(0, +) }

    package var json: JSONValue {
        func counts(_ counts: [String: Int]) -> JSONValue { .sorted(counts.mapValues { .count($0) }) }
        return .object([
            ("source", .string(source.path)), ("path", .string(target.path)), ("model", .string(model)),
            ("keepsIdentity", .bool(keepsIdentity)), ("schemaReadable", .bool(hasSchema)), ("pages", .count(pages)),
            ("unreadablePages", .count(unreadablePages)), ("unreadableCells", .count(unreadableCells)),
            ("rowCount", .count(rowCount)), ("rows", counts(rows)), ("orphans", .count(orphans)),
            ("links", .count(links)), ("doubled", .count(doubled)), ("refused", counts(refused)),
            ("emptied", counts(emptied)), ("otherRows", counts(otherRows)),
            ("leftOut", counts(leftOut)),
            ("remarks", .array(remarks.map { .string($0) })), ("check", check.json),
        ])
    }
}
