import Foundation
import LockKit
import TestBasics

/// A PostgreSQL server for tests: in a temporary folder, reached through a Unix socket, ended with the process.
///
/// It uses the installed programs. PostgreSQL refuses to run as root, so if the tests do, it runs as the user `nobody`.
public final class PostgresServer: @unchecked Sendable {
    /// Why there is no server to test with.
    public struct Missing: Error, CustomStringConvertible {
        /// What is missing, and what to do.
        public let description: String
    }

    /// The server that the tests of one process share, started on first access.
    public static let shared: Result<PostgresServer, any Error> = Result { try PostgresServer() }

    /// Whether PostgreSQL is installed; if not, tests that need a server are skipped.
    public static var isAvailable: Bool { (try? programs()) != nil }

    private let folder: TemporaryFolder
    private let settings: [String: String]
    /// The port in the name of the server's socket, and for TCP if the server listens on it.
    private var port: String { settings["port"] ?? "5432" }
    /// The data directory, owned by the user as whom the server runs.
    package let data: String
    /// The folder with the server's socket; its path is short, since a socket path can have only 107 bytes.
    public let host: String
    package let programs: String
    private var process: Process?
    /// A pipe whose closing ends the server.
    private var lifeline: Pipe?
    private let schemas = Locked(0)

    /// Creates an empty database cluster and starts a server for it.
    ///
    /// - Parameter settings: settings of the server, in addition to those of all test servers.
    /// - Throws: `Missing` without the system's package, else what a program said that failed.
    public convenience init(settings: [String: String] = [:]) throws {
        try self.init(settings: settings) { try $0.makeEmptyCluster() }
    }

    /// Creates a database cluster whose superuser `coredata` needs no password.
    package func makeEmptyCluster() throws {
        try run(
            "\(programs)/initdb --pgdata='\(data)' --username=coredata --auth=trust --encoding=UTF8 --no-locale --no-sync "
                + ">/dev/null")
    }

    /// Creates and starts a replica of a server with asynchronous replication.
    ///
    /// `settings` are those of the replica's configuration.
    /// - Throws: what a program said that failed.
    public convenience init(replicaOf primary: PostgresServer, settings: [String: String] = [:]) throws {
        try self.init(settings: settings) { replica in
            try replica.run(
                "\(replica.programs)/pg_basebackup --pgdata='\(replica.data)' --host='\(primary.host)' --username=coredata "
                    + "--checkpoint=fast --no-sync --write-recovery-conf >/dev/null")
        }
    }

