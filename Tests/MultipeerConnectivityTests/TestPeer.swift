import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics

/// A peer of a test with its session, and all that the session reports.
class TestPeer: NSObject, MCSessionDelegate, @unchecked Sendable {
    struct Record {
        var states: [String] = []
        var messages: [String: [Data]] = [:]
        var resources: [(name: String, result: Result<URL, any Error>)] = []
        var streams: [(name: String, stream: InputStream)] = []
        var wasOnMain = false
    }

    let peer: MCPeerID
    let session: MCSession
    let record = Locked(Record())
    /// Whether certificates are trusted.
    let trusts = Locked(true)

    init(_ name: String, of peer: MCPeerID? = nil, session: ((MCPeerID) -> MCSession)? = nil) {
        let own = peer ?? MCPeerID(displayName: name)
        self.peer = own
        self.session = session?(own) ?? MCSession(peer: own)
        super.init()
        self.session.delegate = self
    }

    var connected: [MCPeerID] { session.connectedPeers }
    func messages(from other: TestPeer) -> [Data] { record.withLock { $0.messages[other.peer.displayName] ?? [] } }
    var states: [String] { record.withLock { $0.states } }

    /// Listens, and takes every peer in that invites.
    func accept(_ accept: Bool = true) throws -> PeerAddress {
        let session = session
        session.endpoint.setInvitationHandler { [weak session] in $0.answer(accept, session: session) }
        return PeerAddress(host: "127.0.0.1", port: try session.endpoint.listen())
    }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        record.withLock { record in
            record.states.append("\(peerID.displayName) \(state)")
            if Thread.isMainThread { record.wasOnMain = true }
        }
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        record.withLock { $0.messages[peerID.displayName, default: []].append(data) }
    }

    func session(
        _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
    ) {
        record.withLock { $0.streams.append((streamName, stream)) }
    }

    func session(
        _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
        with progress: Progress
    ) {}

    func session(
        _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
        at localURL: URL?, withError error: (any Error)?
    ) {
        record.withLock { record in
            record.resources.append(
                (resourceName, localURL.map { .success($0) } ?? .failure(error ?? CocoaError(.fileNoSuchFile))))
        }
    }

    func session(
        _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        certificateHandler(trusts.withLock { $0 })
    }
}
