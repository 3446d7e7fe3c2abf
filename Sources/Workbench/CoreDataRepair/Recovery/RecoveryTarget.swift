import CoreData
import SQLiteKit

/// The connection to the new store's file, by which rows are inserted in one transaction.
final class RecoveryTarget {
    /// The result of adding a row.
    enum Outcome {
        case added
        /// The new store had the row already. Of two rows of an entity the one with the higher version is kept, of
        /// other rows the first.
        case doubled
    }

    private let connection: Connection
    private let indexes: [Catalog.Item]

    /// Opens an empty store that no other program uses, begins a transaction, and drops the indexes until `finish`.
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

    /// Creates an empty table for rows that do not belong to Core Data.
    func make(_ table: OtherTable) throws { try connection.execute(table.creation) }

    func add(_ table: OtherTable, key: Int64, _ values: [Value]) throws -> Outcome {
        var columns = table.columns.map { SQLIdentifier.quoted($0.name) }
        var values = values
        // The row keeps its rowid, unless a column of the table is named `rowid` and hides it.
        if table.rowNumber == nil, !table.columns.contains(where: { $0.name.lowercased() == "rowid" }) {
            columns.append("rowid")
            values.append(.integer(key))
        }
        try connection.execute(
            "INSERT OR IGNORE INTO \(SQLIdentifier.quoted(table.name)) (\(columns.joined(separator: ", "))) VALUES "
                + "(\(columns.map { _ in "?" }.joined(separator: ", ")))", values)
        return connection.changes > 0 ? .added : .doubled
    }

    /// Creates the indexes again, fills R-trees, writes greatest keys, UUID and metadata of the damaged store, then
    /// commits and closes the file; returns remarks about indexes that could not be created.
    func finish(_ survey: RecoverySurvey, keepsMetadata: Bool, _ schema: StoreSchema) throws -> [String] {
        var remarks: [String] = []
        for index in indexes {
            if try !make(index) {
                remarks.append("The index \(index.name) could not be made, because some values occur more than once.")
            }
        }
        let present = Set(try connection.catalog(columnsOf: []).tables.filter(\.isVirtual).map { $0.name.uppercased() })
        for tree in schema.spatialIndexes where present.contains(tree.name.uppercased()) {
            // The connection has triggers disabled, so inserting rows did not fill the R-tree.
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

    /// Creates an index; returns false if the index is unique and the table has duplicate values.
    private func make(_ index: Catalog.Item) throws -> Bool {
        do {
            try connection.execute(index.sql)
            return true
        } catch {
            guard error.code.primary == .constraint else { throw error }
            return false
        }
    }

    /// Closes the connection without committing; the caller then removes the file.
    func abandon() { connection.close() }
}
