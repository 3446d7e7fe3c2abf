import Foundation

/// What a session reports, on ``MCSession/delegateQueue``: one call at a time, in order.
public protocol MCSessionDelegate: NSObjectProtocol {
    /// The state of a peer has changed. ``MCSession/reason(forPeer:)`` says why it is no longer connected.
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)

    /// A message has come. While the method runs, its bytes count as waiting: a peer cannot send without bounds.
    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)

    /// A peer has opened a stream to this one.
    func session(
        _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID)

    /// A peer sends a resource. Cancelling the progress refuses it.
    func session(
        _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
        with progress: Progress)

    /// A resource has come, or failed. The file is at a temporary place; who wants it moves it, and who does not removes it.
    func session(
        _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
        at localURL: URL?, withError error: (any Error)?)

    /// Decides whether the certificate of a peer is trusted: its elements are `Data` in DER, nil where nothing is encrypted.
    func session(
        _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
    /// Trusts the certificate, as Apple's sessions do for delegates without the method.
    public func session(
        _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        certificateHandler(true)
    }
}
