import CoreDataSQL
import PostgresKit

/// The source of a copy: a snapshot of a store in a schema, read table by table with COPY, large values in parts; other
/// connections may write to the store meanwhile.
final class SchemaTableSource: TableSource {
    let schema: StoreSchema
    let metadata: [String: Any]
    var leavesOutUnreadableValues = false
    private let location: PostgresLocation
    let connection: PostgresConnection
    let tables: PostgresSchema
    /// By table number: whether the table has rows too large for COPY; only for tables that have been checked.
    var tablesWithLongRows: [Int: Bool] = [:]

    init(at url: URL, of model: NSManagedObjectModel) throws {
        let location = try PostgresLocation(url)
        self.location = location
        do {
            connection = try location.connect(timeout: .seconds(10))
        } catch {
            throw PostgresErrors.opening(error, location)
        }
        do {
            _ = try connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let connected = PostgresUnopenedStore.Connected(connection: connection, location: location)
            metadata = try connected.metadata().shown
            let numbers = try PostgresStoreOpening.entityNumbers(connected.schema, connection)
            schema = StoreSchema(model: model, recordedNumbers: numbers)
            tables = PostgresSchema(schema, in: location.schema)
            try PostgresStoreOpening.requireTables(tables, connection: connection, location: location)
        } catch {
            connection.close()
            throw (error as? PostgresError).map { PostgresErrors.opening($0, location) } ?? error
        }
    }

    func close() { connection.close() }

    func primaryKeys() throws -> [StoreSchema.PrimaryKeyRow] {
        try reading {
            let result = try connection.query("SELECT Z_ENT, Z_MAX FROM \(tables.table("Z_PRIMARYKEY"))")
            var given: [Int: Int64] = [:]
            for row in 0..<result.rowCount {
                guard let number = result.int64(row, 0).flatMap({ Int(exactly: $0) }) else { continue }
                given[number] = result.int64(row, 1)
            }
            return schema.primaryKeyRows.map {
                StoreSchema.PrimaryKeyRow(
                    number: $0.number, name: $0.name, superNumber: $0.superNumber, greatestKey: given[$0.number] ?? 0)
            }
        }
    }

    func state(of table: CopiedTable) throws -> (sum: String, count: Int) {
        try reading {
            let parts = TableState.columns(of: table).map { name(table, $0) }
            let query = TableState.query(parts, in: self.table(table))
            let result = try connection.query("SELECT c, s::int8 FROM (\(query)) AS t(c, s)")
            return ("\(result.int64(0, 1) ?? 0)", Int(result.int64(0, 0) ?? 0))
        }
    }

    func readRows(
        of table: CopiedTable, after keys: [Int64], limit: Int,
        _ body: (TableRow) throws -> Void
    ) throws {
        try reading {
            var (place, rest) = (keys, limit)
            for long in try longRows(of: table, after: keys, limit: limit) {
                rest -= try copyRows(of: table, after: place, before: long, limit: rest, body)
                try readLongRow(long, of: table, body)
                rest -= 1
                place = [long]
            }
            _ = try copyRows(of: table, after: place, before: nil, limit: rest, body)
        }
    }

    /// Passes the rows between two keys to `body`, read with COPY; returns their number.
    private func copyRows(
        of table: CopiedTable, after keys: [Int64], before end: Int64?, limit: Int, _ body: (TableRow) throws -> Void
    ) throws -> Int {
        let order = table.keys.map { name(table, $0) }.joined(separator: ", ")
        var conditions = keys.isEmpty ? [] : ["(\(order)) > (\(keys.map(String.init).joined(separator: ", ")))"]
        if let end { conditions.append("\(order) < \(end)") }
        let place = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        let columns = Array(table.columns.indices)
        var count = 0
        guard limit > 0 else { return count }
        try copy(
            "SELECT \(columns.map { name(table, $0) }.joined(separator: ", ")) FROM \(self.table(table)) \(place)"
                + "ORDER BY \(order) LIMIT \(limit)", types: columns.map { table.columns[$0].type }
        ) { row in
            count += 1
            try body(TableRow(row))
        }
        return count
    }

    func readDoubtful(
        _ table: CopiedTable, columns: [Int], body: (UnsafeBufferPointer<StoredValue>) throws -> Void
    ) throws {
        // A text of at most 15 characters has at most 15 digits, which no store rounds.
        let conditions = columns.map { column in
            let name = name(table, column)
            return table.columns[column].type == .decimal
                ? "length(trim_scale(\(name))::text) > 15" : "\(name) = 'NaN' OR (\(name) = 0 AND \(name)::text = '-0')"
        }
        let list = (["Z_PK", "Z_ENT"] + columns.map { name(table, $0) }).joined(separator: ", ")
        try copy(
            "SELECT \(list) FROM \(self.table(table)) WHERE \(conditions.joined(separator: " OR ")) ORDER BY Z_PK",
            types: [.integer, .integer] + columns.map { table.columns[$0].type }, body: body)
    }

    /// Passes the rows of a query to `body`.
    func copy(
        _ query: String, types: [ColumnType], body: (UnsafeBufferPointer<StoredValue>) throws -> Void
    ) throws {
        try reading {
            let reader = CopyReader(fields: types.count)
            let row = TransferredRow(types)
            try connection.copyOut("COPY (\(query)) TO STDOUT (FORMAT binary)") { piece in
                try reader.read(piece) { try row.lend($0, body) }
            }
        }
    }

    func table(_ table: CopiedTable) -> String { tables.table(tables.store.tables[table.number].name) }

    func name(_ table: CopiedTable, _ column: Int) -> String {
        SQLIdentifier.quoted(tables.store.tables[table.number].columns[column].name)
    }

    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgresError {
            throw PostgresErrors.during("be read", error: error, location: location)
        }
    }
}
