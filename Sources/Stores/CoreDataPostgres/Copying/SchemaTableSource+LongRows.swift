import CoreDataSQL
import PostgresKit

/// Reads rows that are too large for memory: libpq buffers complete rows of COPY, so these rows are read by other
/// queries.
extension SchemaTableSource {
    /// Returns the SQL expression for the size of a row's unbounded columns.
    private func size(_ table: CopiedTable) -> String {
        table.unbounded.map { "coalesce(octet_length(\(name(table, $0))), 0)::int8" }.joined(separator: " + ")
    }

    /// Returns the keys of the long rows among the next `limit` rows of a table.
    func longRows(of table: CopiedTable, after keys: [Int64], limit: Int) throws -> [Int64] {
        guard try hasLongRows(table), let key = table.keys.first else { return [] }
        let name = name(table, key)
        let result = try connection.query(
            "SELECT k FROM (SELECT \(name) AS k, \(size(table)) AS s FROM \(self.table(table)) "
                + "WHERE \(name) > $1::int8 ORDER BY \(name) LIMIT $2::int8) AS rows "
                + "WHERE s > \(LongValueSize.limit) ORDER BY k",
            [.integer(keys.first ?? .min), .integer(Int64(limit))])
        return (0..<result.rowCount).compactMap { result.int64($0, 0) }
    }

    /// Whether the table has long rows; queried once per table, since most have none.
    private func hasLongRows(_ table: CopiedTable) throws -> Bool {
        if let known = tablesWithLongRows[table.number] { return known }
        // Join tables contain only integers.
        guard table.keys.count == 1, !table.unbounded.isEmpty else { return false }
        let result = try connection.query(
            "SELECT EXISTS (SELECT FROM \(self.table(table)) WHERE \(size(table)) > \(LongValueSize.limit))")
        let isTrue = result.int64(0, 0) == 1
        tablesWithLongRows[table.number] = isTrue
        return isTrue
    }

    /// Passes one row to `body`; its large values are read in parts.
    func readLongRow(_ key: Int64, of table: CopiedTable, _ body: (TableRow) throws -> Void) throws {
        guard let keyColumn = table.keys.first else { return }
        let limit = LongValueSize.limitInLongRow
        let unbounded = table.unbounded
        let values = table.columns.indices.map { column in
            let name = name(table, column)
            return unbounded.contains(column)
                ? "CASE WHEN octet_length(\(name)) > \(limit) THEN NULL ELSE \(name) END" : name
        }
        let sizes = unbounded.map { column in
            let name = name(table, column)
            return "CASE WHEN octet_length(\(name)) > \(limit) THEN octet_length(\(name)) END, "
                + (table.columns[column].type == .varchar ? "position(U&'\\0001' IN \(name)) > 0" : "false")
        }
        let result = try connection.query(
            "SELECT \((values + sizes).joined(separator: ", ")) FROM \(self.table(table)) "
                + "WHERE \(name(table, keyColumn)) = $1::int8", [.integer(key)])
        guard result.rowCount == 1 else { return }
        var long: [Int: any LongValue] = [:]
        for (place, column) in unbounded.enumerated() {
            let index = table.columns.count + 2 * place
            guard let size = result.int64(0, index) else { continue }
            let isText = table.columns[column].type == .varchar
            let name = name(table, column)
            long[column] = try LongServerValue(
                isText ? RowTag.text : RowTag.blob, bytes: isText ? "convert_to(\(name), 'UTF8')" : name,
                of: self.table(table), key: key, size: Int(size), isEscaped: result.int64(0, index + 1) == 1,
                connection: connection)
        }
        let fields = UnsafeMutableBufferPointer<CopyReader.Field>.allocate(capacity: table.columns.count)
        defer { fields.deallocate() }
        fields.initialize(repeating: nil)
        for index in table.columns.indices where !result.isNull(0, index) { fields[index] = result.bytes(0, index) }
        let row = TransferredRow(table.columns.map(\.type))
        try withExtendedLifetime(result) {
            try row.lend(UnsafeBufferPointer(fields)) { try body(TableRow($0, long: long)) }
        }
    }
}
