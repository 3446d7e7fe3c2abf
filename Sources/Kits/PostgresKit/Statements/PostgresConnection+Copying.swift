import CPostgres

extension PostgresConnection {
    /// Executes `COPY … TO STDOUT`, and calls `body` with each piece of the data.
    package func copyOut(_ sql: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try beginCopying(sql, PGRES_COPY_OUT)
        var failure: (any Error)?
        while true {
            var start: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &start, 1)
            if count == 0 {
                try waitForCopy(Int16(POLLIN), sql)
                continue
            }
            guard count > 0 else { break }
            defer { PQfreemem(start) }
            guard failure == nil else { continue }
            rowsReceived += 1
            do {
                try body(UnsafeRawBufferPointer(start: start, count: Int(count)))
            } catch {
                // The server would send the remaining rows anyway, so the copy is canceled.
                failure = error
                canceller.cancel()
            }
        }
        do throws(PostgresError) {
            _ = try endCopying(sql)
        } catch {
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    /// Executes `COPY … FROM STDIN` with the data that `body` passes to its argument; returns the number of rows. If
    /// `body` throws, nothing is copied.
    package func copyIn(_ sql: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws -> Int {
        try beginCopying(sql, PGRES_COPY_IN)
        do {
            try body { try self.put($0, sql) }
        } catch {
            try finishCopying("the program gave up", sql)
            _ = try? endCopying(sql)
            throw error
        }
        try finishCopying(nil, sql)
        return try endCopying(sql)
    }

    private func beginCopying(_ sql: String, _ expected: ExecStatusType) throws(PostgresError) {
        guard !isClosed else { throw PostgresError(.closed, "the connection is closed", attempt: "copy") }
        beginDeadline()
        guard PQsetnonblocking(handle, 1) == 0, PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else {
            throw Self.failure(handle, attempt: "run \"\(sql.prefix(500))\"")
        }
        roundTrips += 1
        guard let result = try nextResult(attempt: "run \"\(sql.prefix(500))\"") else {
            throw PostgresError(.protocolViolation, "the server does not answer", attempt: "run \"\(sql.prefix(500))\"")
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == expected else {
            let error = cause(
                of: PostgresError(
                    result, attempt: "run \"\(sql.prefix(500))\"", hasDeadlinePassed: hasDeadlinePassed))
            _ = try? endCopying(sql)
            throw error
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ sql: String) throws(PostgresError) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = min(rest.count, 1 << 16)
            let state = PQputCopyData(handle, start.assumingMemoryBound(to: CChar.self), Int32(count))
            guard state >= 0 else { throw Self.failure(handle, attempt: "copy") }
            guard state == 1 else {
                try waitForCopy(Int16(POLLIN | POLLOUT), sql)
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            // Data that has not been sent stays in memory, so it is flushed after each piece.
            while PQflush(handle) == 1 { try waitForCopy(Int16(POLLIN | POLLOUT), sql) }
        }
    }

    private func finishCopying(_ reason: String?, _ sql: String) throws(PostgresError) {
        while true {
            let state = PQputCopyEnd(handle, reason)
            if state == 1 { break }
            guard state == 0 else { throw Self.failure(handle, attempt: "copy") }
            try waitForCopy(Int16(POLLOUT), sql)
        }
    }

    /// Reads the results at the end of a copy; returns the number of rows.
    private func endCopying(_ sql: String) throws(PostgresError) -> Int {
        var rows = 0
        var failure: PostgresError?
        while let result = try nextResult(attempt: "run \"\(sql.prefix(500))\"") {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK: rows = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            case PGRES_COPY_IN, PGRES_COPY_OUT:
                // The server still expects or sends data, so the connection is unusable.
                close()
                throw PostgresError(.connection, "the connection broke", attempt: "copy")
            default:
                failure =
                    failure
                    ?? cause(
                        of: PostgresError(
                            result, attempt: "run \"\(sql.prefix(500))\"", hasDeadlinePassed: hasDeadlinePassed))
            }
        }
        if let failure {
            if failure.kind == .connection {
                loss = failure
                close()
            }
            throw failure
        }
        return rows
    }

    /// The next result outside of a pipeline; nil after the last one.
    func nextResult(attempt: @autoclosure () -> String) throws(PostgresError) -> OpaquePointer? {
        while true {
            let state = PQflush(handle)
            guard state >= 0 else { throw Self.failure(handle, attempt: attempt()) }
            if state == 0, PQisBusy(handle) == 0 { return PQgetResult(handle) }
            try requireServer(Int16(state == 1 ? POLLIN | POLLOUT : POLLIN), attempt: attempt())
            guard PQconsumeInput(handle) == 1 else { throw Self.failure(handle, attempt: attempt()) }
        }
    }

    private func waitForCopy(_ events: Int16, _ sql: String) throws(PostgresError) {
        try requireServer(events, attempt: "run \"\(sql.prefix(500))\"")
        guard PQconsumeInput(handle) == 1 else { throw Self.failure(handle, attempt: "copy") }
    }
}
