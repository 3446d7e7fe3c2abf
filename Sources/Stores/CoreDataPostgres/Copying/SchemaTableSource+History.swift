import CoreDataSQL
import PostgresKit

/// Reads the history of a store in a schema for a copy: all transactions in the snapshot, including those that the
/// store does not report yet because transactions with lower numbers may still commit.
extension SchemaTableSource {
    private var historySchema: HistorySchema { HistorySchema(schema: tables) }

    func history() throws -> CopiedHistory? {
        try reading {
            let schema = historySchema
            let found = try connection.query("SELECT to_regclass($1::text) IS NOT NULL", [.text(schema.state)])
            guard found.int64(0, 0) == 1 else { return nil }
            let result = try connection.query(
                "SELECT (SELECT count(*) FROM \(schema.transactions)), (SELECT max(Z_PK) FROM \(schema.transactions)), "
                    + "(SELECT count(*) FROM \(schema.changes)), (SELECT max(ZPURGED) FROM \(schema.state))")
            let numbers = (0..<4).map { result.int64(0, $0) ?? 0 }
            return CopiedHistory(
                count: Int(numbers[0]), isPurged: numbers[3] > 0, keepsOldValues: false,
                state: numbers.map { "\($0)" }.joined(separator: " "))
        }
    }

    func transactions(after number: Int64, limit: Int) throws -> [HistoryTransaction] {
        try reading {
            let result = try connection.query(
                "SELECT \(PostgresHistoryReader.headerColumns) FROM \(historySchema.transactions) t WHERE t.Z_PK > $1::int8 "
                    + "ORDER BY t.Z_PK LIMIT $2::int8", [.integer(number), .integer(Int64(limit))])
            return (0..<result.rowCount).compactMap { PostgresHistoryReader.header(result, $0) }
        }
    }

    func readChanges(of numbers: ClosedRange<Int64>, _ body: (CopiedChange) throws -> Void) throws {
        let types: [ColumnType] = [.integer, .integer, .integer, .integer, .blob, .blob]
        try copy(
            "SELECT ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS, ZTOMBSTONE "
                + "FROM \(historySchema.changes) "
                + "WHERE ZTRANSACTIONID BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound) "
                + "ORDER BY ZTRANSACTIONID, Z_PK", types: types
        ) { row in
            guard row[0..<4].allSatisfy({ $0.tag == RowTag.integer }) else { return }
            try body(
                CopiedChange(
                    transaction: row[0].integer, kind: row[1].integer, entity: row[2].integer, key: row[3].integer,
                    properties: row[4].tag == RowTag.blob ? Array(row[4].bytes) : nil,
                    tombstone: CompositeCoding.elements(in: row[5].bytes).map(DerivedCell.init)))
        }
    }
}
