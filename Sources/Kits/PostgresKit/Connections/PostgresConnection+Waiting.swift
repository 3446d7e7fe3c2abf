import CPostgres

extension PostgresConnection {
    /// What to do when no data arrives for a time while an answer is expected.
    struct Silence {
        let interval: Duration
        /// Returns whether to continue waiting; the argument is the events of `poll` that are awaited.
        let isServerAtWork: (PostgresConnection, Int16) -> Bool
    }

    /// How a wait for the server ended.
    enum ServerWait {
        case isReady
        /// The deadline passed, and the server did not react to the cancel request.
        case isLate
        /// No data arrived, and the server is not working on an answer.
        case isSilent
    }

    /// How long to wait after the cancel request for the server to end the statement.
    private static let grace = Duration.seconds(2)

    /// Waits until the server sends or accepts data; cancels the running statement if the deadline passes.
    func waitForServer(_ events: Int16) -> ServerWait {
        while true {
            let check = silence.map { ContinuousClock.now + $0.interval }
            let end = [deadline, check].compactMap { $0 }.min()
            if SocketWait.wait(PQsocket(handle), events, until: end) { return .isReady }
            if hasDeadlinePassed { break }
            guard silence?.isServerAtWork(self, events) != false else { return .isSilent }
        }
        canceller.cancel()
        return SocketWait.wait(PQsocket(handle), events, until: .now + Self.grace) ? .isReady : .isLate
    }

    /// Waits for the server; if that fails, closes the connection and throws the reason.
    func requireServer(_ events: Int16, attempt: @autoclosure () -> String) throws(PostgresError) {
        let error: PostgresError
        switch waitForServer(events) {
        case .isReady: return
        case .isLate: error = PostgresError(.timedOut, "the server did not answer in time", attempt: attempt())
        case .isSilent:
            error = PostgresError(
                .connection, "nothing came from the server, which does not work on it", attempt: attempt())
        }
        loss = error
        close()
        throw error
    }

    /// Notices whether the server has closed the idle connection; does not wait.
    ///
    /// Otherwise only the next statement would fail, and it would be unknown whether the server has executed it.
    package func noticeLoss() {
        guard !isClosed else { return }
        // Reads the server's last message, if there is one, and then the end of the stream.
        for _ in 0..<8 {
            guard SocketWait.wait(PQsocket(handle), Int16(POLLIN), until: .now), PQconsumeInput(handle) == 1 else {
                return
            }
        }
    }

    /// Sets the deadline of a run of statements that begins.
    func beginDeadline() {
        if let statementTimeout { deadline = .now + statementTimeout }
    }

    var hasDeadlinePassed: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
}
