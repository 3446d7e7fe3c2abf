import CoreDataSQL
import SQLiteKit

/// Reads the history of a file for a copy, whichever version of Apple's framework created its tables.
///
/// Damaged records are skipped.
extension FileTableSource {
    func history() throws -> CopiedHistory? {
        try reading {
            let catalog = try historyCatalog()
            guard HistoryTables.areAmong(catalog.tables.filter { !$0.isVirtual }.map(\.name)) else { return nil }
            let sums = try connection.rows(
                "SELECT (SELECT count(*) FROM ATRANSACTION), (SELECT min(Z_PK) FROM ATRANSACTION), "
                    + "(SELECT count(*) FROM ACHANGE), (SELECT max(Z_PK) FROM ACHANGE)")
            let row = sums.first ?? []
            let newest = try HistoryKeys.greatest(.transaction, connection)
            let (count, oldest) = (row.first?.integer ?? 0, row.dropFirst().first?.integer)
            return CopiedHistory(
                count: Int(count), isPurged: oldest.map { $0 > 1 } ?? (newest > 0),
                keepsOldValues: OldValueTables.arePresent(in: try connection.catalog(columnsOf: OldValueTables.names)),
                state: (row.map { "\($0.integer ?? 0)" } + ["\(newest)"]).joined(separator: " "))
        }
    }

    private func historyCatalog() throws -> Catalog { try connection.catalog(columnsOf: HistoryTables.names) }

    func transactions(after number: Int64, limit: Int) throws -> [HistoryTransaction] {
        try reading {
            let statement = try connection.prepare(
                "SELECT \(SQLiteHistoryReader.headerColumns(try historyCatalog())) FROM ATRANSACTION t "
                    + "WHERE t.Z_PK > ? ORDER BY t.Z_PK LIMIT ?")
            try statement.bind([.integer(number), .integer(Int64(limit))])
            var transactions: [HistoryTransaction] = []
            while try statement.step() { transactions.append(SQLiteHistoryReader.header(statement)) }
            return transactions
        }
    }

    func readChanges(of numbers: ClosedRange<Int64>, _ body: (CopiedChange) throws -> Void) throws {
        try reading {
            let table = try historyCatalog().table("ACHANGE")
            let present = Set(table?.columns.filter { !$0.isGenerated }.map { $0.name.uppercased() } ?? [])
            guard present.isSuperset(of: ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]) else { return }
            let kept = (0..<present.count).map { "ZTOMBSTONE\($0)" }.prefix { present.contains($0) }
            let statement = try connection.prepare(
                "SELECT ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, "
                    + (["\(present.contains("ZCOLUMNS") ? "ZCOLUMNS" : "NULL")"] + kept).joined(separator: ", ")
                    + " FROM ACHANGE WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY ZTRANSACTIONID, Z_PK")
            try statement.bind([.integer(numbers.lowerBound), .integer(numbers.upperBound)])
            while try statement.step() {
                guard (0..<4).allSatisfy({ statement.columnType($0) == .integer }) else { continue }
                try body(
                    CopiedChange(
                        transaction: statement.int64(0), kind: statement.int64(1), entity: statement.int64(2),
                        key: statement.int64(3),
                        properties: statement.columnType(4) == .blob ? Array(statement.blobBytes(4)) : nil,
                        tombstone: kept.indices.map { DerivedCell(StoredValue(statement, 5 + $0)) }))
            }
        }
    }
}
