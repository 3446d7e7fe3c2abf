import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct DeliveryTests {
    @Test("unreliable messages may be lost, are never changed, and delay no reliable ones (PEER-08)")
    func unreliableMessages() async throws {
        let (anna, ben) = try await MessageTests.pair()
        func message(_ number: Int) -> Data {
            Data("\(number) ".utf8) + Data(repeating: UInt8(number % 251), count: number % 30_000)
        }
        for number in 0..<2_000 {
            try anna.session.send(message(number), toPeers: [ben.peer], with: .unreliable)
            if number % 100 == 0 { try anna.session.send(Data("reliable".utf8), toPeers: [ben.peer], with: .reliable) }
            if number == 1_000 { anna.session.cutConnections() }
        }
        try anna.session.send(Data("last".utf8), toPeers: [ben.peer], with: .reliable)
        await eventually("the last reliable one") { ben.messages(from: anna).contains(Data("last".utf8)) }
        let received = ben.messages(from: anna)
        #expect(received.filter { $0 == Data("reliable".utf8) }.count == 20)
        var latest = -1
        for data in received where data != Data("reliable".utf8) && data != Data("last".utf8) {
            let number = try #require(Int(String(decoding: data.prefix { $0 != 32 }, as: UTF8.self)))
            #expect(data == message(number))
            #expect(number > latest)
            latest = number
        }
        #expect(latest >= 0)
        let error = #expect(throws: MCError.self) {
            try anna.session.send(Data(count: 200_000), toPeers: [ben.peer], with: .unreliable)
        }
        #expect(error?.code == .unavailable)
    }

    @Test("messages that are not handled hold the sender back, and arrive when they are (PEER-14)")
    func unhandledMessagesHoldBack() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let events = ben.session.events
        let sent = (0..<40).map { Data(repeating: UInt8($0), count: 100_000) }
        for message in sent { try anna.session.send(message, toPeers: [ben.peer], with: .reliable) }
        await eventually("the window is full") { ben.messages(from: anna).count == 10 }
        try await Task.sleep(for: .milliseconds(200))
        #expect(ben.messages(from: anna).count == 10)
        var received: [Data] = []
        for await event in events {
            if case .message(let message) = event { received.append(message.data) }
            if received.count == sent.count { break }
        }
        #expect(received == sent)
    }

    @Test("the queue of messages to a peer that takes none is bounded (PEER-14)")
    func queueIsBounded() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let events = ben.session.events
        var count = 0
        let error = #expect(throws: MCError.self) {
            while count < 200 {
                try anna.session.send(Data(count: 1 << 20), toPeers: [ben.peer], with: .reliable)
                count += 1
            }
        }
        #expect(error?.code == .unavailable)
        #expect((60...70).contains(count))
        withExtendedLifetime(events) {}
    }

    @Test("the delegate is called on the queue that is set, and by itself not on the main one (PEER-10)")
    func delegateQueue() async throws {
        let key = DispatchSpecificKey<String>()
        DispatchQueue.main.setSpecific(key: key, value: "main")
        for onMain in [false, true] {
            let queue = Locked<[String]>([])
            let anna = TestPeer("Anna")
            let ben = QueuePeer { queue.withLock { $0.append(DispatchQueue.getSpecific(key: key) ?? "own") } }
            if onMain { ben.session.delegateQueue = .main }
            let address = try ben.accept()
            try await anna.session.invite(at: [address])
            try anna.session.send(Data([1]), toPeers: anna.connected, with: .reliable)
            await eventually("three calls") { queue.withLock { $0.count } == 3 }
            #expect(queue.withLock { Set($0) } == [onMain ? "main" : "own"])
        }
    }

    @Test("sending to a peer that is not connected, or to no peer, is an error and sends nothing (PEER-07)")
    func sendingToOthersFails() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let stranger = MCPeerID(displayName: "Carl")
        #expect(
            throws: MCError(.invalidParameter, "a message has no receivers", hint: "give at least one connected peer")
        ) {
            try anna.session.send(Data(), toPeers: [], with: .reliable)
        }
        let error = #expect(throws: MCError.self) {
            try anna.session.send(Data([1]), toPeers: [ben.peer, stranger], with: .reliable)
        }
        #expect(error?.code == .notConnected && (error as NSError?)?.domain == MCErrorDomain && error?.errorCode == 1)
        #expect(throws: MCError.self) { try anna.session.startStream(withName: "a", toPeer: stranger) }
        try anna.session.send(Data([2]), toPeers: [ben.peer], with: .reliable)
        await eventually("the second") { ben.messages(from: anna) == [Data([2])] }
    }
}

/// A peer that notes each call of its delegate.
private final class QueuePeer: TestPeer, @unchecked Sendable {
    private let called: @Sendable () -> Void

    init(_ called: @escaping @Sendable () -> Void) {
        self.called = called
        super.init("Ben")
    }

    override func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        called()
        super.session(session, peer: peerID, didChange: state)
    }

    override func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        called()
        super.session(session, didReceive: data, fromPeer: peerID)
    }
}
