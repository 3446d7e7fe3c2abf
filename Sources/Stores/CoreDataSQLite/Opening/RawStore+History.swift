import SQLiteKit

extension RawStore {
    /// Returns the number of transactions of the history, and numbers and times of the first and the last.
    ///
    /// Times are seconds since the beginning of 2001 in UTC; nil if the stored time is not a number.
    package func transactionSpan() throws -> (
        count: Int, first: (number: Int64, time: Double?)?, last: (number: Int64, time: Double?)?
    ) {
        let hasTimes = columns(of: "ATRANSACTION").contains { $0.uppercased() == "ZTIMESTAMP" }
        let time = hasTimes ? "CASE WHEN typeof(ZTIMESTAMP) IN ('real', 'integer') THEN ZTIMESTAMP + 0.0 END" : "NULL"
        func end(_ order: String) throws -> (number: Int64, time: Double?)? {
            let rows = try connection.rows("SELECT Z_PK, \(time) FROM ATRANSACTION ORDER BY Z_PK \(order) LIMIT 1")
            guard let row = rows.first, let number = row[0].integer else { return nil }
            guard case .real(let time) = row[1] else { return (number, nil) }
            return (number, time)
        }
        return try reading {
            let count = try connection.value("SELECT count(*) FROM ATRANSACTION")?.integer ?? 0
            return (Int(count), try end("ASC"), try end("DESC"))
        }
    }
}
