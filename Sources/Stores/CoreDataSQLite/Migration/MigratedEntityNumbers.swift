import CoreDataSQL
import SQLiteKit

/// Updates entity numbers in tables outside the model's schema to those of the new model.
///
/// `NSPersistentCloudKitContainer` stores its data about objects in tables whose names begin with `ANSCK`, with the
/// number of the object's entity and its key (`ZENTITYID`, `ZENTITYPK`); a program's own tables may do the same.
/// Without an update, these rows would refer to other objects. Invariants:
///
/// 1. After the migration each row refers to the same object as before; rows about removed objects are deleted, with
///    the rows that refer to them.
/// 2. If one of CloudKit's tables has an unknown column that seems to contain entity numbers, the migration is refused.
///
/// Source: stores of apps that mirror to CloudKit. In `ANSCKRECORDMETADATA` each pair of number and key is unique.
struct MigratedEntityNumbers {
    private static let numberColumns: Set<String> = ["ZENTITYID", "ZENTITY"]
    private static let keyColumn = "ZENTITYPK"
    private static let records = "ANSCKRECORDMETADATA"
    /// The column that refers to a row of `ANSCKRECORDMETADATA`.
    private static let recordColumn = "ZRECORDMETADATA"
    /// Entity numbers from this one on belong to the framework itself, not to entities of a model.
    private static let firstForeignNumber = 16_000
    /// Added to new numbers until all are updated, since pairs of number and key must be unique at any time.
    private static let distance: Int64 = 1 << 40

    private struct NumberedTable {
        let name: String
        let columns: [String]
    }

    private let connection: Connection
    private let catalog: Catalog
    private let numbers: [Int: Int]
    private let known: Set<String>

    init(_ connection: Connection, catalog: Catalog, migration: SchemaMigration) {
        self.connection = connection
        self.catalog = catalog
        numbers = migration.entityNumbers
        known = migration.tableNames.union(HistoryTables.names).union(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    }

    /// Updates the tables; `catalog` must be from before the migration.
    func run() throws {
        for table in try tables() { try rewrite(table) }
        try removeOrphans()
    }

    /// - Throws: `NSMigrationError` naming a table in which numbers cannot be rewritten.
    func check() throws { _ = try tables() }

    // MARK: What is there

    private func tables() throws -> [NumberedTable] {
        try catalog.tables.compactMap { table in
            let name = table.name.uppercased()
            guard !table.isVirtual, !known.contains(name) else { return nil }
            let isMirroring = name.hasPrefix("ANSCK")
            let names = Set(table.columns.map { $0.name.uppercased() })
            guard isMirroring || names.contains(Self.keyColumn) else { return nil }
            let columns = table.columns.filter { Self.numberColumns.contains($0.name.uppercased()) }
            if isMirroring, let column = table.columns.first(where: Self.seemsNumbered) {
                throw refusal(table.name, "its column \(column.name) seems to have entity numbers and is not known")
            }
            guard !columns.isEmpty else { return nil }
            if columns.contains(where: \.isGenerated) {
                throw refusal(table.name, "SQLite computes its entity numbers")
            }
            if let trigger = catalog.triggers.first(where: { $0.table.uppercased() == name }) {
                throw refusal(table.name, "the trigger \(trigger.name) would run on each of its rows")
            }
            return NumberedTable(name: table.name, columns: columns.map(\.name))
        }
    }

    /// Whether a column with an unknown name may contain entity numbers.
    private static func seemsNumbered(_ column: Catalog.Column) -> Bool {
        let name = column.name.uppercased()
        guard name.contains("ENTITY"), column.declaredType.uppercased() == "INTEGER" else { return false }
        return !numberColumns.contains(name) && name != keyColumn && !name.hasSuffix("COUNT")
    }

    private func refusal(_ table: String, _ reason: String) -> NSError {
        CoreDataError.make(
            NSMigrationError,
            "The table \(PrintableText.line(table, limit: 100)) has entity numbers that cannot be carried over: "
                + "\(PrintableText.line(reason, limit: 300)).",
            hint: "Remove the table if it may go (CloudKit's are made again by a new upload), then migrate again.",
            userInfo: ["table": table])
    }

    // MARK: Rewriting

    private func rewrite(_ table: NumberedTable) throws {
        let q = SQLIdentifier.quoted
        let former = Self.list(numbers.keys.sorted())
        for column in table.columns.map(q) {
            let isOfModel = "typeof(\(column)) = 'integer' AND \(column) > 0 AND \(column) < \(Self.firstForeignNumber)"
            let isGone = former.isEmpty ? "" : " AND \(column) NOT IN (\(former))"
            try connection.execute("DELETE FROM \(q(table.name)) WHERE \(isOfModel)\(isGone)")
            let moved = numbers.filter { $0 != $1 }.sorted { $0.key < $1.key }
            guard !moved.isEmpty else { continue }
            let cases = moved.map { "WHEN \($0) THEN \(Int64($1) + Self.distance)" }.joined(separator: " ")
            try connection.execute(
                "UPDATE \(q(table.name)) SET \(column) = CASE \(column) \(cases) END "
                    + "WHERE \(column) IN (\(Self.list(moved.map(\.key))))")
            try connection.execute(
                "UPDATE \(q(table.name)) SET \(column) = \(column) - \(Self.distance) "
                    + "WHERE \(column) BETWEEN \(Self.distance) AND \(Self.distance + Int64(Self.firstForeignNumber))")
        }
    }

    /// Deletes the rows of CloudKit's other tables that refer to deleted records.
    private func removeOrphans() throws {
        guard let records = catalog.table(Self.records), !records.isVirtual else { return }
        let q = SQLIdentifier.quoted
        for table in catalog.tables where table.name.uppercased().hasPrefix("ANSCK") && !table.isVirtual {
            let leading = table.columns.first { $0.name.uppercased() == Self.recordColumn }
            guard let column = leading else { continue }
            try connection.execute(
                "DELETE FROM \(q(table.name)) WHERE \(q(column.name)) IS NOT NULL AND \(q(column.name)) NOT IN "
                    + "(SELECT Z_PK FROM \(q(records.name)))")
        }
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
