import Foundation
import MultipeerConnectivity
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataSyncPeers

@Suite(
    "Devices that find each other", .serialized,
    .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .timeLimit(.minutes(3)))
struct PeerConnectorTests {
    private let type = "m" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12)
    private let folder: TemporaryFolder

    init() throws {
        _ = try DiscoveryServer.shared.get()
        folder = try TemporaryFolder()
    }

    /// A device whose user finds the codes equal, or not.
    private func device(_ name: String, _ codes: Codes) throws -> PeerDevice {
        let device = try PeerDevice(name, in: folder.url)
        let paired = PairingFile(folder.url.appendingPathComponent("\(name).paired"))
        device.session.trust = .pairing(paired) { _, code, answer in answer(codes.compare(name, code)) }
        return device
    }

    private final class Codes: Sendable {
        private let seen = Mutex<[String: [String]]>([:])
        let areEqual: Bool
        init(areEqual: Bool = true) { self.areEqual = areEqual }
        func compare(_ name: String, _ code: String) -> Bool {
            seen.withLock { $0[name, default: []].append(code) }
            return areEqual
        }
        var all: [String: [String]] { seen.withLock { $0 } }
    }

    @Test(
        "devices of a group find each other, pair once, exchange, and meet again; others stay apart (PEER-03, SYNC-10)")
    func devicesOfAGroupMeet() async throws {
        let codes = Codes()
        let devices = try ["kitchen", "hall"].map { try device($0, codes) }
        let stranger = try device("stranger", codes)
        let connectors = try devices.map { try PeerConnector($0.transport, serviceType: type, group: "family") }
        let other = try PeerConnector(stranger.transport, serviceType: type, group: "neighbours")
        try devices[0].put("milk", "a-t-1.ocsync")
        try stranger.put("secret", "s-t-1.ocsync")
        for connector in connectors + [other] { connector.start() }
        await eventually("the item is with both") { devices[1].names == ["a-t-1.ocsync"] }
        #expect(codes.all["kitchen"] == codes.all["hall"])
        #expect(codes.all["kitchen"]?.count == 1)
        #expect(stranger.session.connectedPeers.isEmpty)

        devices[0].leave()
        try devices[1].put("bread", "b-t-1.ocsync")
        await eventually("they have met again") { devices[0].names.count == 2 }
        devices[1].leave()
        try devices[0].put("salt", "c-t-1.ocsync")
        await eventually("they have met once more") { devices[1].names.count == 3 }
        #expect(codes.all["kitchen"]?.count == 1, "who is paired is not asked again")
        #expect(devices.allSatisfy { !$0.names.contains("s-t-1.ocsync") })
        for connector in connectors + [other] { connector.stop() }
    }

    @Test("a device whose code is not the same is not admitted, and the reason is reported (PEER-05)")
    func otherCodesAreNotAdmitted() async throws {
        let codes = Codes(areEqual: false)
        let devices = try ["kitchen", "thief"].map { try device($0, codes) }
        let connectors = try devices.map { try PeerConnector($0.transport, serviceType: type) }
        try devices[0].put("milk", "a-t-1.ocsync")
        for connector in connectors { connector.start() }
        var problems = connectors[0].problems.makeAsyncIterator()
        let problem = await problems.next()
        #expect(problem != nil)
        #expect(!codes.all.isEmpty, "the codes were compared")
        #expect(devices[1].names.isEmpty)
        for connector in connectors { connector.stop() }
    }

    @Test("a connector demands pairing, and service types and groups that follow the rules")
    func connectorsDemandPairing() throws {
        let open = try PeerDevice("open", in: folder.url)
        #expect(throws: MCError.self) { try PeerConnector(open.transport, serviceType: type) }
        let paired = try device("paired", Codes())
        #expect(throws: MCError.self) { try PeerConnector(paired.transport, serviceType: "Not A Type") }
        #expect(throws: MCError.self) {
            try PeerConnector(paired.transport, serviceType: type, group: String(repeating: "g", count: 101))
        }
    }
}
