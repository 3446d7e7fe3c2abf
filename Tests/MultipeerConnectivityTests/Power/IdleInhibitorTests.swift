import Foundation
import MultipeerConnectivity
import TestBasics
import TestServers
import Testing

@Suite(
    "Idle inhibitors", .serialized, .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .enabled(if: access("/usr/bin/systemd-inhibit", X_OK) == 0, "systemd-inhibit is not installed"),
    .timeLimit(.minutes(1)))
struct IdleInhibitorTests {
    private let server: DiscoveryServer

    init() throws { server = try DiscoveryServer.shared.get() }

    /// A logind that has inhibitors and nothing else; it stands on the tests' bus until it is killed.
    private func startLogind() throws -> Child {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("logind.py")
        let logind = try Child([script.path, server.address], of: try Toolchain.url("python3"))
        #expect(logind.line() == "ready")
        return logind
    }

    @Test("an inhibitor is held, once, and released where the system has a logind (PEER-18)")
    func holding() throws {
        let logind = try startLogind()
        defer { logind.kill() }
        let inhibitor = IdleInhibitor(owner: "TicTacToe", reason: "Ann’s turn")
        #expect(!inhibitor.isHeld)
        try inhibitor.hold()
        try inhibitor.hold()
        #expect(logind.line() == "held idle:sleep TicTacToe Ann’s turn block")
        #expect(inhibitor.isHeld)
        inhibitor.release()
        inhibitor.release()
        #expect(logind.line() == "released")
        #expect(!inhibitor.isHeld)
        try inhibitor.hold()
        #expect(logind.line() == "held idle:sleep TicTacToe Ann’s turn block")
        inhibitor.release()
        #expect(logind.line() == "released")
    }

    @Test("an inhibitor that is not released ends with its object, and with its process (PEER-18)")
    func forgetting() throws {
        let logind = try startLogind()
        defer { logind.kill() }
        do {
            let inhibitor = IdleInhibitor(owner: "One", reason: "x")
            try inhibitor.hold()
            #expect(logind.line() == "held idle:sleep One x block")
        }
        #expect(logind.line() == "released")
        let child = try Child(
            ["inhibit", "killed"], of: Child.url("DiscoveryChild"), environment: server.environment)
        #expect(child.line() == "held")
        #expect(logind.line() == "held idle:sleep DiscoveryChild killed block")
        child.kill()
        #expect(logind.line() == "released")
    }

    @Test("where the system has no logind, it says so (PEER-18)")
    func absence() throws {
        let inhibitor = IdleInhibitor(reason: "none")
        let error = #expect(throws: MCError.self) { try inhibitor.hold() }
        #expect(error?.code == .unavailable)
        #expect(error?.reason.contains("login1") == true, "\(String(describing: error))")
        #expect(error?.hint.contains("logind") == true)
        #expect(!inhibitor.isHeld)
        inhibitor.release()
    }
}
