import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

/// A peer in Python that breaks rules, beside two that are connected and stay so.
@Suite(.serialized)
struct HostilePeerTests {
    private struct Scene {
        let folder: TemporaryFolder
        let (anna, ben): (TestPeer, TestPeer)
        let port: UInt16

        init() async throws {
            folder = try TemporaryFolder()
            (anna, ben) = try await MessageTests.pair()
            port = try #require(ben.session.endpoint.port)
        }

        func run(_ arguments: String...) throws -> [String] {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("Hostile/hostile_peer.py")
            let all = ["python3", script.path, String(port), arguments[0], folder.url.path] + arguments.dropFirst()
            let child = try Child(all, of: URL(fileURLWithPath: "/usr/bin/env"))
            return child.lines()
        }

        /// The two that are connected are as before.
        func expectUnharmed() async throws {
            let message = Data(UUID().uuidString.utf8)
            try anna.session.send(message, toPeers: [ben.peer], with: .reliable)
            await eventually("a message between the others") { ben.messages(from: anna).last == message }
            #expect(anna.states == ["Ben connecting", "Ben connected"])
        }
    }

    @Test("an unknown version is answered with the known one (PEER-16)")
    func unknownVersion() async throws {
        let scene = try await Scene()
        #expect(try scene.run("version") == ["version 1 refusal 1"])
        try await scene.expectUnharmed()
    }

    @Test("bytes that are not of the protocol close the connection (PEER-13)")
    func garbage() async throws {
        let scene = try await Scene()
        #expect(try scene.run("garbage") == Array(repeating: "closed", count: 5))
        try await scene.expectUnharmed()
    }

    @Test("lies about lengths, names and purposes are refused with a reason (PEER-13, PEER-01)")
    func lies() async throws {
        let scene = try await Scene()
        let lines = try scene.run("lie")
        #expect(lines.count == 7)
        #expect(lines[0].hasPrefix("invalid: a frame of 1099511627776 bytes was announced"))
        #expect(lines[1].hasPrefix("version: "))
        #expect(lines[2] == "invalid: the identifier of the other side is not 32 hexadecimal digits")
        #expect(lines[3].hasPrefix("invalid: ") && lines[4].hasPrefix("invalid: "))
        #expect(
            lines[5]
                == "invalid: the other side has no valid name: the name has 300 bytes of UTF-8; at most 63 are allowed")
        #expect(lines[6].contains("control characters"))
        try await scene.expectUnharmed()
    }

    @Test("a number that was not committed to is refused, so that codes cannot be searched for (PEER-05)")
    func otherCommitment() async throws {
        let scene = try await Scene()
        #expect(
            try scene.run("commitment") == [
                "identity: the other side reveals another number than it has committed itself to"
            ])
    }

    @Test("seventy invitations are not all shown to a person (PEER-05)")
    func manyInvitations() async throws {
        let scene = try await Scene()
        let kept = Locked<[PeerInvitation]>([])
        scene.ben.session.endpoint.setInvitationHandler { invitation in kept.withLock { $0.append(invitation) } }
        let lines = try scene.run("invite", "70")
        #expect(lines.count == 70)
        #expect(lines.contains { $0.hasPrefix("limit: ") })
        #expect(kept.withLock { $0.count } <= 60)
        kept.withLock { $0 = [] }
        try await scene.expectUnharmed()
    }

    @Test("an identifier with another key, and another's connection, are refused (PEER-11)")
    func stolenIdentities() async throws {
        let scene = try await Scene()
        let identity = try scene.run("identity", scene.anna.peer.identifier)
        #expect(identity == ["identity: the identifier belongs to a peer with another key"])
        let link = try #require(scene.ben.session.linkIdentifiers.first)
        #expect(try scene.run("resume", link.uuidString) == ["identity: the connection belongs to another key"])
        #expect(try scene.run("resume", UUID().uuidString) == ["unknown: there is no connection to come back to"])
        try await scene.expectUnharmed()
    }

    @Test("frames that break rules end their connection with a reason (PEER-13)")
    func brokenRules() async throws {
        let scene = try await Scene()
        let lines = try scene.run("rules")
        #expect(lines.count == 7)
        for line in lines { #expect(line.hasPrefix("invalid: "), "\(lines)") }
        try await scene.expectUnharmed()
    }

    @Test("a flood is cut off at the window, and memory stays bounded (PEER-14)")
    func flood() async throws {
        let scene = try await Scene()
        let before = residentBytes()
        let lines = try scene.run("flood")
        #expect(lines.first == "accepted")
        // What the system's buffers hold counts as sent.
        let sent = try #require(lines.last.flatMap { Int($0.dropFirst("sent ".count)) })
        #expect(sent < 64)
        #expect(residentBytes() - before < 100 << 20)
        try await scene.expectUnharmed()
    }

    @Test("flipped bits of the first 4 KB of a connection trap nowhere (PEER-13)")
    func flippedBits() async throws {
        let scene = try await Scene()
        scene.ben.session.endpoint.setInvitationHandler { $0.answer(false, session: nil) }
        let step = TestSeed.isExhaustive ? 1 : 397
        let lines = try scene.run("flip", String(TestSeed.first % UInt64(step)), String(step), "4096")
        #expect(lines.last?.hasPrefix("flipped ") == true)
        try await scene.expectUnharmed()
    }

    private func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}
