import CoreDataSQL
import SQLiteKit

/// An update that sets some columns to the same values in all rows of a query, and changes nothing else.
struct UniformUpdate {
    let table: String
    let values: [(column: String, value: SQLParameter)]
    /// The query for the keys of the rows; nil for all rows of the table.
    let rows: CompiledQuery?
}

/// What has been recorded of such an update before the end of the transaction.
struct RecordedUpdate {
    let transaction: Int64
    /// The key of the last change.
    var lastChange: Int64
    /// The stored property set of the last change, with the change's shape.
    var columns: (shape: HistoryWriter.Shape, value: Value)?
}

extension HistoryWriter {
    /// SQL function `()`: returns the key of the next change.
    private static let nextKey = "CoreDataHistoryNextKey"
    /// SQL function `(table, entity number, mask of changed columns)`: returns the set of changed properties in its
    /// stored form.
    private static let columns = "CoreDataHistoryColumns"

    func registerUpdateFunctions(on connection: Connection) throws {
        try connection.registerFunction(Self.nextKey, argumentCount: 0, flags: [.directOnly]) {
            [unowned self] _ in
            recorded?.lastChange += 1
            return recorded.map { .integer($0.lastChange) } ?? .null
        }
        try connection.registerFunction(Self.columns, argumentCount: 3, flags: [.directOnly]) {
            [unowned self] in
            columns(Shape(table: $0.int64(0), entity: $0.int64(1), start: 0, mask: $0.int64(2)))
        }
    }

    private func columns(_ shape: Shape) -> Value {
        if let known = recorded?.columns, known.shape == shape { return known.value }
        guard let layout = self.shape.plan(number: shape.entity)?.layout.number else { return .null }
        let value = Value.blob(properties[layout].packed(properties(in: shape)))
        recorded?.columns = (shape, value)
        return value
    }

    /// Runs an update, and records the changes of all its rows with one statement instead of one trigger call per row.
    ///
    /// If triggers may change other rows, or old values must be stored, the rows are reported individually.
    func recording<Result>(
        _ update: UniformUpdate, connection: Connection, body: () throws -> Result
    ) throws -> Result {
        guard try isAlone(update, connection),
            let number = triggers.tables.firstIndex(where: { $0.name == update.table }),
            let statement = try insertion(update, number: number, connection: connection)
        else { return try body() }
        let transaction = try begin(connection)
        let last = try keys.take(0, of: .change, connection) - 1
        recorded = RecordedUpdate(transaction: transaction, lastChange: last)
        try statement.bind(transaction, at: 1)
        try statement.run()
        _ = try keys.take(connection.changes, of: .change, connection)
        if connection.changes == 0 {
            // Discards the transaction number and the cached keys, since nothing was recorded.
            recorded = nil
            keys.forget()
        }
        try connection.execute(triggers.endOfReports(ofUpdates: number))
        let result = try body()
        try connection.execute(triggers.reportOfUpdates(number))
        return result
    }

    /// Whether no old values are needed, the transaction has no other changes so far, and the table has no triggers in
    /// the file.
    private func isAlone(_ update: UniformUpdate, _ connection: Connection) throws -> Bool {
        guard oldValues == nil, changes.isEmpty, recorded == nil else { return false }
        return try connection.rows(
            "SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
            [.text(update.table)]
        ).isEmpty
    }

    /// Returns the statement that records the update's changes; nil if the history does not record one of the columns.
    private func insertion(
        _ update: UniformUpdate, number: Int, connection: Connection
    ) throws -> Statement? {
        let table = triggers.tables[number]
        guard table.columns.count <= HistoryTriggers.maskWidth else { return nil }
        var bits: [String] = []
        for (place, assignment) in update.values.enumerated() {
            guard let bit = table.columns.firstIndex(of: assignment.column) else { return nil }
            bits.append("((\(SQLIdentifier.quoted(assignment.column)) IS NOT ?\(place + 2)) << \(bit))")
        }
        let mask = bits.joined(separator: " | ")
        let entities = table.properties.keys.sorted().map(String.init).joined(separator: ", ")
        let choice = update.rows.map { " AND Z_PK IN (\($0.sql))" } ?? ""
        let statement = try connection.prepare(
            "INSERT INTO main.ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
                + "SELECT \(Self.nextKey)(), \(HistoryTables.Entity.change.rawValue), \(ChangeRecord.Kind.update.rawValue), "
                + "Z_ENT, Z_PK, ?1, \(Self.columns)(\(number), Z_ENT, \(mask)) "
                + "FROM main.\(SQLIdentifier.quoted(table.name)) WHERE Z_ENT IN (\(entities)) AND (\(mask))\(choice)")
        let values = update.values.map(\.value) + (update.rows?.parameters ?? [])
        for (index, value) in values.enumerated() { try statement.bind(QueryFunctions.value(value), at: index + 2) }
        return statement
    }
}
