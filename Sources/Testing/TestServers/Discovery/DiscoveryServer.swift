import Foundation
import LockKit
import TestBasics

/// A system bus and an Avahi daemon of the tests' own, whose network is a loopback interface that nothing else sees.
///
/// The daemon has a mount namespace, since its folder in `/run` has a fixed name, and a network namespace; programs reach
/// it by the socket of the bus, wherever they run. It needs an administrator: within a namespace of users the daemon
/// cannot give its folder away, and the bus does not know the user.
package final class DiscoveryServer: Sendable {
    /// Why there is no daemon to test with.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// The server that the tests of one process share, started on first access; this process finds it as its system bus.
    package static let shared: Result<DiscoveryServer, any Error> = Result {
        let server = try DiscoveryServer()
        setenv("DBUS_SYSTEM_BUS_ADDRESS", server.address, 1)
        return server
    }

    /// Whether the programs are there and namespaces can be made; if not, tests that need a daemon are skipped.
    package static let isAvailable: Bool = {
        guard getuid() == 0 else { return false }
        let programs = ["avahi-daemon", "avahi-browse", "dbus-daemon", "ip", "unshare"]
        guard programs.allSatisfy({ (try? program($0)) != nil }) else { return false }
        return (try? Toolchain.run("sh", ["-c", "\(unshare) sh -c 'mount -t tmpfs tmpfs /run'"]))?.code == 0
    }()
    /// The reason that a skipped test reports.
    package static let missing =
        "avahi-daemon, avahi-utils, dbus or iproute2 are not installed, or the tests do not run as root"

    /// A shell command that runs another one in namespaces of its own.
    package static var unshare: String { "unshare -m -n" }

    private let folder: TemporaryFolder
    private let sockets: String
    private let bus: ServerProcess
    private let daemon = Locked<ServerProcess?>(nil)

    /// The address of the bus, for the variable `DBUS_SYSTEM_BUS_ADDRESS`.
    package var address: String { "unix:path=\(sockets)/bus" }
    /// What a program needs in its environment to use this bus.
    package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

    /// Starts a bus, and a daemon on it.
    ///
    /// - Throws: `Missing` with the end of a log if one of them does not start.
    package convenience init() throws {
        try self.init(busOnly: ())
        try startDaemon()
    }

    /// Starts a bus without a daemon.
    package init(busOnly: Void) throws {
        folder = try TemporaryFolder()
        sockets = try PostgresServer.socketFolder()
        let settings = folder.url.appendingPathComponent("bus.conf").path
        try Self.busSettings(sockets).write(toFile: settings, atomically: false, encoding: .utf8)
        let program = try Self.program("dbus-daemon")
        bus = try ServerProcess(
            ownUser: "\(program) --config-file='\(settings)' --nofork --nopidfile", log: "\(folder.url.path)/bus.log",
            farewell: "rm -rf '\(sockets)'")
        try wait("the bus", "bus.log") { access("\(sockets)/bus", F_OK) == 0 }
    }

    /// Starts the daemon, and waits until it has its host's name.
    package func startDaemon() throws {
        let path = folder.url.path
        try Self.daemonSettings.write(toFile: "\(path)/avahi.conf", atomically: false, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: "\(path)/avahi.log"))
        let program = try Self.program("avahi-daemon")
        let command =
            "mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon && ip link set lo up multicast on && "
            + "ip -6 route add ff00::/8 dev lo table local; "
            + "echo $$ > \(path)/avahi.pid; exec \(program) -f \(path)/avahi.conf --no-drop-root --no-chroot --no-rlimits"
        let process = try ServerProcess(
            ownUser: "\(Self.unshare) sh -c '\(command)'", environment: environment, log: "\(path)/avahi.log")
        daemon.withLock { $0 = process }
        try wait("the Avahi daemon", "avahi.log") { log("avahi.log").contains("Server startup complete") }
    }

    /// Kills the daemon; the bus stays.
    package func stopDaemon() {
        daemon.withLock { process in
            process?.kill()
            process = nil
        }
    }

    /// Runs one of Avahi's programs with this bus; returns its exit status and its output.
    package func run(_ program: String, _ arguments: String...) throws -> (code: Int32, output: String) {
        try Toolchain.run("env", ["DBUS_SYSTEM_BUS_ADDRESS=\(address)", program] + arguments)
    }

    /// The lines that `avahi-browse` prints of the services of a type once it has resolved them.
    package func browse(_ type: String) throws -> [String] {
        let (_, output) = try run(
            "timeout", "-k", "2", "20", "avahi-browse", "--resolve", "--parsable", "--terminate", type)
        return output.split(separator: "\n").map(String.init)
    }

    /// Runs a program in the network of the daemon; returns its exit status and its output.
    package func runInNetwork(_ program: String, _ arguments: String...) throws -> (code: Int32, output: String) {
        return try Toolchain.run("nsenter", ["--target", "\(daemonProcess())", "--net", program] + arguments)
    }

    /// The process of the daemon, by which its namespaces are named.
    func daemonProcess() throws -> Int {
        let text = try String(contentsOfFile: "\(folder.url.path)/avahi.pid", encoding: .utf8)
        guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Missing(description: "the Avahi daemon has not said its process")
        }
        return number
    }

    private func log(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder.url.path)/\(name)", encoding: .utf8)) ?? ""
    }

    private func wait(_ awaited: String, _ name: String, until isReady: () -> Bool) throws {
        for _ in 0..<600 {
            if isReady() { return }
            usleep(50_000)
        }
        throw Missing(description: "\(awaited) did not start: \(log(name).suffix(1_000))")
    }

    /// The path of a program, also where only an administrator's search path has it.
    private static func program(_ name: String) throws -> String {
        for folder in ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] where access("\(folder)/\(name)", X_OK) == 0 {
            return "\(folder)/\(name)"
        }
        throw Missing(description: "\(name) is not installed")
    }

    private static func busSettings(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>unix:path=\(folder)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
          </policy>
        </busconfig>
        """
    }

    private static let daemonSettings = """
        [server]
        host-name=discovery-test
        allow-interfaces=lo,lan0
        use-ipv4=yes
        use-ipv6=yes
        enable-dbus=yes
        [publish]
        publish-workstation=no
        publish-hinfo=no
        [rlimits]

        """
}
