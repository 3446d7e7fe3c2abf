import Foundation
import MultipeerConnectivity
import TestBasics
import TestServers
import Testing

@Suite(
    "Peers nearby", .serialized, .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .timeLimit(.minutes(3)))
struct NearbyServiceTests {
    private let server: DiscoveryServer
    private let type = "p" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12)

    init() throws { server = try DiscoveryServer.shared.get() }

    private func child(_ words: String...) throws -> Child {
        try Child(words, of: Child.url("DiscoveryChild"), environment: server.environment)
    }

    @Test(
        "two processes find each other, see the discovery info, connect, and notice when one is killed (PEER-03, PEER-04)"
    )
    func twoProcesses() async throws {
        let ann = NearbyPeer("Ann")
        let (advertiser, browser) = (try ann.advertiser(type, ["game": "oz", "level": "3"]), try ann.browser(type))
        browser.startBrowsingForPeers()
        advertiser.startAdvertisingPeer()
        let watcher = try child("browse", "Cid", type)
        let bob = try child("advertise", "Bob", type, "app=org.example.tictactoe.very.long.identifier")
        #expect(bob.line()?.hasPrefix("advertising ") == true)
        await eventually("Bob") { ann.words == ["+Bob app=org.example.tictactoe.very.long.identifier"] }
        #expect(
            Set([watcher.line(), watcher.line()]) == [
                "+Ann game=oz level=3", "+Bob app=org.example.tictactoe.very.long.identifier",
            ])
        #expect(try server.browse("_\(type)._tcp").filter { $0.hasPrefix("=") }.count == 2)

        browser.invitePeer(ann.found[0], to: ann.session, withContext: Data("hello".utf8), timeout: 20)
        await eventually("the connection") { ann.words.last == "connected Bob" }
        try ann.session.send(Data("echo".utf8), toPeers: ann.session.connectedPeers, with: .reliable)
        await eventually("the message") { ann.words.last == "Bob: echo" }

        bob.kill()
        #expect(watcher.line() == "-Bob")
        await eventually("the loss") { ann.words.contains("-Bob") }
        browser.stopBrowsingForPeers()
        advertiser.stopAdvertisingPeer()
        #expect(watcher.line() == "-Ann")
        watcher.kill()
        ann.session.disconnect()
    }

    @Test(
        "one that only looks is not seen, the own service and other types are hidden, starts and stops repeat (PEER-03)"
    )
    func visibility() async throws {
        let (ann, bob, cid) = (NearbyPeer("Ann"), NearbyPeer("Bob"), NearbyPeer("Cid"))
        let (annBrowser, bobBrowser, cidBrowser) = (
            try ann.browser(type), try bob.browser(type), try cid.browser("other-type")
        )
        let annAdvertiser = try ann.advertiser(type)
        for browser in [annBrowser, bobBrowser, cidBrowser] {
            browser.startBrowsingForPeers()
            browser.startBrowsingForPeers()
        }
        annAdvertiser.startAdvertisingPeer()
        annAdvertiser.startAdvertisingPeer()
        await eventually("Ann") { bob.words == ["+Ann"] }
        #expect(try server.browse("_\(type)._tcp").filter { $0.hasPrefix("=") }.count == 1)
        annAdvertiser.stopAdvertisingPeer()
        annAdvertiser.stopAdvertisingPeer()
        await eventually("the loss") { bob.words == ["+Ann", "-Ann"] }
        annAdvertiser.startAdvertisingPeer()
        await eventually("Ann again") { bob.words == ["+Ann", "-Ann", "+Ann"] }
        #expect(bob.found[0] == ann.peer && bob.found[1] == ann.peer)
        bobBrowser.stopBrowsingForPeers()
        bobBrowser.stopBrowsingForPeers()
        annAdvertiser.stopAdvertisingPeer()
        annBrowser.stopBrowsingForPeers()
        cidBrowser.stopBrowsingForPeers()
        #expect(ann.words.isEmpty && cid.words.isEmpty)
        #expect(bob.words.count == 3)
    }

    @Test("switching availability off stops discovery and invitations, and keeps the connection (PEER-03)")
    func availability() async throws {
        let (ann, bob) = (NearbyPeer("Ann"), NearbyPeer("Bob"))
        let (advertiser, browser) = (try ann.advertiser(type), try bob.browser(type))
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
        await eventually("Ann") { bob.words == ["+Ann"] }
        browser.invitePeer(ann.peer, to: bob.session, withContext: nil, timeout: 20)
        await eventually("the connection") { ann.words.last == "connected Bob" && bob.words.last == "connected Ann" }
        #expect(ann.words.first == "invited by Bob: nil")
        advertiser.stopAdvertisingPeer()
        await eventually("the loss") { bob.words.last == "-Ann" }
        browser.stopBrowsingForPeers()
        try bob.session.send(Data("still here".utf8), toPeers: [ann.peer], with: .reliable)
        await eventually("the message") { ann.words.last == "Bob: still here" }
        let cid = NearbyPeer("Cid")
        let port = try #require(ann.session.endpoint.port)
        cid.session.endpoint.invite(
            ann.peer, at: [PeerAddress(host: "127.0.0.1", port: port)], to: cid.session, context: nil, timeout: 20)
        await eventually("the refusal") { cid.words.last == "notConnected Ann" }
        ann.session.disconnect()
    }

    @Test("two peers of one name are two, under their own name (PEER-01, PEER-03)")
    func sameNames() async throws {
        let (one, two, ann) = (NearbyPeer("Twin"), NearbyPeer("Twin"), NearbyPeer("Ann"))
        let (first, second, browser) = (try one.advertiser(type), try two.advertiser(type), try ann.browser(type))
        browser.startBrowsingForPeers()
        first.startAdvertisingPeer()
        second.startAdvertisingPeer()
        await eventually("both") { ann.words == ["+Twin", "+Twin"] }
        #expect(Set(ann.found) == [one.peer, two.peer])
        let judged = try server.browse("_\(type)._tcp").filter { $0.hasPrefix("=") }
        #expect(judged.contains { $0.contains(";Twin\\032\\0352;") }, "\(judged)")
        browser.invitePeer(two.peer, to: ann.session, withContext: Data("you".utf8), timeout: 20)
        await eventually("the right one") { two.words.last == "connected Ann" }
        #expect(one.words.isEmpty)
        for advertiser in [first, second] { advertiser.stopAdvertisingPeer() }
        browser.stopBrowsingForPeers()
        ann.session.disconnect()
    }

    @Test("an invitation is declined by the delegate, and one of a peer that is gone is reported (PEER-05)")
    func declining() async throws {
        let (ann, bob) = (NearbyPeer("Ann", accepts: false), NearbyPeer("Bob"))
        let (advertiser, browser) = (try ann.advertiser(type), try bob.browser(type))
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
        await eventually("Ann") { bob.words == ["+Ann"] }
        browser.invitePeer(ann.peer, to: bob.session, withContext: Data("please".utf8), timeout: 20)
        await eventually("the refusal") { bob.words.last == "notConnected Ann" }
        #expect(ann.words == ["invited by Bob: please"])
        #expect(bob.session.reason(forPeer: ann.peer)?.code == .cancelled)
        advertiser.stopAdvertisingPeer()
        await eventually("the loss") { bob.words.last == "-Ann" }
        browser.invitePeer(ann.peer, to: bob.session, withContext: nil, timeout: 1)
        await eventually("the failure") { bob.words.last == "notConnected Ann" }
        browser.stopBrowsingForPeers()
    }

    @Test(
        "service types that break the rules are refused (PEER-02)",
        arguments: ["", "sixteen-letters-x", "UPPER", "a--b", "-a", "123", "_a._tcp"])
    func badTypes(_ type: String) {
        let ann = NearbyPeer("Ann")
        let error = #expect(throws: MCError.self) { try ann.browser(type) }
        #expect(error?.code == .invalidParameter)
        #expect(throws: MCError.self) { try ann.advertiser(type) }
    }

    @Test("discovery info that no TXT record can have is refused (PEER-04)")
    func badInfo() throws {
        let ann = NearbyPeer("Ann")
        for info in [
            ["a=b": "1"], ["": "1"], ["é": "1"], ["_id": "1"], ["k": "1", "K": "2"],
            ["k": String(repeating: "v", count: 254)],
        ] {
            let error = #expect(throws: MCError.self) { try ann.advertiser(type, info) }
            #expect(error?.code == .invalidParameter, "\(info)")
        }
        _ = try ann.advertiser(type, ["k": String(repeating: "v", count: 253)])
    }

    @Test("services that are not peers, or lie about who they are, do no harm (PEER-03)")
    func strangers() async throws {
        let (ann, bob) = (NearbyPeer("Ann"), NearbyPeer("Bob"))
        let (advertiser, browser) = (try ann.advertiser(type, ["real": "yes"]), try bob.browser(type))
        let identifier = "0123456789abcdef0123456789abcdef"
        let records = [
            ["Plain"], ["Versionless", "_id=\(identifier)", "_n=A"], ["Future", "_v=9", "_id=\(identifier)", "_n=A"],
            ["Short", "_v=1", "_id=12", "_n=A"], ["Nameless", "_v=1", "_id=\(identifier)", "_n="],
            ["Long", "_v=1", "_id=\(identifier)", "_n=\(String(repeating: "n", count: 200))"],
            ["Control", "_v=1", "_id=\(identifier)", "_n=a\u{1B}[2Jb"],
        ]
        var processes: [Process] = []
        defer { for process in processes { process.terminate() } }
        for (number, record) in records.enumerated() {
            let process = Process()
            process.executableURL = try Toolchain.url("avahi-publish")
            process.arguments = ["-s", record[0], "_\(type)._tcp", "\(5_000 + number)"] + record.dropFirst()
            process.environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            processes.append(process)
        }
        await eventually("the strangers") {
            ((try? server.browse("_\(type)._tcp")) ?? []).filter { $0.hasPrefix("=") }.count == records.count
        }
        browser.startBrowsingForPeers()
        advertiser.startAdvertisingPeer()
        await eventually("Ann") { bob.words.contains("+Ann real=yes") }
        #expect(bob.words == ["+Ann real=yes"])
        advertiser.stopAdvertisingPeer()
        browser.stopBrowsingForPeers()
    }

    @Test("without a daemon the error says how to go on, and peers connect by address (PEER-03, PEER-12)")
    func withoutDaemon() async throws {
        let bare = try DiscoveryServer(busOnly: ())
        let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
        for environment in [bare.environment, nowhere] {
            let url = Child.url("DiscoveryChild")
            let browser = try Child(["browse", "Cid", type], of: url, environment: environment)
            let words = try #require(browser.line())
            #expect(
                words.hasPrefix("error unavailable") && words.contains("avahi-daemon") && words.contains("by address"),
                "\(words)")
            let publisher = try Child(["publish", "Cid", "_\(type)._tcp", "4711"], of: url, environment: environment)
            #expect(publisher.line()?.hasPrefix("error -72008") == true)
            let bob = try Child(["advertise", "Bob", type], of: url, environment: environment)
            let lines = [bob.line(), bob.line()].compactMap { $0 }
            let port = try #require(lines.first { $0.hasPrefix("advertising ") }.flatMap { UInt16($0.dropFirst(12)) })
            #expect(lines.contains { $0.hasPrefix("error unavailable") && $0.contains("avahi-daemon") })
            let ann = NearbyPeer("Ann")
            ann.session.endpoint.invite(
                nil, at: [PeerAddress(host: "127.0.0.1", port: port)], to: ann.session, context: nil, timeout: 20)
            await eventually("the connection") { ann.words.last == "connected Bob" }
            ann.session.disconnect()
            for child in [browser, publisher, bob] { child.kill() }
        }
    }

    @Test("a program without Avahi's library starts, and says which package it needs (PEER-03)")
    func withoutLibrary() throws {
        let script = """
            for f in $(ldconfig -p | sed -n 's/.*=> *\\(.*libavahi-client.so.3\\)$/\\1/p'); do mount --bind /dev/null "$f"; done
            exec "$0" browse Cid \(type)
            """
        let child = try Child(
            [
                "-c",
                "exec \(DiscoveryServer.unshare) sh -c '\(script.replacingOccurrences(of: "'", with: "'\\''"))' \(Child.url("DiscoveryChild").path)",
            ],
            of: URL(fileURLWithPath: "/bin/sh"), environment: server.environment)
        let words = try #require(child.line())
        #expect(
            words.hasPrefix("error unavailable") && words.contains("libavahi-client3") && words.contains("by address"),
            "\(words)")
        child.kill()
    }
}
