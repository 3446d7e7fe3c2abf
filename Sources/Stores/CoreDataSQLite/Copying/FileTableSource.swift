import CoreDataSQL
import SQLiteKit

/// The source of a copy: a snapshot of a store's file, read table by table; other connections may write to the file
/// meanwhile.
final class FileTableSource: TableSource {
    let schema: StoreSchema
    let metadata: [String: Any]
    var leavesOutUnreadableValues = false
    private let url: URL
    let connection: Connection
    private let copy: PrivateCopy?
    /// The schema with the names that the file has for tables and columns.
    private let found: StoreSchema

    init(at url: URL, of model: NSManagedObjectModel) throws {
        self.url = url
        do {
            (connection, copy) = try SQLiteStoreOpening.connectForReading(url, leavesTraces: false)
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
        do {
            try connection.begin(.deferred)
            try SQLiteStoreOpening.requireStore(connection, url)
            metadata = try SQLiteUnopenedStore.metadata(connection, url)
            found = try SQLiteStoreOpening(url: url, options: [:], configuration: nil).survey(model, connection).0
            let numbers = Dictionary(
                found.entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
            schema = StoreSchema(model: model, recordedNumbers: numbers)
        } catch {
            connection.close()
            throw (error as? SQLiteError).map { StoreErrors.cocoaError($0, opening: url) } ?? error
        }
    }

    func close() { connection.close() }

    func primaryKeys() throws -> [StoreSchema.PrimaryKeyRow] {
        try reading {
            let rows = try connection.rows("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY")
            let given = Dictionary(
                rows.compactMap { row in row[0].integer.map { ($0, row[1].integer ?? 0) } }, uniquingKeysWith: max)
            return try schema.primaryKeyRows.map { row in
                // A file that another program has written may contain a greater key than `Z_PRIMARYKEY` records.
                let mapping = schema.entity(number: row.number)
                let isRoot = mapping?.rootNumber == row.number
                let table = isRoot ? found.entity(number: row.number)?.table : nil
                let greatest = try table.flatMap {
                    try connection.value("SELECT max(Z_PK) FROM \(SQLIdentifier.quoted($0))")?.integer
                }
                return StoreSchema.PrimaryKeyRow(
                    number: row.number, name: row.name, superNumber: row.superNumber,
                    greatestKey: max(given[Int64(row.number)] ?? 0, greatest ?? 0))
            }
        }
    }

    func state(of table: CopiedTable) throws -> (sum: String, count: Int) {
        try reading {
            let parts = TableState.columns(of: table).map { name(table, $0) }
            let row = try connection.rows(TableState.query(parts, in: self.table(table))).first
            return ("\(row?[1].integer ?? 0)", Int(row?[0].integer ?? 0))
        }
    }

    func readRows(
        of table: CopiedTable, after keys: [Int64], limit: Int,
        _ body: (TableRow) throws -> Void
    ) throws {
        try reading {
            let order = table.keys.map { name(table, $0) }.joined(separator: ", ")
            let parameters = table.keys.map { _ in "?" }.joined(separator: ", ")
            let long = try FileLongValues(found.tables[table.number], table: table, connection: connection)
            let statement = try connection.prepare(
                "SELECT \(long.columns) FROM \(self.table(table)) WHERE (\(order)) > (\(parameters)) ORDER BY \(order) LIMIT ?"
            )
            try statement.bind(
                (keys.isEmpty ? table.keys.map { _ in Int64.min } : keys).map { .integer($0) } + [
                    .integer(Int64(limit))
                ])
            let row = FileRow(table, beside: url, leavesOutUnreadable: leavesOutUnreadableValues)
            while try statement.step() {
                try row.lend(statement, long: try long.values(of: statement), body)
            }
        }
    }

    func readDoubtful(
        _ table: CopiedTable, columns: [Int], body: (UnsafeBufferPointer<StoredValue>) throws -> Void
    ) throws {
        // Every other store type can store what SQLite can store.
    }

    func readUnreadable(
        _ table: CopiedTable, _ body: (_ key: Int64, _ number: Int64, _ column: Int, _ reason: String) throws -> Void
    ) throws {
        let files = ExternalData(store: url)
        try reading {
            for column in table.columns.indices where table.isLarge[column] {
                let value = name(table, column)
                // Only values in external files are checked: others are not read here, as they may be large.
                let statement = try connection.prepare(
                    "SELECT Z_PK, Z_ENT, \(value) FROM \(self.table(table)) "
                        + "WHERE typeof(\(value)) = 'blob' AND substr(\(value), 1, 1) = x'02' ORDER BY Z_PK")
                while try statement.step() {
                    do {
                        _ = try files.openFile(stored: statement.blobBytes(2))
                    } catch let error as ExternalDataError {
                        try body(statement.int64(0), statement.int64(1), column, error.reason)
                    }
                }
            }
        }
    }

    private func table(_ table: CopiedTable) -> String { SQLIdentifier.quoted(found.tables[table.number].name) }

    private func name(_ table: CopiedTable, _ column: Int) -> String {
        SQLIdentifier.quoted(found.tables[table.number].columns[column].name)
    }

    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, at: url, during: "be read")
        } catch let error as ExternalDataError {
            throw StoreErrors.unusable(
                url, "a large value of it cannot be read: \(error.reason)",
                hint: "Restore the folder of its large values, or give the object another value.")
        }
    }
}
