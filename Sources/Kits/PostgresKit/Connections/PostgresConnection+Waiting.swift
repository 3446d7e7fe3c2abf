import CPostgres

extension PostgresConnection {
    /// What is done when nothing comes for so long while an answer is awaited.
    struct Silence {
        let interval: Duration
        /// Whether the wait, for the events of a poll, continues.
        let isServerAtWork: (PostgresConnection, Int16) -> Bool
    }

    /// How a wait for the server ended.
    enum ServerWait {
        case isReady
        /// The deadline passed, and the server did not react to a cancellation.
        case isLate
        /// Nothing came, and the server does nothing that it could come from.
        case isSilent
    }

    /// How long the server may take to end what was cancelled.
    private static let grace = Duration.seconds(2)

    /// Waits for the server; where the deadline passes, what it does is cancelled.
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

    /// Waits for the server, or closes the connection and throws the reason.
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

    /// Checks whether the server has closed the idle connection; does not wait.
    ///
    /// What is sent over such a connection would have to be taken for something that the server may have got.
    package func noticeLoss() {
        guard !isClosed else { return }
        // What it said before it closed, and then the end.
        for _ in 0..<8 {
            guard SocketWait.wait(PQsocket(handle), Int16(POLLIN), until: .now), PQconsumeInput(handle) == 1 else {
                return
            }
        }
    }

    /// Gives the run that begins its time.
    func beginDeadline() {
        if let statementTimeout { deadline = .now + statementTimeout }
    }

    var hasDeadlinePassed: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
}