    /// Starts a server for a cluster that `makeCluster` creates in the empty folder `data`.
    package init(settings: [String: String], _ makeCluster: (PostgresServer) throws -> Void) throws {
        self.settings = settings
        programs = try Self.programs()
        folder = try TemporaryFolder()
        guard chmod(folder.url.path, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        host = try Self.socketFolder()
        data = folder.url.appendingPathComponent("data").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        guard chmod(data, 0o700) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        try Self.giveAway([data, host])
        try makeCluster(self)
        try start()
    }

    deinit { stop() }

    /// Starts the server, and waits until it takes connections.
    public func start() throws {
        if access(host, F_OK) != 0 { try makeSocketFolder() }
        let (process, lifeline) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let server =
            "\(programs)/postgres -D '\(folder.url.path)/data' -k '\(host)' -c listen_addresses='' "
            + "-c fsync=off -c full_page_writes=off -c max_connections=200 "
            + "-c shared_buffers=64MB -c log_min_messages=fatal"
            + settings.sorted { $0.key < $1.key }.map { " -c \($0.key)='\($0.value)'" }.joined()
        // `read` ends when this process ends in any way; SIGQUIT then stops the server at once.
        process.arguments = [
            "-c",
            "\(Self.asUser(server)) </dev/null >/dev/null 2>>'\(folder.url.path)/log' & pid=$!; "
                + "read line; kill -QUIT $pid; n=0; "
                // Signals may be blocked here, so that the shell would wait for ever for the end of a child.
                + "while [ -e '\(host)/.s.PGSQL.\(port).lock' ] && [ $n -lt 100 ]; do sleep 0.05; n=$((n + 1)); done; "
                + "rm -rf '\(host)'",
        ]
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        guard fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        try process.run()
        try? lifeline.fileHandleForReading.close()
        (self.process, self.lifeline) = (process, lifeline)
        let isReady =
            "\(programs)/pg_isready --quiet --host='\(host)' --port=\(port) --username=coredata "
            + "--dbname=postgres"
        for _ in 0..<600 {
            if (try? run(isReady)) != nil { return }
            // If the server cannot start, only its log says so: its shell still runs. An early client logs FATAL too.
            let isOnItsWay = ["starting up", "not yet accepting", "shutting down"].contains { log.contains($0) }
            guard process.isRunning, !log.contains("FATAL") || isOnItsWay else { break }
            usleep(50_000)
        }
        throw Missing(description: "the server did not start: \(log.suffix(1_000))")
    }

    private func makeSocketFolder() throws {
        guard mkdir(host, 0o700) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        try Self.giveAway([host])
    }

    /// Changes the owner of folders to the user as whom the server runs; does nothing unless the tests run as root.
    package static func giveAway(_ paths: [String]) throws {
        guard getuid() == 0 else { return }
        guard let nobody = getpwnam("nobody"),
            paths.allSatisfy({ chown($0, nobody.pointee.pw_uid, nobody.pointee.pw_gid) == 0 })
        else { throw Missing(description: "there is no user 'nobody' to run a server as") }
    }

    private var log: String { (try? String(contentsOfFile: folder.url.path + "/log", encoding: .utf8)) ?? "" }

    static func socketFolder() throws -> String {
        let shared = FileManager.default.temporaryDirectory.path
        // The path of a socket has room for 107 bytes; the name of a longer temporary folder would leave too few.
        let template = shared.utf8.count < 70 ? "\(shared)/pgXXXXXX" : "/tmp/pgXXXXXX"
        var path = Array(template.utf8CString)
        guard mkdtemp(&path) != nil else { throw CocoaError(.fileWriteNoPermission) }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Stops the server at once (SIGQUIT): connections break, and committed data stay.
    public func stop() {
        try? lifeline?.fileHandleForWriting.close()
        lifeline = nil
        process?.waitUntilExit()
        process = nil
    }

    /// Runs a statement as the server's superuser, with the system's `psql`.
    public func execute(_ sql: String) throws {
        let quoted = sql.replacingOccurrences(of: "'", with: "'\\''")
        try run(
            "\(programs)/psql --quiet --no-psqlrc --host='\(host)' --username=coredata --dbname=postgres "
                + "--set=ON_ERROR_STOP=1 --command='\(quoted)'")
    }

    /// Returns the URL of a store in a schema with a new name.
    public func makeURL(_ name: String = "store") -> URL {
        let number = schemas.withLock { number in
            number += 1
            return number
        }
        return url(schema: "\(name.lowercased())_\(number)")
    }

    /// The URL of a store in a schema, with the sockets of several servers in this order.
    public static func url(schema: String, on servers: [PostgresServer]) -> URL {
        let hosts = servers.map(\.host).joined(separator: ",")
        return URL(string: "postgresql://coredata@/postgres?host=\(hosts)&schema=\(schema)")
            ?? URL(fileURLWithPath: "/")
    }

    /// The URL of a store in a schema.
    public func url(schema: String) -> URL { url(schema: schema, through: host) }

    /// The URL of a store in a schema, reached through a socket in another folder.
    func url(schema: String, through host: String) -> URL {
        var components = URLComponents()
        components.scheme = "postgresql"
        components.user = "coredata"
        components.host = ""
        components.path = "/postgres"
        components.queryItems = [URLQueryItem(name: "host", value: host), URLQueryItem(name: "schema", value: schema)]
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// The folder with the server's programs.
    ///
    /// - Throws: `Missing` if PostgreSQL is not installed.
    static func programs() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap { Int($0) }.max().map { "/usr/lib/postgresql/\($0)/bin" }
        for folder in [newest, "/usr/bin", "/usr/local/bin"].compactMap({ $0 })
        where ["initdb", "postgres", "pg_isready"].allSatisfy({ access("\(folder)/\($0)", X_OK) == 0 }) {
            return folder
        }
        throw Missing(description: "there is no PostgreSQL server: install Debian's package 'postgresql'")
    }

    /// A shell command that runs `command` as the unprivileged user if the tests run as root.
    static func asUser(_ command: String) -> String {
        guard getuid() == 0 else { return command }
        let quoted = command.replacingOccurrences(of: "'", with: "'\\''")
        return "setpriv --reuid=nobody --regid=nogroup --clear-groups -- sh -c 'exec \(quoted)'"
    }

    /// Runs a shell command as the user as whom the server runs.
    package func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.asUser(command)]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Missing(description: "'\(command)' ended with \(process.terminationStatus)")
        }
    }
}
