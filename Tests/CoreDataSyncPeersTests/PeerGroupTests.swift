import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import TestBasics
import TestServers
import Testing

@testable import CoreDataSyncPeers

@Suite("Groups of devices", .serialized, .timeLimit(.minutes(3)))
struct PeerGroupTests {
    private let folder: TemporaryFolder
    private let group: PeerGroup

    init() throws {
        folder = try TemporaryFolder()
        // The library of the bus reads its address once in a process.
        if DiscoveryServer.isAvailable { _ = try DiscoveryServer.shared.get() }
        group = try PeerGroup(
            serviceType: "g" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12), name: "family")
    }

    private func device(_ name: String, admitted: URL? = nil) throws -> PeerGroupTransport {
        try PeerGroupTransport(
            group, in: folder.url.appendingPathComponent(name), deviceName: name, admitted: admitted)
    }

    /// The port of a device that has begun, on this machine.
    private func address(_ device: PeerGroupTransport) throws -> String {
        try #require(device.ownAddresses.first { $0.hasPrefix("127.0.0.1:") })
    }

    @Test("an address is read as it was written; other texts are refused with the rule (PEER-02)")
    func addresses() throws {
        for (type, name) in [("shop", ""), ("shop", "family"), ("a-1", "Küche/oben"), ("oz-tictactoe", " ")] {
            let group = try PeerGroup(serviceType: type, name: name)
            #expect(try PeerGroup(address: group.address) == group)
        }
        for text in [
            "", "peers:", "peers:/x", "peers:Shop", "peers:a-type-of-16-let", "/peers:shop", "https://peers/shop",
            "peers:x y",
        ] {
            let error = #expect(throws: SyncError.self) { try PeerGroup(address: text) }
            #expect(error?.code == .transport && error?.cure.isEmpty == false)
        }
        #expect(throws: SyncError.self) { try PeerGroup(serviceType: "shop", name: String(repeating: "n", count: 101)) }
        #expect(throws: SyncError.self) { try PeerGroup(serviceType: "shop", name: "a\u{1B}[2Jb") }
    }

    @Test(
        "a device is the same after it was closed and opened, its files are for its owner, and one program uses them (PEER-01)"
    )
    func folderIsKept() throws {
        let identifier: String
        let digest: String
        do {
            let device = try device("kitchen")
            (identifier, digest) = (device.session.myPeerID.identifier, device.session.endpoint.keyDigest)
            let error = #expect(throws: SyncError.self) { try self.device("kitchen") }
            #expect(error?.description.contains("Another program") == true)
            let (own, file) = try PeerGroupTransport.pairings(
                in: folder.url.appendingPathComponent("kitchen"), deviceName: "kitchen")
            #expect(own.id == identifier && own.keyDigest == digest)
            #expect(try file.peers().isEmpty)
        }
        let again = try device("kitchen")
        #expect(again.session.myPeerID.identifier == identifier && again.session.endpoint.keyDigest == digest)
        for name in ["key.pem", "identifier", "lock"] {
            let path = folder.url.appendingPathComponent("kitchen/\(name)").path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test("damaged files of a device, and names that are not allowed, are refused with what to do")
    func damagedFilesAreRefused() throws {
        #expect(throws: SyncError.self) { try device(String(repeating: "x", count: 64)) }
        _ = try device("hall")
        let identifier = folder.url.appendingPathComponent("hall/identifier")
        for bytes in [Data(), Data([0xFF, 0xFE]), Data(repeating: 0x61, count: 100_000)] {
            try bytes.write(to: identifier)
            chmod(identifier.path, 0o600)
            #expect(throws: SyncError.self) { try device("hall") }
        }
    }

    @Test(
        "two devices compare a code, exchange, and need none the next time; who leaves is no longer connected (PEER-05, SYNC-10)"
    )
    func devicesMeet() async throws {
        let (kitchen, hall) = (try device("kitchen"), try device("hall"))
        for device in [kitchen, hall] { try device.start() }
        if !DiscoveryServer.isAvailable {
            let address = try address(kitchen)
            Task { try await hall.connect(to: address) }
        }
        await eventually("both compare") {
            [kitchen, hall].allSatisfy { $0.devices.first?.state == .comparing }
        }
        #expect(kitchen.devices[0].code == hall.devices[0].code)
        for device in [kitchen, hall] { device.answer(device.devices[0].id, isSameCode: true) }
        await eventually("both are connected") { [kitchen, hall].allSatisfy { $0.devices.first?.state == .connected } }
        try kitchen.write(Array("milk".utf8), named: "a-t-1.ocsync")
        await eventually("the item") { (try? hall.items().map(\.name)) == ["a-t-1.ocsync"] }
        #expect(
            try PeerGroupTransport.keptItems(of: group, in: folder.url.appendingPathComponent("hall")).items().count
                == 1)

        kitchen.stop()
        await eventually("the connection has ended") { hall.devices.allSatisfy { $0.state != .connected } }
        #expect(kitchen.devices.isEmpty)
        try kitchen.start()
        let address = try address(kitchen)
        if DiscoveryServer.isAvailable {
            await eventually("they are connected once more") { hall.devices.first?.state == .connected }
        } else {
            try await hall.connect(to: address)
        }
        #expect(hall.devices.first?.problem == nil)
        for device in [kitchen, hall] { device.stop() }
    }

    @Test("only devices of a file are admitted where there is one, and nothing is asked (PEER-05)")
    func onlyPairedDevicesAreAdmitted() async throws {
        let file = folder.url.appendingPathComponent("admitted")
        try Data("{}".utf8).write(to: file)
        let (kitchen, thief) = (try device("kitchen", admitted: file), try device("thief"))
        for device in [kitchen, thief] { try device.start() }
        let error = await #expect(throws: SyncError.self) { try await thief.connect(to: try address(kitchen)) }
        #expect([.pairing, .transport].contains(error?.code))
        #expect(kitchen.devices.allSatisfy { $0.state != .comparing && $0.state != .connected })
        for text in ["here", "", "host:", ":1", "127.0.0.1:99999"] {
            await #expect(throws: SyncError.self) { try await kitchen.connect(to: text) }
        }
        for device in [kitchen, thief] { device.stop() }
    }

    @Test("reports of discovery and of a session give the same devices in whatever order they come (PEER-17)")
    func reportsInAnyOrder() throws {
        let peer = MCPeerID(displayName: "Hall")
        var list = DeviceList()
        list.compare(peer, "123 456") { _ in }
        list.found(peer)
        list.changed(peer, .connecting, nil)
        #expect(list.sorted.map(\.state) == [.comparing] && list.sorted[0].code == "123 456")
        #expect(list.takeAnswer("no such device", isSameCode: true) == nil)
        #expect(list.takeAnswer(peer.identifier, isSameCode: true) != nil)
        #expect(list.sorted.map(\.state) == [.connecting] && list.sorted[0].code == nil)
        list.changed(peer, .connected, nil)
        list.vanished(peer)
        #expect(list.sorted.map(\.state) == [.connected])
        list.changed(peer, .notConnected, MCError(.notConnected, "it has left"))
        #expect(list.sorted.map(\.state) == [.lost] && list.sorted[0].problem == "it has left")
        list.found(peer)
        #expect(list.sorted.map(\.state) == [.visible])
        list.changed(peer, .notConnected, MCError(.cancelled, "the codes are not the same"))
        #expect(list.sorted.map(\.state) == [.refused])
        // Those that are gone are not kept without bounds.
        for number in 0..<500 {
            list.changed(MCPeerID(displayName: "\(number)"), .notConnected, MCError(.timedOut, "no answer"))
        }
        #expect(list.sorted.count <= 66)
    }
}
