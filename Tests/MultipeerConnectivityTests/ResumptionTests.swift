import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct ResumptionTests {
    @Test("a thousand messages in both directions arrive once and in order over links that are cut at random (PEER-11)")
    func messagesSurviveCuts() async throws {
        let (anna, ben) = try await MessageTests.pair()
        var random = SeededRandom(seed: TestSeed.first)
        let sent = (0..<1_000).map { index in
            Data("message \(index) ".utf8) + Data(count: index % 50 == 0 ? 40_000 : 10)
        }
        for (index, message) in sent.enumerated() {
            try anna.session.send(message, toPeers: [ben.peer], with: .reliable)
            try ben.session.send(message, toPeers: [anna.peer], with: .reliable)
            guard random.next(below: 50) == 0 else { continue }
            (index % 2 == 0 ? anna : ben).session.cutConnections()
            try await Task.sleep(for: .milliseconds(random.next(below: 30)))
        }
        await eventually("all messages") {
            ben.messages(from: anna).count >= sent.count && anna.messages(from: ben).count >= sent.count
        }
        #expect(ben.messages(from: anna) == sent)
        #expect(anna.messages(from: ben) == sent)
        // The state stays as it was: cuts are reported as events only.
        #expect(anna.states == ["Ben connecting", "Ben connected"])
    }

    @Test("a resource and a stream go on after cuts (PEER-11)")
    func resourceSurvivesCuts() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("numbers")
        let bytes = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) })
        try bytes.write(to: file)
        anna.session.sendResource(at: file, withName: "numbers", toPeer: ben.peer)
        for _ in 0..<6 {
            try await Task.sleep(for: .milliseconds(20))
            anna.session.cutConnections()
        }
        await eventually("the resource") { ben.record.withLock { !$0.resources.isEmpty } }
        let received = try ben.record.withLock { try $0.resources[0].result.get() }
        defer { try? FileManager.default.removeItem(at: received) }
        #expect(try Data(contentsOf: received) == bytes)
    }

    @Test("leaving is silent at home and has its reason at the other side (PEER-11)")
    func leavingIsSilentAtHome() async throws {
        let (anna, ben) = try await MessageTests.pair()
        anna.session.disconnect()
        await eventually("the other side hears of it") { ben.states.last == "Anna notConnected" }
        #expect(ben.session.reason(forPeer: anna.peer)?.reason == "Anna has left the session")
        #expect(anna.states == ["Ben connecting", "Ben connected"])
        #expect(anna.connected.isEmpty)
    }

    @Test("timeouts stretch under a debugger (PEER-11)")
    func timeoutsStretch() {
        let limits = TransportLimits().stretched(by: DebuggerCheck.factor)
        #expect(limits.silenceSeconds == TransportLimits().silenceSeconds * 60)
        #expect(limits.resumptionSeconds == TransportLimits().resumptionSeconds * 60)
    }
}
