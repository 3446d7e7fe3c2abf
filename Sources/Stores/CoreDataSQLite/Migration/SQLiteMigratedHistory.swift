import CoreDataSQL
import SQLiteKit

/// Updates the persistent history to the entities and properties of the new model.
///
/// Changes of removed entities are deleted; all others keep their numbers, so existing tokens remain valid. Sets of
/// changed properties and tombstones lose removed properties; numbers in tombstones are converted to their new types.
/// Old values (`OldValueTables`) refer to the old tables and are deleted.
struct SQLiteMigratedHistory {
    private static let function = "coredata_columns"
    private static let tombstoneFunction = "coredata_tombstone"

    private let connection: Connection
    private let kept: [HistoryMoves]
    private let dropped: [Int]
    private let tombstones: Int

    init(_ connection: Connection, _ migration: SchemaMigration, from old: ModelLayout, to new: ModelLayout) {
        self.connection = connection
        dropped = migration.droppedEntities.map(\.number)
        kept = HistoryMoves.all(of: migration, from: old, to: new)
        tombstones = max(
            kept.map(\.tombstones.count).max() ?? 0, kept.map(\.before.tombstoneSlots.count).max() ?? 0)
    }

    func run() throws {
        try dropOldValues()
        let catalog = try connection.catalog(columnsOf: HistoryTables.names)
        guard HistoryTables.areAmong(catalog.tables.map(\.name)) else { return }
        do {
            for sql in try HistoryTables.missing(connection, tombstones: tombstones) { try connection.execute(sql) }
        } catch let error as HistoryTables.Unusable {
            throw CoreDataError.make(
                NSMigrationError, "The history cannot be carried over: \(error.reason)",
                hint: "Delete the tables of the history, or migrate with the program that made them.")
        }
        if !dropped.isEmpty { try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(Self.list(dropped)))") }
        try rewrite()
    }

    private func rewrite() throws {
        var assignments: [String] = []
        if kept.contains(where: \.movesProperties) {
            try registerFunction()
            assignments.append("ZCOLUMNS = \(Self.function)(ZENTITY, ZCOLUMNS)")
        }
        if kept.contains(where: \.movesTombstones) {
            try registerTombstoneFunction()
            assignments += (0..<tombstones).map { number in
                let cases = kept.map { "WHEN \($0.number) THEN \(Self.tombstone(number, of: $0))" }
                return "ZTOMBSTONE\(number) = CASE ZENTITY \(cases.joined(separator: " ")) ELSE ZTOMBSTONE\(number) END"
            }
        }
        if kept.contains(where: { $0.number != $0.newNumber }) {
            let cases = kept.map { "WHEN \($0.number) THEN \($0.newNumber)" }
            assignments.append("ZENTITY = CASE ZENTITY \(cases.joined(separator: " ")) ELSE ZENTITY END")
        }
        guard !assignments.isEmpty, !kept.isEmpty else { return }
        try connection.execute(
            "UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) WHERE ZENTITY IN (\(Self.list(kept.map(\.number))))"
        )
    }

    /// Returns SQL for the new value of a tombstone column.
    private static func tombstone(_ number: Int, of entity: HistoryMoves) -> String {
        guard number < entity.tombstones.count, let source = entity.tombstones[number] else { return "NULL" }
        let column = "ZTOMBSTONE\(source)"
        return entity.converts(number) ? "\(tombstoneFunction)(ZENTITY, \(number), \(column))" : column
    }

    /// Registers the SQL function that converts a tombstone value to the attribute's new type.
    private func registerTombstoneFunction() throws {
        let byNumber = Dictionary(kept.map { (Int64($0.number), $0) }, uniquingKeysWith: { first, _ in first })
        try connection.registerFunction(
            Self.tombstoneFunction, argumentCount: 3, flags: [.deterministic, .directOnly]
        ) { arguments in
            guard let entity = byNumber[arguments.int64(0)], let number = Int(exactly: arguments.int64(1)) else {
                return .null
            }
            return Value(entity.converted(DerivedCell(StoredValue(arguments, 2)), for: number))
        }
    }

    /// Registers the SQL function that converts a set of old properties to the new model; null and unknown bytes stay
    /// unchanged.
    private func registerFunction() throws {
        let byNumber = Dictionary(kept.map { (Int64($0.number), $0) }, uniquingKeysWith: { first, _ in first })
        try connection.registerFunction(
            Self.function, argumentCount: 2, flags: [.deterministic, .directOnly]
        ) { arguments in
            guard arguments.type(1) == .blob, let entity = byNumber[arguments.int64(0)],
                let moved = entity.moved(packed: arguments.blobBytes(1))
            else { return arguments[1] }
            return .blob(moved)
        }
    }

    private func dropOldValues() throws {
        guard OldValueTables.arePresent(in: try connection.catalog(columnsOf: [])) else { return }
        try connection.execute("DELETE FROM \(OldValueTables.values)")
        try connection.execute("DELETE FROM \(OldValueTables.transactions)")
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
