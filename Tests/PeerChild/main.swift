import Foundation
import MultipeerConnectivity
import PeerKit

// A peer in a process of its own, for tests:
//
//   PeerChild NAME COUNT MESSAGES [HOST:PORT]
//
// It listens and writes "port NUMBER", connects to the peer at the address if there is one, and sends numbered messages to all as
// soon as COUNT others are connected. It writes "complete" when it has the messages of all of them, each once and in order, "wrong
// NAME" for one that comes out of order, and "lost NAME: REASON" when a peer is gone. Then it goes on until it is killed.

func say(_ text: String) {
    print(text)
    fflush(nil)
}

final class Listener: NSObject, MCSessionDelegate, @unchecked Sendable {
    // Used on the session's queue alone.
    private var next: [MCPeerID: Int] = [:]
    private var hasSent = false
    private let (count, messages): (Int, Int)

    init(count: Int, messages: Int) { (self.count, self.messages) = (count, messages) }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        if state == .notConnected {
            say("lost \(peerID.displayName): \(session.reason(forPeer: peerID)?.reason ?? "no reason")")
        }
        guard state == .connected, session.connectedPeers.count == count, !hasSent else { return }
        hasSent = true
        for number in 0..<messages {
            try? session.send(Data("\(number)".utf8), toPeers: session.connectedPeers, with: .reliable)
        }
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        let due = next[peerID, default: 0]
        if String(decoding: data, as: UTF8.self) != "\(due)" { say("wrong \(peerID.displayName)") }
        next[peerID] = due + 1
        if next.count == count, next.values.allSatisfy({ $0 == messages }) { say("complete") }
    }

    func session(
        _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
    ) {}
    func session(
        _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
        with progress: Progress
    ) {}
    func session(
        _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
        at localURL: URL?, withError error: (any Error)?
    ) {}
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let count = Int(arguments[2]), let messages = Int(arguments[3]) else { exit(2) }
let session = MCSession(peer: MCPeerID(displayName: arguments[1]))
session.maximumNumberOfPeers = 64
let listener = Listener(count: count, messages: messages)
session.delegate = listener
session.endpoint.setInvitationHandler { [session] in $0.answer(true, session: session) }
say("port \(try session.endpoint.listen())")
if arguments.count > 4, let address = PeerAddress(arguments[4]) {
    session.endpoint.invite(nil, at: [address], to: session, context: nil, timeout: 30)
}
dispatchMain()
