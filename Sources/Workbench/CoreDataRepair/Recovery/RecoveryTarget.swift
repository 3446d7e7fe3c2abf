import CoreData
import SQLiteKit

/// The new store's file while rows are put into it.
final class RecoveryTarget {
    /// What became of a row.
    enum Outcome {
        case added
        /// The row was there already; the newer of both stays.
        case doubled
    }

    private let connection: Connection
    private let indexes: [Catalog.Item]

    /// Opens an empty store that no other program knows yet, at first without its indexes.
    init(_ url: URL) throws {
        connection = try Connection.open(url.path, OpenOptions(mode: .readWrite))
        try connection.configure(.triggers, false)
        try connection.setPragma("synchronous", to: .text("off"))
        indexes = try connection.catalog().indexes
        try connection.begin(.exclusive)
        for index in indexes { try connection.execute("DROP INDEX \(SQLIdentifier.quoted(index.name))") }
    }

    func add(
        _ entity: RecoveryPlan.Entity, key: Int64, version: Int64, _ values: [(column: String, value: Value)]
    ) throws -> Outcome {
        let table = SQLIdentifier.quoted(entity.table)
        let present = try connection.rows("SELECT Z_OPT FROM \(table) WHERE Z_PK = ?", [.integer(key)]).first
        if let present {
            guard present[0].integer ?? 0 < version else { return .doubled }
            try connection.execute("DELETE FROM \(table) WHERE Z_PK = ?", [.integer(key)])
        }
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + values.map { SQLIdentifier.quoted($0.column) }
        try connection.execute(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
                + "(\(columns.map { _ in "?" }.joined(separator: ", ")))",
            [.integer(key), .integer(Int64(entity.number)), .integer(version)] + values.map(\.value))
        return present == nil ? .added : .doubled
    }

    func add(_ links: RecoveryPlan.Links, _ values: [(column: String, value: Value)]) throws -> Outcome {
        let columns = values.map { SQLIdentifier.quoted($0.column) }
        try connection.execute(
            "INSERT OR IGNORE INTO \(SQLIdentifier.quoted(links.table)) (\(columns.joined(separator: ", "))) VALUES "
                + "(\(columns.map { _ in "?" }.joined(separator: ", ")))", values.map(\.value))
        return connection.changes > 0 ? .added : .doubled
    }

    /// Makes an empty table that does not belong to Core Data.
    func make(_ table: OtherTable) throws { try connection.execute(table.creation) }

    func add(_ table: OtherTable, key: Int64, _ values: [Value]) throws -> Outcome {
        var columns = table.columns.map { SQLIdentifier.quoted($0.name) }
        var values = values
        // A row keeps its number, unless a column has taken its name.
        if table.rowNumber == nil, !table.columns.contains(where: { $0.name.lowercased() == "rowid" }) {
            columns.append("rowid")
            values.append(.integer(key))
        }
        try connection.execute(
            "INSERT OR IGNORE INTO \(SQLIdentifier.quoted(table.name)) (\(columns.joined(separator: ", "))) VALUES "
                + "(\(columns.map { _ in "?" }.joined(separator: ", ")))", values)
        return connection.changes > 0 ? .added : .doubled
    }

    /// Puts the indexes back, writes what the damaged store said of itself, and closes the file; gives what could not be done.
    func finish(_ survey: RecoverySurvey, keepsMetadata: Bool, _ schema: StoreSchema) throws -> [String] {
        var remarks: [String] = []
        for index in indexes {
            if try !make(index) {
                remarks.append("The index \(index.name) could not be made, because some values occur more than once.")
            }
        }
        let present = Set(try connection.catalog(columnsOf: []).tables.filter(\.isVirtual).map { $0.name.uppercased() })
        for tree in schema.spatialIndexes where present.contains(tree.name.uppercased()) {
            // Rows were put in without triggers.
            try connection.execute("DELETE FROM \(SQLIdentifier.quoted(tree.name))")
            try connection.execute(tree.filling)
        }
        for entity in schema.entities where entity.number == entity.rootNumber {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = max(?, ifnull((SELECT max(Z_PK) FROM \(SQLIdentifier.quoted(entity.table))), "
                    + "0)) WHERE Z_ENT = ?",
                [.integer(max(0, survey.greatestKeys[entity.name] ?? 0)), .integer(Int64(entity.number))])
        }
        if let identifier = survey.identifier {
            try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?", [.text(identifier)])
        }
        if keepsMetadata, let metadata = survey.metadata {
            try connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(metadata.bytes)])
        }
        try connection.commit()
        try connection.checkpoint(.truncate)
        connection.close()
        return remarks
    }

    /// Makes an index; false where values that it keeps unique are there twice.
    private func make(_ index: Catalog.Item) throws -> Bool {
        do {
            try connection.execute(index.sql)
            return true
        } catch {
            guard error.code.primary == .constraint else { throw error }
            return false
        }
    }

    /// Releases the file, which is then to be removed.
    func abandon() { connection.close() }
}
