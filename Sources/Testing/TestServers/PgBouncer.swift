import Foundation
import TestBasics

/// PgBouncer in transaction pooling mode before a `PostgresServer`: each transaction of a client may use another server
/// connection.
public final class PgBouncer {
    private static let program = "/usr/sbin/pgbouncer"

    /// Whether PgBouncer is installed; if not, tests that need it are skipped.
    public static var isInstalled: Bool { access(program, X_OK) == 0 }

    /// The folder with its socket.
    public let host: String
    private let folder: TemporaryFolder
    private let process: ServerProcess

    /// Starts PgBouncer and waits until it listens.
    ///
    /// - Parameter connections: the maximum number of connections to the server.
    /// - Throws: `PostgresServer.Missing` with the end of its log if it does not start.
    public init(to server: PostgresServer, connections: Int = 3) throws {
        folder = try TemporaryFolder()
        guard chmod(folder.url.path, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        host = try PostgresServer.socketFolder()
        try PostgresServer.giveAway([host])
        let configuration = """
            [databases]
            postgres = host=\(server.host) user=coredata
            [pgbouncer]
            listen_addr =
            listen_port = 5432
            unix_socket_dir = \(host)
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(connections)
            max_client_conn = 100

            """
        let path = "\(folder.url.path)/pgbouncer"
        try configuration.write(toFile: "\(path).ini", atomically: false, encoding: .utf8)
        process = try ServerProcess(
            "\(Self.program) '\(path).ini'", log: "\(path).log", farewell: "rm -rf '\(host)'")
        let socket = "\(host)/.s.PGSQL.5432"
        for _ in 0..<600 where access(socket, F_OK) != 0 { usleep(50_000) }
        guard access(socket, F_OK) == 0 else {
            let log = (try? String(contentsOfFile: "\(path).log", encoding: .utf8)) ?? ""
            throw PostgresServer.Missing(description: "PgBouncer did not start: \(log.suffix(1_000))")
        }
    }

    /// Kills PgBouncer, which ends all connections.
    public func stop() { process.kill() }
}
