import Foundation
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct MessageTests {
    /// Two peers that are connected.
    static func pair() async throws -> (TestPeer, TestPeer) {
        let (anna, ben) = (TestPeer("Anna"), TestPeer("Ben"))
        try await anna.session.invite(at: [ben.accept()])
        await eventually("the invited side is connected") { ben.connected == [anna.peer] }
        return (anna, ben)
    }

    @Test("a thousand messages arrive once and in order (PEER-07)")
    func thousandMessagesArriveInOrder() async throws {
        let (anna, ben) = try await Self.pair()
        let sent = (0..<1_000).map { Data("message \($0)".utf8) }
        for message in sent { try anna.session.send(message, toPeers: [ben.peer], with: .reliable) }
        await eventually("all messages") { ben.messages(from: anna).count >= sent.count }
        #expect(ben.messages(from: anna) == sent)
    }

    @Test("messages of all sizes arrive whole (PEER-07)")
    func messagesOfAllSizesArrive() async throws {
        let (anna, ben) = try await Self.pair()
        let sizes = [0, 1, 16_351, 16_352, 16_353, 100_000, 1 << 20, 5 << 20, 16 << 20]
        let sent = sizes.map { size in Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }) }
        for message in sent { try ben.session.send(message, toPeers: [anna.peer], with: .reliable) }
        await eventually("all messages") { anna.messages(from: ben).count >= sent.count }
        #expect(anna.messages(from: ben) == sent)
        let error = #expect(throws: MCError.self) {
            try ben.session.send(Data(count: (16 << 20) + 1), toPeers: [anna.peer], with: .reliable)
        }
        #expect(error?.code == .unavailable)
    }
}
