import CPostgres

/// The parameters and columns of a statement, as the server describes them.
package struct StatementDescription: Sendable {
    package struct Column: Sendable {
        package let name: String
        package let oid: UInt32
        /// The table's OID and the column's number, if the column is read from a table.
        package let origin: (table: UInt32, column: Int32)?
    }

    package let parameterCount: Int
    package let columns: [Column]

    init(_ result: OpaquePointer) {
        parameterCount = Int(PQnparams(result))
        columns = (0..<PQnfields(result)).map { column in
            let table = PQftable(result, column)
            return Column(
                name: PQfname(result, column).map { String(cString: $0) } ?? "", oid: PQftype(result, column),
                origin: table == 0 ? nil : (table, PQftablecol(result, column)))
        }
    }
}

extension PostgresConnection {
    /// Makes the server parse and describe one statement, without executing it.
    ///
    /// - Throws: the server's error; a text with several statements is an error too.
    package func describe(_ sql: String) throws(PostgresError) -> StatementDescription {
        guard !isClosed else { throw PostgresError(.closed, "the connection is closed", attempt: "read a statement") }
        beginDeadline()
        guard PQsetnonblocking(handle, 1) == 0, PQsendPrepare(handle, "", sql, 0, nil) == 1 else {
            throw Self.failure(handle, attempt: "read a statement")
        }
        _ = try answer { _ in true }
        guard PQsendDescribePrepared(handle, "") == 1 else {
            throw Self.failure(handle, attempt: "read a statement")
        }
        guard let description = try answer({ StatementDescription($0) }) else {
            throw PostgresError(.protocolViolation, "the server does not answer", attempt: "read a statement")
        }
        return description
    }

    /// Reads all results and returns what `body` makes of the last one.
    private func answer<Answer>(_ body: (OpaquePointer) -> Answer) throws(PostgresError) -> Answer? {
        roundTrips += 1
        var answer: Answer?
        var failure: PostgresError?
        while let result = try nextResult(attempt: "read a statement") {
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_COMMAND_OK {
                answer = body(result)
            } else if failure == nil {
                failure = cause(
                    of: PostgresError(result, attempt: "read a statement", hasDeadlinePassed: hasDeadlinePassed))
            }
        }
        if let failure { throw failure }
        return answer
    }
}
