import Foundation
import MultipeerConnectivity
import PeerKit
import PeerTestSupport
import TestBasics
import Testing

struct CrowdTests {
    /// Twelve peers, and thirty-two in an exhaustive run.
    private var size: Int { TestSeed.isExhaustive ? 32 : 12 }

    private func peer(_ name: String, on network: ScriptedPeerNetwork) -> TestPeer {
        let own = MCPeerID(displayName: name)
        network.add(own)
        let peer = TestPeer(name, of: own)
        peer.session.maximumNumberOfPeers = 64
        return peer
    }

    @Test("all to all, a third killed and back: all reliable messages once and in order (PEER-06, PEER-07, PEER-11)")
    func crowdWithThirdKilled() async throws {
        let network = ScriptedPeerNetwork(seed: TestSeed.first, silence: 2, resumption: 1)
        network.set(.init(delay: 0.001, loss: 0.02, retransmission: 0.01))
        var peers = (0..<size).map { peer("peer \($0)", on: network) }
        for other in peers.dropFirst() { try await connect(peers[0], other, on: network) }
        await eventually("all are connected") { peers.allSatisfy { $0.connected.count == size - 1 } }
        try await exchange(peers, round: 0)
        let third = size / 3
        for lost in peers.suffix(third) { network.kill(lost.peer) }
        peers.removeLast(third)
        await eventually("the losses are noticed") { peers.allSatisfy { $0.connected.count == size - third - 1 } }
        let back = (0..<third).map { peer("back \($0)", on: network) }
        for other in back { try await connect(peers[1], other, on: network) }
        peers += back
        await eventually("all are connected again") { peers.allSatisfy { $0.connected.count == size - 1 } }
        try await exchange(peers, round: 1)
    }

    private func connect(_ one: TestPeer, _ other: TestPeer, on network: ScriptedPeerNetwork) async throws {
        _ = try other.accept()
        _ = try one.session.endpoint.listen()
        try await one.session.invite(other.peer, at: [#require(network.address(of: other.peer))])
    }

    /// Every peer sends to all others, while connections are cut.
    private func exchange(_ peers: [TestPeer], round: Int) async throws {
        let sent = (0..<20).map { Data("\(round) \($0)".utf8) }
        for (index, message) in sent.enumerated() {
            for peer in peers { try peer.session.send(message, toPeers: peer.connected, with: .reliable) }
            peers[(index * 7) % peers.count].session.cutConnections()
        }
        await eventually("all messages") {
            peers.allSatisfy { peer in
                peers.allSatisfy {
                    $0 === peer
                        || peer.messages(from: $0).filter { $0.first == UInt8(ascii: "0") + UInt8(round) }.count
                            >= sent.count
                }
            }
        }
        for peer in peers {
            for other in peers where other !== peer {
                #expect(peer.messages(from: other).filter { $0.first == UInt8(ascii: "0") + UInt8(round) } == sent)
            }
        }
    }
}
