import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct MeshTests {
    @Test("peers that one of them invites learn of each other and all connect (PEER-05, PEER-06)")
    func invitedPeersConnectAll() async throws {
        let peers = (0..<8).map { TestPeer("Peer \($0)") }
        for peer in peers { _ = try peer.accept() }
        for other in peers.dropFirst() { try await peers[0].session.invite(other.peer, at: [other.accept()]) }
        await eventually("all are connected") { peers.allSatisfy { $0.connected.count == 7 } }
        for peer in peers {
            try peer.session.send(Data(peer.peer.displayName.utf8), toPeers: peer.connected, with: .reliable)
        }
        await eventually("all messages") {
            peers.allSatisfy { peer in peers.allSatisfy { $0 === peer || peer.messages(from: $0).count == 1 } }
        }
        // Eight is the limit unless it is raised.
        let ninth = TestPeer("Ninth")
        let error = await #expect(throws: MCError.self) {
            try await peers[0].session.invite(ninth.peer, at: [ninth.accept()])
        }
        #expect(error?.code == .unavailable)
        for peer in peers + [ninth] { peer.session.maximumNumberOfPeers = 9 }
        try await peers[0].session.invite(ninth.peer, at: [ninth.accept()])
        await eventually("nine are connected") { ninth.connected.count == 8 }
    }

    @Test("a peer that is handed connection data connects without an invitation (PEER-05)")
    func connectionDataConnect() async throws {
        let (anna, ben, eve) = (TestPeer("Anna"), TestPeer("Ben"), TestPeer("Eve"))
        let made = Locked<Data?>(nil)
        anna.session.nearbyConnectionData(forPeer: ben.peer) { data, _ in made.withLock { $0 = data } }
        let data = try #require(made.withLock { $0 })
        ben.session.connectPeer(anna.peer, withNearbyConnectionData: data)
        await eventually("both are connected") { anna.connected == [ben.peer] && ben.connected == [anna.peer] }
        // The data are of Anna, for Ben.
        eve.session.connectPeer(ben.peer, withNearbyConnectionData: data)
        eve.session.connectPeer(anna.peer, withNearbyConnectionData: Data("{}".utf8))
        await eventually("the refusals") { eve.states.filter { $0.hasSuffix("notConnected") }.count == 2 }
        #expect(eve.connected.isEmpty)
    }
}
