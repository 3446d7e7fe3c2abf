import CoreDataSQL
import PostgresKit

extension PostgresStore: HistoryKeeping {
    package var history: (any HistoryKeeping)? { recordedHistory == nil ? nil : self }

    package func historyExtent() throws -> HistoryExtent {
        guard let schema = recordedHistory?.schema else { return HistoryExtent(oldest: nil, newest: 0) }
        return try asking {
            let result = try session.query(
                "SELECT h.p, (SELECT min(Z_PK) FROM \(schema.transactions) WHERE Z_PK < h.v), "
                    + "(SELECT max(Z_PK) FROM \(schema.transactions) WHERE Z_PK < h.v) "
                    + "FROM (SELECT ZPURGED AS p, \(HistorySchema.horizon) AS v FROM \(schema.state)) h")
            let purged = result.rowCount == 1 ? result.int64(0, 0) ?? 0 : 0
            let oldest = result.rowCount == 1 ? result.int64(0, 1) : nil
            let newest = result.rowCount == 1 ? result.int64(0, 2) : nil
            return HistoryExtent(oldest: oldest, newest: max(purged, newest ?? 0), purged: purged)
        }
    }

    package func readHistory(
        _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
        change: (HistoryChange) throws -> Void
    ) throws {
        guard let recordedHistory else { return }
        var hasReported = false
        try asking(mayRepeat: !hasReported) {
            try session.readingOneState {
                var reader = PostgresHistoryReader(session, history: recordedHistory, query: query)
                try reader.read(
                    transaction: {
                        hasReported = true
                        return try transaction($0)
                    }, change: change)
            }
        }
    }

    /// Queries the history; if the connection breaks before a result was passed on, repeats the query on another
    /// connection.
    private func asking<Result>(mayRepeat: @autoclosure () -> Bool = true, _ body: () throws -> Result) throws -> Result
    {
        try session.answering(mayRepeat: mayRepeat()) {
            let result = try session.reporting("be asked for its history", body)
            requireOfReplicas()
            return result
        }
    }

    package func readHistorySizes(
        of numbers: ClosedRange<Int64>, _ order: HistoryOrder, _ body: (Int64, Int64) throws -> Bool
    ) throws {
        guard let recordedHistory else { return }
        var hasReported = false
        try asking(mayRepeat: !hasReported) {
            try session.readingOneState {
                try HistorySizes(session, recordedHistory).read(numbers, order: order) {
                    hasReported = true
                    return try body($0, $1)
                }
            }
        }
    }

    package func start(ofNewest count: Int, _ extent: HistoryExtent) throws -> Int64 {
        guard let schema = recordedHistory?.schema, count > 0 else { return extent.newest + 1 }
        return try asking {
            let result = try session.query(
                "SELECT Z_PK FROM \(schema.transactions) WHERE Z_PK <= $1::int8 ORDER BY Z_PK DESC "
                    + "OFFSET $2::int8 LIMIT 1", [.integer(extent.newest), .integer(Int64(count - 1))])
            return result.int64(0, 0) ?? extent.oldest ?? extent.newest + 1
        }
    }

    package func deleteHistory(_ numbers: [Int64]) throws -> Int {
        guard let schema = recordedHistory?.schema else { return 0 }
        try requireWritableHistory()
        return try session.answering {
            try session.reporting("delete history") {
                let results = try session.connection.pipeline([
                    PostgresStatement("BEGIN"),
                    PostgresStatement(
                        "DELETE FROM \(schema.changes) WHERE ZTRANSACTIONID = ANY($1)", [.integers(numbers)]),
                    PostgresStatement("DELETE FROM \(schema.transactions) WHERE Z_PK = ANY($1)", [.integers(numbers)]),
                    PostgresStatement("COMMIT"),
                ])
                return results[2].affectedRows
            }
        }
    }

    private func requireWritableHistory() throws {
        guard isReadOnly else { return }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store '\(shape.location.publicURL.absoluteString)' is read-only, so its history cannot be deleted.")
    }

    package func purgeHistory(before bound: HistoryBound) throws -> Int {
        guard let schema = recordedHistory?.schema else { return 0 }
        try requireWritableHistory()
        return try session.answering {
            try session.reporting("delete history") { try purge(before: bound, schema) }
        }
    }

    private func purge(before bound: HistoryBound, _ schema: HistorySchema) throws -> Int {
        let newest = try historyExtent().newest
        let last = min(try lastTransaction(before: bound, newest: newest, schema), newest)
        let results = try session.connection.pipeline([
            PostgresStatement("BEGIN"),
            PostgresStatement(
                "UPDATE \(schema.state) SET ZPURGED = greatest(ZPURGED, "
                    + "(SELECT max(Z_PK) FROM \(schema.transactions) WHERE Z_PK <= $1::int8))", [.integer(last)]),
            PostgresStatement("DELETE FROM \(schema.changes) WHERE ZTRANSACTIONID <= $1::int8", [.integer(last)]),
            PostgresStatement("DELETE FROM \(schema.transactions) WHERE Z_PK <= $1::int8", [.integer(last)]),
            PostgresStatement("COMMIT"),
        ])
        return results[3].affectedRows
    }

    /// Returns the last transaction of the history's beginning that precedes the bound completely, even if the clock
    /// was set back.
    private func lastTransaction(before bound: HistoryBound, newest: Int64, _ schema: HistorySchema) throws -> Int64 {
        switch bound {
        case .number(let number): return number.subtractingReportingOverflow(1).partialValue
        case .time(let time):
            let kept = try session.query(
                "SELECT min(Z_PK) FROM \(schema.transactions) WHERE ZTIMESTAMP >= $1::float8", [.real(time)])
            return kept.int64(0, 0).map { $0 - 1 } ?? newest
        }
    }

    /// Returns a sentence about the transaction that has delayed the history for that many seconds; nil if there is
    /// none.
    func historyHolder(olderThan seconds: Double) throws -> String? {
        guard let schema = recordedHistory?.schema else { return nil }
        let result = try session.query(schema.holder)
        guard result.rowCount == 1, let pid = result.int64(0, 0), let age = result.double(0, 3), age >= seconds else {
            return nil
        }
        let (database, program) = (result.text(0, 1) ?? "", result.text(0, 2) ?? "")
        return "Transactions wait to be told of in the history for one of the server's process \(pid) (database "
            + "'\(PrintableText.line(database))', program '\(PrintableText.line(program))') that has been open for \(Int(min(age, 1e9))) s: "
            + "end it there."
    }
}
