import Foundation
import MultipeerConnectivity

/// A peer of tests: it accepts invitations if it is to, and records all that it hears, as words.
final class NearbyPeer: NSObject, MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate, MCSessionDelegate,
    @unchecked Sendable
{
    let session: MCSession
    let accepts: Bool
    private let lock = NSLock()
    private var recorded: [String] = []
    private var seen: [MCPeerID] = []

    init(_ name: String, accepts: Bool = true) {
        session = MCSession(peer: MCPeerID(displayName: name))
        self.accepts = accepts
        super.init()
        session.delegate = self
    }

    var words: [String] { lock.withLock { recorded } }
    var found: [MCPeerID] { lock.withLock { seen } }
    var peer: MCPeerID { session.myPeerID }

    private func add(_ word: String) { lock.withLock { recorded.append(word) } }

    func advertiser(_ type: String, _ info: [String: String]? = nil) throws -> MCNearbyServiceAdvertiser {
        let advertiser = try MCNearbyServiceAdvertiser(validating: peer, discoveryInfo: info, serviceType: type)
        advertiser.delegate = self
        return advertiser
    }

    func browser(_ type: String) throws -> MCNearbyServiceBrowser {
        let browser = try MCNearbyServiceBrowser(validating: peer, serviceType: type)
        browser.delegate = self
        return browser
    }

    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void
    ) {
        add("invited by \(peerID.displayName): \(context.map { String(decoding: $0, as: UTF8.self) } ?? "nil")")
        invitationHandler(accepts, accepts ? session : nil)
    }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        add("not advertised: \((error as? MCError)?.hint ?? "\(error)")")
    }

    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
        lock.withLock { seen.append(peerID) }
        let words = (info ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        add("+\(peerID.displayName)\(words.joined())")
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { add("-\(peerID.displayName)") }

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        add("not browsing: \((error as? MCError)?.hint ?? "\(error)")")
    }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        add("\(state) \(peerID.displayName)")
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        add("\(peerID.displayName): \(String(decoding: data, as: UTF8.self))")
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
        at localURL: URL?,
        withError error: (any Error)?
    ) {}
}
