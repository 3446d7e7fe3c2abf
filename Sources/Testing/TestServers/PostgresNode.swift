import Foundation
import TestBasics

/// One node of a cluster: a Patroni process and the PostgreSQL server that it starts.
public final class PostgresNode: @unchecked Sendable {
    /// What Patroni calls the node.
    public let name: String
    /// The port of the server on the loopback address.
    public let port: Int
    /// The port of Patroni's REST API.
    let restPort: Int
    private let folder: String
    private var patroni: ServerProcess?

    init(_ name: String, in folder: String, ports: (server: Int, rest: Int), etcd: Int, programs: String) throws {
        self.name = name
        self.folder = "\(folder)/\(name)"
        (port, restPort) = ports
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: false)
        try PostgresServer.giveAway([self.folder])
        try configuration(etcd: etcd, programs: programs)
            .write(toFile: "\(self.folder).yml", atomically: false, encoding: .utf8)
    }

    private var data: String { "\(folder)/data" }

    /// A shell command that kills the server by the process ID in `postmaster.pid`, if this process still runs in the
    /// data folder.
    private var killing: String {
        "p=$(head -1 '\(data)/postmaster.pid'); [ \"$(readlink /proc/$p/cwd)\" = '\(data)' ] && kill -KILL $p"
    }

    /// Starts the node; does nothing if it runs.
    public func start() throws {
        guard patroni == nil else { return }
        patroni = try ServerProcess(
            "patroni '\(folder).yml'", environment: ["HOME": folder], log: "\(folder).log", farewell: killing)
    }

    /// Kills Patroni and the server at once, as a power failure would.
    public func stop() {
        patroni?.kill()
        patroni = nil
    }

    /// Kills the server but not Patroni, which reacts to the failure.
    public func killServer() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", killing]
        try process.run()
        process.waitUntilExit()
    }

    /// The node's state as Patroni's REST API reports it; nil if Patroni does not respond.
    public var state: State? {
        guard patroni != nil,
            let body = try? LoopbackRequest.exchange("GET", port: restPort, path: "/", body: nil)
        else { return nil }
        return try? JSONDecoder().decode(State.self, from: body)
    }

    /// The state of a node as Patroni's REST API reports it.
    public struct State: Decodable, Sendable {
        let state: String
        let role: String
        let timeline: Int?
        let syncStandby: Bool?

        private enum CodingKeys: String, CodingKey {
            case state, role, timeline
            case syncStandby = "sync_standby"
        }

        /// Whether the server is the primary.
        public var isPrimary: Bool { state == "running" && ["master", "primary"].contains(role) }
        /// Whether the primary waits for this server before it acknowledges a commit.
        public var isSynchronous: Bool { state == "running" && syncStandby == true }
    }

    /// The end of Patroni's log.
    var log: String {
        ((try? String(contentsOfFile: "\(folder).log", encoding: .utf8)) ?? "").suffix(1_500).description
    }

    /// Patroni's configuration, with the shortest times that Patroni accepts.
    private func configuration(etcd: Int, programs: String) -> String {
        """
        scope: opencoredata
        name: \(name)
        restapi: {listen: "127.0.0.1:\(restPort)", connect_address: "127.0.0.1:\(restPort)"}
        etcd3: {host: "127.0.0.1:\(etcd)"}
        bootstrap:
          dcs:
            ttl: 20
            loop_wait: 1
            retry_timeout: 3
            primary_start_timeout: 0
            synchronous_mode: true
            maximum_lag_on_failover: 1073741824
            postgresql: {use_pg_rewind: true, parameters: {max_connections: 100}}
          initdb: [{encoding: UTF8}, no-locale, no-sync, {auth: trust}]
          pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
        postgresql:
          listen: "127.0.0.1:\(port)"
          connect_address: "127.0.0.1:\(port)"
          data_dir: "\(data)"
          bin_dir: "\(programs)"
          pgpass: "\(folder)/pgpass"
          authentication: {superuser: {username: coredata}, replication: {username: coredata}, rewind: {username: coredata}}
          parameters: {unix_socket_directories: "", fsync: "off", shared_buffers: 32MB, wal_log_hints: "on"}

        """
    }
}
