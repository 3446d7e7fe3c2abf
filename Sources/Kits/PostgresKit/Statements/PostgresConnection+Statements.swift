import CPostgres

extension PostgresConnection {
    /// Executes one statement; results are in the binary format.
    package func query(
        _ sql: String, _ parameters: [PostgresParameter] = []
    ) throws(PostgresError) -> PostgresResult {
        do throws(PostgresError) {
            return try pipeline([PostgresStatement(sql, parameters)])[0]
        } catch {
            var single = error
            single.statementIndex = nil
            throw single
        }
    }

    /// Executes statements in one round trip; outside of a transaction they form one, unless they contain BEGIN or
    /// COMMIT.
    ///
    /// If a statement fails, later ones are not executed, the error has its index, and the connection stays usable.
    package func pipeline(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresResult] {
        guard PostgresWatch.isOn else { return try run(statements) }
        let (start, former) = (cpostgres_monotonic_time(), rowsReceived)
        var failure: PostgresError?
        defer {
            PostgresWatch.report(
                PostgresExecution(
                    statements: statements.map(\.sql), store: watchedName, server: address, start: start,
                    end: cpostgres_monotonic_time(),
                    rows: rowsReceived - former, failure: failure.map { $0.sqlState ?? "\($0.kind)" }))
        }
        do throws(PostgresError) { return try run(statements) } catch {
            failure = error
            throw error
        }
    }

    private func run(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresResult] {
        guard !isClosed else { throw PostgresError(.closed, "the connection is closed", attempt: "run a statement") }
        guard !statements.isEmpty else { return [] }
        beginDeadline()
        guard transactionStatus == .idle, opening != nil || condition != nil else {
            var run = PipelineRun(self, statements)
            return try run.results()
        }
        isConditionUnmet = false
        let opened = OpenedStatements(statements, opening: opening, condition: condition)
        var run = PipelineRun(self, opened.all)
        do throws(PostgresError) {
            return opened.own(try run.results())
        } catch {
            guard let index = error.statementIndex else { throw error }
            var own = error
            isConditionUnmet = opened.isOfCondition(index)
            own.isOfOpening = index == opened.openingPlace
            own.statementIndex = opened.own(index)
            throw own
        }
    }
}

/// Statements at the beginning of a transaction, with `condition` and `opening` inserted.
private struct OpenedStatements {
    private(set) var all: [PostgresStatement]
    /// The number of statements inserted before the first given one for the condition.
    private let front: Int
    private(set) var openingPlace: Int?

    init(_ statements: [PostgresStatement], opening: PostgresStatement?, condition: PostgresStatement?) {
        let begins = statements[0].sql.hasPrefix("BEGIN")
        all = []
        if let condition {
            // Within the transaction, the condition would take the transaction's snapshot too early.
            all = begins ? [PostgresStatement("BEGIN"), condition, PostgresStatement("COMMIT")] : [condition]
        }
        front = all.count
        all += statements
        guard let opening else { return }
        // After BEGIN, or before statements that form an implicit transaction.
        let place = front + (begins ? 1 : 0)
        all.insert(opening, at: place)
        openingPlace = place
    }

    func isOfCondition(_ index: Int) -> Bool { index < front }

    /// The index of a statement among the given ones.
    func own(_ index: Int) -> Int { max(0, index - front - (openingPlace.map { index > $0 } == true ? 1 : 0)) }

    func own(_ results: [PostgresResult]) -> [PostgresResult] {
        var results = results
        if let openingPlace { results.remove(at: openingPlace) }
        return Array(results.dropFirst(front))
    }
}

/// One execution of a pipeline; the results arrive in the order in which the statements were sent.
private struct PipelineRun {
    private enum Sent {
        case preparation(name: String, sql: String)
        case statement(Int)
        case deallocation
    }

    private let connection: PostgresConnection
    private let statements: [PostgresStatement]
    private var sent: [Sent] = []
    private var found: [PostgresResult] = []
    private var failure: PostgresError?

    private var handle: OpaquePointer { connection.handle }

    init(_ connection: PostgresConnection, _ statements: [PostgresStatement]) {
        self.connection = connection
        self.statements = statements
        found.reserveCapacity(statements.count)
    }

