import CPostgres

/// Determines whether a server is still working for a connection that receives nothing.
///
/// A network that has lost a request or an answer looks like a slow server. So after a period of silence a second
/// connection queries the server for the state of the process that serves the first one:
///
/// | state of the process | consequence |
/// |---|---|
/// | it works, or waits for a lock or a disk | continue waiting |
/// | it waits for the client, has ended, or the host is unreachable | the connection is broken; end the process |
/// | the address leads to another server, and either may be a standby | continue waiting |
///
/// `Docs/Decisions/0017-silent-connections.md` explains why.
struct LivenessCheck: Sendable {
    /// Identifies the process that serves a connection.
    struct ServerProcess: Sendable {
        let number: Int64
        let start: String
        let serverStart: String
        let isStandby: Bool
    }

    /// How long to wait for an answer in transit from a process that seems to wait for the client.
    private static let grace = Duration.seconds(1)

    private let interval: Duration
    private let timeout: Duration
    private let parameters: ConnectionParameters
    /// The process that serves the connection; nil for a connection through a pooler.
    private let process: ServerProcess?

    /// - Parameter identifies: whether the server process belongs to the connection, and not to a pooler.
    init(
        _ connection: PostgresConnection, _ parameters: ConnectionParameters, after interval: Duration,
        timeout: Duration, identifies: Bool
    ) throws(PostgresError) {
        self.interval = interval
        self.timeout = timeout
        var parameters = parameters
        parameters.set("target_session_attrs", "any")
        for (keyword, value) in [
            ("host", PQhost(connection.handle)), ("port", PQport(connection.handle)),
            ("hostaddr", parameters["hostaddr"] == nil ? nil : PQhostaddr(connection.handle)),
        ] {
            if let value, value.pointee != 0 { parameters.set(keyword, String(cString: value)) }
        }
        self.parameters = parameters
        guard identifies else {
            process = nil
            return
        }
        let result = try connection.query(
            "SELECT a.pid, extract(epoch FROM a.backend_start)::text, "
                + "extract(epoch FROM pg_postmaster_start_time())::text, pg_is_in_recovery() "
                + "FROM pg_catalog.pg_stat_activity a WHERE a.pid = pg_backend_pid()")
        process = ServerProcess(
            number: result.int64(0, 0) ?? 0, start: result.text(0, 1) ?? "", serverStart: result.text(0, 2) ?? "",
            isStandby: result.int64(0, 3) == 1)
    }

    private enum Finding {
        case works
        case waitsForClient
        case isGone
    }

    /// Returns whether to continue waiting.
    func isServerAtWork(_ connection: PostgresConnection, _ events: Int16) -> Bool {
        do throws(PostgresError) {
            let second = try PostgresConnection.open(parameters, timeout: timeout)
            defer { second.close() }
            second.deadline = .now + timeout
            guard let process else {
                _ = try second.query("SELECT 1")
                return true
            }
            guard try find(process, second) == .waitsForClient else {
                return try find(process, second) == .works
            }
            // An answer may have been in transit.
            if SocketWait.wait(PQsocket(connection.handle), events, until: .now + min(interval, Self.grace)) {
                return true
            }
            guard try find(process, second) == .waitsForClient else { return true }
            // Otherwise the locks of the process would block the next attempt.
            _ = try second.query("SELECT pg_terminate_backend(\(process.number))")
            return false
        } catch {
            // A server that answers with an error is running, unless it is starting up: it may have too many
            // connections.
            return error.sqlState.map { !$0.hasPrefix("57P") } ?? (error.kind == .server)
        }
    }

    private func find(_ process: ServerProcess, _ second: PostgresConnection) throws(PostgresError) -> Finding {
        let result = try second.query(
            "SELECT extract(epoch FROM pg_postmaster_start_time())::text, pg_is_in_recovery(), a.pid, "
                + "coalesce(a.wait_event_type, '') FROM (SELECT) s LEFT JOIN pg_catalog.pg_stat_activity a "
                + "ON a.pid = $1::int8 AND extract(epoch FROM a.backend_start)::text = $2::text",
            [.integer(process.number), .text(process.start)])
        guard result.text(0, 0) == process.serverStart else {
            // Several standbys may share one address, but a primary is unique.
            return process.isStandby || result.int64(0, 1) == 1 ? .works : .isGone
        }
        guard !result.isNull(0, 2) else { return .isGone }
        return result.text(0, 3) == "Client" ? .waitsForClient : .works
    }
}

extension PostgresConnection {
    /// Starts checking, whenever no data arrives for `interval` while an answer is expected, whether the server still
    /// works for the connection; if it does not, `loss` is set and the connection is closed.
    ///
    /// - Parameter identifies: whether the server process belongs to the connection, and not to a pooler.
    package func checkLiveness(
        after interval: Duration, of parameters: ConnectionParameters, timeout: Duration, identifies: Bool
    ) throws(PostgresError) {
        deadline = .now + timeout
        defer { deadline = nil }
        let check = try LivenessCheck(self, parameters, after: interval, timeout: timeout, identifies: identifies)
        silence = Silence(interval: interval, isServerAtWork: check.isServerAtWork)
    }
}
