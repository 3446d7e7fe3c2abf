import Foundation
import MultipeerConnectivity
import NetServices

// The other process of the tests of discovery:
//
//   DiscoveryChild advertise NAME TYPE [KEY=VALUE …]   advertises a peer and accepts all invitations; writes "advertising", "error …",
//                                                      and "connected NAME" and the like
//   DiscoveryChild browse NAME TYPE                    writes "+NAME KEY=VALUE …" and "-NAME"
//   DiscoveryChild publish NAME TYPE PORT              publishes a NetService; writes "published NAME" or "error …"
//   DiscoveryChild inhibit REASON                      holds an idle inhibitor until it is killed; writes "held" or "error …"
//
// Each runs until it is killed.

func say(_ text: String) {
    print(text)
    fflush(nil)
}

func describe(_ error: any Error) -> String {
    guard let error = error as? MCError else { return "error \(error)" }
    return "error \(error.code) \(error.reason); \(error.hint)"
}

final class Peer: NSObject, MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate, MCSessionDelegate {
    let session: MCSession

    init(_ session: MCSession) { self.session = session }

    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping @Sendable (Bool, MCSession?) -> Void
    ) { invitationHandler(true, session) }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        say(describe(error))
    }

    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
        let words = (info ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        say("+\(peerID.displayName)\(words.joined())")
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { say("-\(peerID.displayName)") }
    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        say(describe(error))
    }

    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        say("\(state) \(peerID.displayName)")
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        try? session.send(data, toPeers: [peerID], with: .reliable)
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

final class Publisher: NetServiceDelegate {
    func netServiceDidPublish(_ sender: NetService) { say("published \(sender.name)") }
    func netService(_ sender: NetService, didNotPublish errorDict: [String: NSNumber]) {
        say("error \(errorDict[NetService.errorCode] ?? 0) \(sender.lastError?.description ?? "")")
    }
}

let words = CommandLine.arguments
var kept: [AnyObject] = []
switch words[1] {
case "advertise":
    let peer = Peer(MCSession(peer: MCPeerID(displayName: words[2])))
    peer.session.delegate = peer
    let info = words.dropFirst(4).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }.map { ($0[0], $0[1]) }
    let advertiser = MCNearbyServiceAdvertiser(
        peer: peer.session.myPeerID, discoveryInfo: Dictionary(uniqueKeysWithValues: info), serviceType: words[3])
    advertiser.delegate = peer
    advertiser.startAdvertisingPeer()
    say("advertising \(peer.session.endpoint.port ?? 0)")
    kept = [peer, advertiser]
case "browse":
    let peer = Peer(MCSession(peer: MCPeerID(displayName: words[2])))
    let browser = MCNearbyServiceBrowser(peer: peer.session.myPeerID, serviceType: words[3])
    browser.delegate = peer
    browser.startBrowsingForPeers()
    kept = [peer, browser]
case "publish":
    let (service, publisher) = (
        NetService(domain: "", type: words[3], name: words[2], port: Int32(words[4]) ?? 0), Publisher()
    )
    service.delegate = publisher
    service.publish()
    kept = [service, publisher]
case "inhibit":
    let inhibitor = IdleInhibitor(owner: "DiscoveryChild", reason: words[2])
    do {
        try inhibitor.hold()
        say("held")
    } catch {
        say(describe(error))
    }
    kept = [inhibitor]
default: exit(64)
}
withExtendedLifetime(kept) { RunLoop.main.run() }
