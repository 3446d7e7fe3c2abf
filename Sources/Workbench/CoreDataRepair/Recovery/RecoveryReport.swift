import CoreData

/// The result of recovering a damaged store: the counts of recovered, refused and omitted rows.
package struct RecoveryReport: Sendable {
    package let source: URL
    package let target: URL
    /// The source of the model: `given` by the caller, or `kept` for the one cached in the damaged file.
    package internal(set) var model = "given"
    /// Whether the new store has the damaged one's UUID, so that URIs of its objects remain valid.
    package internal(set) var keepsIdentity = false
    /// Whether at least one table could be read from the schema of the damaged file.
    package internal(set) var hasSchema = true
    package internal(set) var pages = 0
    package internal(set) var unreadablePages = 0
    package internal(set) var unreadableCells = 0
    /// The number of recovered objects by entity name.
    package internal(set) var rows: [String: Int] = [:]
    /// How many of the objects in `rows` came from pages that no B-tree refers to any more.
    package internal(set) var orphans = 0
    /// The number of recovered links of many-to-many relationships.
    package internal(set) var links = 0
    /// How often a row was found again after it had been added.
    package internal(set) var doubled = 0
    /// The number of rows that were found and not added to the new store, by reason.
    package internal(set) var refused: [String: Int] = [:]
    /// The number of values that became nil because they were invalid for their attribute or incomplete, by property,
    /// or by table for tables that do not belong to Core Data.
    package internal(set) var emptied: [String: Int] = [:]
    /// The number of rows copied from tables that do not belong to Core Data, by table.
    package internal(set) var otherRows: [String: Int] = [:]
    /// The number of rows that were not copied because their table is neither in the model nor copied as another
    /// program's, by table; those of the persistent history are among them.
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
