import Foundation
import MultipeerConnectivity
import PeerKit
import PeerTestSupport
import TestBasics
import Testing

struct ScriptedNetworkTests {
    private func pair(on network: ScriptedPeerNetwork) async throws -> (TestPeer, TestPeer) {
        let (one, other) = (MCPeerID(displayName: "Anna"), MCPeerID(displayName: "Ben"))
        network.add(one)
        network.add(other)
        let (anna, ben) = (TestPeer("Anna", of: one), TestPeer("Ben", of: other))
        _ = try ben.accept()
        let address = try #require(network.address(of: other))
        try await anna.session.invite(other, at: [address])
        await eventually("both are connected") { ben.connected == [one] }
        return (anna, ben)
    }

    @Test("messages arrive in order with delays and losses (TEST-03)")
    func delaysAndLosses() async throws {
        let network = ScriptedPeerNetwork(seed: TestSeed.first)
        let (anna, ben) = try await pair(on: network)
        network.set(.init(delay: 0.01, loss: 0.2, retransmission: 0.03))
        let sent = (0..<200).map { Data("\($0)".utf8) }
        for message in sent { try anna.session.send(message, toPeers: [ben.peer], with: .reliable) }
        await eventually("all messages") { ben.messages(from: anna).count >= sent.count }
        #expect(ben.messages(from: anna) == sent)
    }

    @Test("a short partition is survived, a long one ends the connection with its reason (TEST-03, PEER-11)")
    func partitions() async throws {
        let network = ScriptedPeerNetwork(seed: TestSeed.first, silence: 0.6, resumption: 1.5)
        let (anna, ben) = try await pair(on: network)
        network.set(.init(isPartitioned: true), between: anna.peer, and: ben.peer)
        try anna.session.send(Data("during".utf8), toPeers: [ben.peer], with: .reliable)
        try await Task.sleep(for: .milliseconds(900))
        #expect(ben.messages(from: anna).isEmpty)
        network.set(.init(), between: anna.peer, and: ben.peer)
        await eventually("the message of the partition") { ben.messages(from: anna) == [Data("during".utf8)] }
        #expect(anna.states == ["Ben connecting", "Ben connected"])
        network.set(.init(isPartitioned: true), between: anna.peer, and: ben.peer)
        await eventually("both give up") {
            anna.states.last == "Ben notConnected" && ben.states.last == "Anna notConnected"
        }
        #expect(anna.session.reason(forPeer: ben.peer)?.reason.contains("did not come back within 1.5 seconds") == true)
    }

    @Test("cuts are resumed, and a killed peer is not connected within the time (TEST-03, PEER-11)")
    func cutsAndKills() async throws {
        let network = ScriptedPeerNetwork(seed: TestSeed.first, silence: 0.6, resumption: 1)
        let (anna, ben) = try await pair(on: network)
        let events = anna.session.events
        for index in 0..<20 {
            try anna.session.send(Data([UInt8(index)]), toPeers: [ben.peer], with: .reliable)
            if index % 5 == 0 { network.cut(between: anna.peer, and: ben.peer) }
        }
        await eventually("all messages") { ben.messages(from: anna).count == 20 }
        #expect(ben.messages(from: anna) == (0..<20).map { Data([UInt8($0)]) })
        network.kill(ben.peer)
        await eventually("the loss") { anna.states.last == "Ben notConnected" }
        var iterator = events.makeAsyncIterator()
        var seen: [String] = []
        while seen.last != "end", let event = await iterator.next() {
            switch event {
            case .interrupted: seen.append("interrupted")
            case .resumed: seen.append("resumed")
            case .state(_, .notConnected, let error): seen.append(error == nil ? "no reason" : "end")
            default: break
            }
        }
        #expect(seen.first == "interrupted" && seen.contains("resumed") && seen.last == "end")
    }
}
