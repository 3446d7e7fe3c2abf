import CoreDataSQL
import SQLiteKit

extension HistoryTables {
    /// Passes transactions with their sizes in bytes (`HistorySize`) to `body`, until it returns false.
    ///
    /// A transaction's size is computed only when it is reached, from its own changes.
    static func sizes(
        of numbers: ClosedRange<Int64>, _ order: HistoryOrder, connection: Connection,
        body: (Int64, Int64) throws -> Bool
    ) throws {
        let catalog = try connection.catalog(columnsOf: [Entity.change.table])
        var parts = ["\(HistorySize.transaction)", changes(catalog)]
        if OldValueTables.arePresent(in: catalog) { parts.append(oldValues) }
        let statement = try connection.prepare(
            "SELECT t.Z_PK, \(parts.joined(separator: " + ")) FROM ATRANSACTION t WHERE t.Z_PK BETWEEN ? AND ? "
                + "ORDER BY t.Z_PK \(order == .oldestFirst ? "ASC" : "DESC")")
        try statement.bind([.integer(numbers.lowerBound), .integer(numbers.upperBound)])
        while try statement.step() {
            guard try body(statement.int64(0), statement.int64(1)) else { return }
        }
    }

    /// Returns SQL for the size of a transaction's changes.
    private static func changes(_ catalog: Catalog) -> String {
        let values = (catalog.table(Entity.change.table)?.columns ?? []).map { $0.name.uppercased() }
            .filter { $0 == "ZCOLUMNS" || $0.hasPrefix("ZTOMBSTONE") }.map { bytes(of: "c.\($0)") }
        let one = ["\(HistorySize.change)"] + values
        return
            "(SELECT COALESCE(sum(\(one.joined(separator: " + "))), 0) FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK)"
    }

    /// SQL for the size of the old values that are stored with a transaction.
    private static let oldValues =
        "(SELECT COALESCE(sum(\(HistorySize.oldValue) + length(v.TABLENAME) + length(v.COLUMNNAME) + \(bytes(of: "v.VALUE"))), 0) "
        + "FROM \(OldValueTables.values) v WHERE v.TRANSACTIONID = t.Z_PK)"

    /// Returns SQL for the size of a value; SQLite knows a blob's length without reading it.
    private static func bytes(of value: String) -> String {
        "CASE typeof(\(value)) WHEN 'null' THEN 0 WHEN 'blob' THEN length(\(value)) "
            + "WHEN 'text' THEN length(CAST(\(value) AS BLOB)) ELSE \(HistorySize.number) END"
    }
}
