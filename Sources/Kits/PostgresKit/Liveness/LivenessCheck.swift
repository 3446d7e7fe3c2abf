import CPostgres

/// Determines whether a server is still working for a connection that receives nothing.
///
/// A network that has lost a request or an answer looks like a slow server. So after a period of silence a second connection
/// queries the server for the state of the process that serves the first one:
///
/// | found | then |
/// |---|---|
/// | it works, or waits for a lock or a disk | the wait continues |
/// | it waits for the client, is gone, or the host is unreachable | the connection has broken; the process is ended |
/// | the address leads to another server, of which the first may be a copy | the wait continues |
///
/// `Docs/Decisions/0017-silent-connections.md` explains why.
struct LivenessCheck: Sendable {
    /// The unique identity of the process that serves a connection.
    struct ServerProcess: Sendable {
        let number: Int64
        let start: String
        let serverStart: String
        let isStandby: Bool
    }

    /// How long a process that seems to wait for the client may have an answer on its way.
    private static let grace = Duration.seconds(1)

    private let interval: Duration
    private let timeout: Duration
    private let parameters: ConnectionParameters
    /// Nil where a pooler stands between.
    private let process: ServerProcess?

    /// - Parameter identifies: whether the server's process is the connection's own.
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

    /// Whether the wait is to go on.
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
            // Its answer may have been on its way.
            if SocketWait.wait(PQsocket(connection.handle), events, until: .now + min(interval, Self.grace)) {
                return true
            }
            guard try find(process, second) == .waitsForClient else { return true }
            // What it has locked would have the next attempt wait.
            _ = try second.query("SELECT pg_terminate_backend(\(process.number))")
            return false
        } catch {
            // A server that answers with an error, but for one that is starting, is there: it may have too many connections.
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
            // Copies may be asked in turns behind one address; of a primary there is but one.
            return process.isStandby || result.int64(0, 1) == 1 ? .works : .isGone
        }
        guard !result.isNull(0, 2) else { return .isGone }
        return result.text(0, 3) == "Client" ? .waitsForClient : .works
    }
}

extension PostgresConnection {
    /// Has the server be asked, whenever nothing comes for so long while an answer is awaited, whether it still works for the
    /// connection; `isLost` is what it is then if not.
    ///
    /// - Parameter identifies: whether the server's process is the connection's own, and not a pooler's.
    package func checkLiveness(
        after interval: Duration, of parameters: ConnectionParameters, timeout: Duration, identifies: Bool
    ) throws(PostgresError) {
        deadline = .now + timeout
        defer { deadline = nil }
        let check = try LivenessCheck(self, parameters, after: interval, timeout: timeout, identifies: identifies)
        silence = Silence(interval: interval, isServerAtWork: check.isServerAtWork)
    }
}