    mutating func results() throws(PostgresError) -> [PostgresResult] {
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw PostgresConnection.failure(handle, attempt: "run a statement")
        }
        do throws(PostgresError) {
            try send()
            connection.roundTrips += 1
            try receive()
        } catch {
            // Remaining results would be mistaken for those of the next statements.
            connection.loss = error
            connection.close()
            throw error
        }
        guard PQexitPipelineMode(handle) == 1 else {
            let error = PostgresConnection.failure(handle, attempt: "end a pipeline")
            connection.loss = error
            connection.close()
            throw error
        }
        guard let failure else { return found }
        if failure.sqlState == "25006", connection.closesWhenReadOnly {
            connection.loss = failure
            connection.close()
        }
        throw failure
    }

    // MARK: Sending

    private mutating func send() throws(PostgresError) {
        for (number, statement) in statements.enumerated() { try send(statement, number) }
        guard PQpipelineSync(handle) == 1 else { throw broken(statements.count - 1) }
    }

    private mutating func send(_ statement: PostgresStatement, _ number: Int) throws(PostgresError) {
        var name = connection.usesPreparedStatements ? connection.prepared.name(of: statement.sql) : nil
        let isBeingPrepared = sent.contains {
            if case .preparation(_, statement.sql) = $0 { true } else { false }
        }
        if name == nil, connection.usesPreparedStatements, !isBeingPrepared,
            let made = connection.prepared.nameForPreparing(statement.sql)
        {
            var types = statement.parameters.map(\.oid)
            guard PQsendPrepare(handle, made, statement.sql, Int32(types.count), &types) == 1 else {
                throw broken(number)
            }
            sent.append(.preparation(name: made, sql: statement.sql))
            name = made
        }
        let isSent = statement.parameters.withWireForm { types, values, lengths, formats in
            let count = Int32(statement.parameters.count)
            guard let name else {
                return PQsendQueryParams(handle, statement.sql, count, types, values, lengths, formats, 1)
            }
            return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw broken(number) }
        sent.append(.statement(number))
    }

    private func broken(_ number: Int) -> PostgresError {
        PostgresConnection.failure(handle, attempt: attempt(number))
    }

    private func attempt(_ number: Int) -> String { "run \"\(statements[max(0, number)].sql.prefix(500))\"" }

    // MARK: Receiving

    private mutating func receive() throws(PostgresError) {
        var place = 0
        while true {
            guard let result = try next(place) else {
                // Nil ends the results of one statement.
                place += 1
                continue
            }
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
                PQclear(result)
                break
            }
            guard place < sent.count else {
                PQclear(result)
                throw PostgresError(
                    .protocolViolation, "the server answers more than it was asked",
                    attempt: attempt(statements.count - 1))
            }
            try take(PostgresResult(result), place)
        }
        try releaseForgotten()
    }

    /// Waits for the next result; nil after the results of each statement.
    private func next(_ place: Int) throws(PostgresError) -> OpaquePointer? {
        let number = self.number(at: place)
        while true {
            let state = PQflush(handle)
            guard state >= 0 else { throw broken(number) }
            if state == 0, PQisBusy(handle) == 0 { break }
            let events = Int16(state == 1 ? POLLIN | POLLOUT : POLLIN)
            try connection.requireServer(events, attempt: attempt(number))
            guard PQconsumeInput(handle) == 1 else { throw broken(number) }
        }
        let result = PQgetResult(handle)
        guard result != nil || PQstatus(handle) != CONNECTION_BAD else { throw broken(number) }
        return result
    }

    private func number(at place: Int) -> Int {
        for item in sent.dropFirst(place) { if case .statement(let number) = item { return number } }
        return statements.count - 1
    }

    private var forgotten: [String] = []

    private mutating func take(_ result: PostgresResult, _ place: Int) throws(PostgresError) {
        let status = PQresultStatus(result.handle)
        switch sent[place] {
        case .preparation(let name, let sql):
            guard status == PGRES_COMMAND_OK else { return try note(result, place: place, status: status) }
            if let old = connection.prepared.note(name, sql) { forgotten.append(old) }
        case .statement:
            guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY else {
                return try note(result, place: place, status: status)
            }
            connection.rowsReceived += result.rowCount
            found.append(result)
        case .deallocation: break
        }
    }

    /// Records the first error; later statements of the pipeline are only reported as aborted.
    ///
    /// - Throws: if the connection failed, since the outcome of later statements is then unknown.
    private mutating func note(
        _ result: PostgresResult, place: Int, status: ExecStatusType
    ) throws(PostgresError) {
        guard status != PGRES_PIPELINE_ABORTED, failure == nil else { return }
        let number = number(at: place)
        guard status == PGRES_FATAL_ERROR else {
            failure = PostgresError(
                .misuse, "the statement copies, which only copying does", attempt: attempt(number))
            return
        }
        var error = connection.cause(
            of: PostgresError(
                result.handle, attempt: attempt(number), hasDeadlinePassed: connection.hasDeadlinePassed))
        guard error.kind != .connection else { throw error }
        error.statementIndex = number
        failure = error
        // The statement's plan is outdated because a table changed, or a pooler's other server has not prepared it.
        if error.sqlState == "0A000" || error.sqlState == "26000" { connection.prepared.forget(statements[number].sql) }
    }

    /// Deallocates prepared statements that were removed in favor of others.
    private mutating func releaseForgotten() throws(PostgresError) {
        guard !forgotten.isEmpty else { return }
        let names = forgotten
        forgotten = []
        guard failure == nil, connection.transactionStatus == .idle else { return }
        for name in names {
            guard PQsendQueryParams(handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1) == 1 else { return }
            sent.append(.deallocation)
        }
        guard PQpipelineSync(handle) == 1 else { return }
        var place = sent.count - names.count
        while true {
            guard let result = try next(place) else {
                place += 1
                continue
            }
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return }
        }
    }
}
