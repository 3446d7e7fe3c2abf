import Foundation
import MultipeerConnectivity
import TestBasics
import TestServers
import Testing

@Suite(
    "Advertiser assistants", .serialized, .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .timeLimit(.minutes(1)))
struct AdvertiserAssistantTests {
    private let type = "a" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12)

    init() throws { _ = try DiscoveryServer.shared.get() }

    /// Counts what an assistant says.
    private final class Watcher: MCAdvertiserAssistantDelegate, @unchecked Sendable {
        private let lock = NSLock()
        private var recorded: [String] = []
        var words: [String] { lock.withLock { recorded } }
        func add(_ word: String) { lock.withLock { recorded.append(word) } }
        func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) { add("presented") }
        func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) { add("dismissed") }
    }

    @Test("invitations wait for a person, who accepts or declines them once (PEER-05)")
    func answers() async throws {
        let (ann, bob, cid) = (NearbyPeer("Ann"), NearbyPeer("Bob"), NearbyPeer("Cid"))
        let (assistant, watcher) = (
            MCAdvertiserAssistant(serviceType: type, discoveryInfo: ["room": "1"], session: ann.session), Watcher()
        )
        assistant.delegate = watcher
        assistant.onChange { watcher.add("changed") }
        assistant.start()
        let browsers = [try bob.browser(type), try cid.browser(type)]
        for browser in browsers { browser.startBrowsingForPeers() }
        await eventually("Ann") { bob.words == ["+Ann room=1"] && cid.words == ["+Ann room=1"] }
        browsers[0].invitePeer(ann.peer, to: bob.session, withContext: Data("hi".utf8), timeout: 20)
        await eventually("the invitation") { assistant.invitations.count == 1 }
        #expect(watcher.words == ["presented", "changed"])
        let first = assistant.invitations[0]
        #expect(first.peer == bob.peer && first.context == Data("hi".utf8))
        #expect(assistant.answer(first.id, accept: true))
        #expect(!assistant.answer(first.id, accept: false))
        await eventually("the connection") { ann.words.last == "connected Bob" && bob.words.last == "connected Ann" }

        browsers[1].invitePeer(ann.peer, to: cid.session, withContext: nil, timeout: 20)
        await eventually("the other") { assistant.invitations.map(\.peer) == [cid.peer] }
        assistant.stop()
        await eventually("the refusal") { cid.words.contains("notConnected Ann") }
        #expect(assistant.invitations.isEmpty)
        #expect(watcher.words.filter { $0 == "dismissed" }.count == 2)
        #expect(ann.session.connectedPeers == [bob.peer])
        for browser in browsers { browser.stopBrowsingForPeers() }
        ann.session.disconnect()
    }
}
