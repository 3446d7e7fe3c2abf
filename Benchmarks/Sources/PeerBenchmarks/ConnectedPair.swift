import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit

/// Two sessions in this process that are connected over the loopback address, with a block for messages.
final class ConnectedPair: NSObject, MCSessionDelegate, @unchecked Sendable {
    let (one, other): (MCSession, MCSession)
    let (onePeer, otherPeer) = (MCPeerID(displayName: "one"), MCPeerID(displayName: "other"))
    /// Set before the first message.
    var received: (MCSession, Data) -> Void = { _, _ in }
    let resource = DispatchSemaphore(value: 0)
    let file = Locked<URL?>(nil)

    override init() {
        (one, other) = (MCSession(peer: onePeer), MCSession(peer: otherPeer))
        super.init()
        (one.delegate, other.delegate) = (self, self)
        let session = other
        other.endpoint.setInvitationHandler { $0.answer(true, session: session) }
    }

    func connect() async throws {
        let address = PeerAddress(host: "127.0.0.1", port: try other.endpoint.listen())
        try await one.invite(otherPeer, at: [address])
        while other.connectedPeers.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) { received(session, data) }
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
    ) {
        if let error { print("failed: \(error)") }
        file.withLock { $0 = localURL }
        resource.signal()
    }
}
