import Foundation
import TestBasics

/// Three servers, one of them the primary, managed by Patroni with etcd on this machine: in a temporary folder, on free
/// ports of the loopback address, ended with the process.
///
/// The primary acknowledges a commit only after one replica has it (`synchronous_mode`). If the tests run as root, the
/// programs run as the user `nobody`.
public final class PostgresCluster: @unchecked Sendable {
    /// Whether the programs of a cluster are installed; if not, tests that need them are skipped.
    public static var isAvailable: Bool {
        PostgresServer.isAvailable && ["patroni", "etcd"].allSatisfy { (try? Toolchain.url($0)) != nil }
    }

    /// Whether HAProxy is installed too, which forwards one port to the primary.
    public static var hasProxy: Bool { isAvailable && access(proxyProgram, X_OK) == 0 }

    private static let proxyProgram = "/usr/sbin/haproxy"

    /// The three nodes.
    public let nodes: [PostgresNode]
    /// The port that HAProxy forwards to the primary; 0 before `startProxy`.
    public private(set) var proxyPort = 0
    private let folder: TemporaryFolder
    private let etcd: ServerProcess
    private var proxy: ServerProcess?

    /// Starts a cluster, and waits until it has a primary and a synchronous replica.
    ///
    /// - Throws: `PostgresServer.Missing` with a missing program, or with the ends of Patroni's logs.
    public init() throws {
        let programs = try PostgresServer.programs()
        folder = try TemporaryFolder()
        guard chmod(folder.url.path, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        let path = folder.url.path
        let ports = try FreePorts.find(8)
        try FileManager.default.createDirectory(atPath: "\(path)/etcd", withIntermediateDirectories: false)
        guard chmod("\(path)/etcd", 0o700) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        try PostgresServer.giveAway(["\(path)/etcd"])
        let (client, peer) = ("http://127.0.0.1:\(ports[0])", "http://127.0.0.1:\(ports[1])")
        etcd = try ServerProcess(
            "etcd --data-dir '\(path)/etcd' --listen-client-urls \(client) --advertise-client-urls \(client) "
                + "--listen-peer-urls \(peer) --initial-advertise-peer-urls \(peer) --initial-cluster default=\(peer) "
                + "--unsafe-no-fsync", log: "\(path)/etcd.log")
        nodes = try (0..<3).map { number in
            try PostgresNode(
                "node\(number + 1)", in: path, ports: (ports[2 + number], ports[5 + number]), etcd: ports[0],
                programs: programs)
        }
        for node in nodes { try node.start() }
        guard isWhole(within: 90) else {
            throw PostgresServer.Missing(description: "the cluster did not start: \(nodes.map(\.log))")
        }
    }

    deinit { stop() }

    /// Stops everything.
    public func stop() {
        proxy?.kill()
        for node in nodes { node.stop() }
        etcd.kill()
    }

    /// The node whose server accepts writes; nil while no server does.
    public var primary: PostgresNode? { nodes.first { $0.state?.isPrimary == true } }

    /// Waits until exactly one server is the primary and all others run on its timeline, one of them as synchronous
    /// replica. Returns false after the time limit.
    public func isWhole(within seconds: TimeInterval) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            let states = nodes.compactMap(\.state)
            let primaries = states.filter(\.isPrimary)
            if primaries.count == 1, states.contains(where: \.isSynchronous), states.count == nodes.count,
                states.allSatisfy({ $0.state == "running" && $0.timeline == primaries[0].timeline })
            {
                return true
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return false
    }

    /// Makes Patroni switch over to another primary.
    public func switchOver() throws {
        guard let primary else { throw PostgresServer.Missing(description: "no server takes writes") }
        _ = try LoopbackRequest.exchange(
            "POST", port: primary.restPort, path: "/switchover", body: Data(#"{"leader": "\#(primary.name)"}"#.utf8))
    }

    /// The URL of a store in a schema, with the addresses of all servers.
    public func url(schema: String) -> URL {
        let hosts = nodes.map { _ in "127.0.0.1" }.joined(separator: ",")
        let ports = nodes.map { "\($0.port)" }.joined(separator: ",")
        return URL(string: "postgresql://coredata@/postgres?host=\(hosts)&port=\(ports)&schema=\(schema)")
            ?? URL(fileURLWithPath: "/")
    }

    /// The URL of a store in a schema, through HAProxy; call `startProxy` first.
    public func proxyURL(schema: String) -> URL {
        URL(string: "postgresql://coredata@127.0.0.1:\(proxyPort)/postgres?schema=\(schema)")
            ?? URL(fileURLWithPath: "/")
    }

    /// Starts HAProxy, which asks Patroni every half second which server is the primary.
    public func startProxy() throws {
        proxyPort = try FreePorts.find(1)[0]
        let servers = nodes.map { "  server \($0.name) 127.0.0.1:\($0.port) check port \($0.restPort)" }
        let configuration = """
            defaults
              mode tcp
              timeout connect 2s
              timeout client 10m
              timeout server 10m
            listen primary
              bind 127.0.0.1:\(proxyPort)
              option httpchk OPTIONS /primary
              http-check expect status 200
              default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
            \(servers.joined(separator: "\n"))

            """
        let path = "\(folder.url.path)/haproxy"
        try configuration.write(toFile: "\(path).cfg", atomically: false, encoding: .utf8)
        proxy = try ServerProcess("\(Self.proxyProgram) -db -f '\(path).cfg'", log: "\(path).log")
    }
}
