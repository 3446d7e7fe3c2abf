import Foundation

/// Decides about invitations. It is called on a private queue.
public protocol MCNearbyServiceAdvertiserDelegate: AnyObject {
    /// A peer invites this one. `invitationHandler` must be called once, at any time; with a session, to accept.
    ///
    /// The context is of a stranger, and to be checked.
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?, invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void)

    /// The peer cannot be found by others: an ``MCError`` says why, and how to go on. Invitations by address arrive all
    /// the same.
    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
    /// Does nothing.
    public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {}
}
