import Foundation

/// What is notified of peers that come and go. It is called on a private queue.
public protocol MCNearbyServiceBrowserDelegate: AnyObject {
    /// A peer appeared. The info is of a stranger, and to be checked; nil if it has none.
    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)

    /// A peer that was found is no longer visible. That says nothing of connections to it.
    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)

    /// No peers can be found: an ``MCError`` says why, and how to go on.
    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
    /// Does nothing.
    public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}
