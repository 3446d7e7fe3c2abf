import CoreDataSyncing
import Foundation
import MultipeerConnectivity
import Synchronization
import TestBasics
import Testing

@testable import CoreDataSyncPeers

@Suite("Items between devices that meet", .timeLimit(.minutes(5)))
struct PeerTransportTests {
    @Test("what was written before and after two devices connect is with both, and what is removed goes from both")
    func connectionsBringItems() async throws {
        let folder = try TemporaryFolder()
        let one = try PeerDevice("one", in: folder.url)
        let two = try PeerDevice("two", in: folder.url)
        try one.put("before", "a-t-1.ocsync")
        try two.put("there", "b-t-1.ocsync")
        let changes = Mutex(0)
        #expect(two.transport.watch { changes.withLock { $0 += 1 } })
        try await one.meet(two)
        await eventually("all is with both") { one.names.count == 2 && two.names.count == 2 }
        try one.put("after", "a-t-2.ocsync")
        await eventually("the new item is there") { two.names.contains("a-t-2.ocsync") }
        #expect(try two.contents() == one.contents())
        #expect(changes.withLock { $0 } > 0)
        try one.transport.remove("a-t-1.ocsync")
        await eventually("the item has gone") { two.names == ["a-t-2.ocsync", "b-t-1.ocsync"] }
        // An item of another device is not this one's to remove.
        try two.transport.remove("a-t-2.ocsync")
        #expect(two.names.contains("a-t-2.ocsync"))
    }

    @Test("devices that never meet hear of each other by one that meets both, one after the other")
    func itemsAreHandedOn() async throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try PeerDevice("one", in: folder.url), try PeerDevice("two", in: folder.url))
        let between = try PeerDevice("between", in: folder.url)
        try one.put("from one", "a-t-1.ocsync")
        try await between.meet(one)
        await eventually("the first exchange is over") { between.names == ["a-t-1.ocsync"] }
        between.leave()
        try two.put("from two", "b-t-1.ocsync")
        try await between.meet(two)
        await eventually("the second exchange is over") { two.names.count == 2 && between.names.count == 2 }
        between.leave()
        try one.transport.remove("a-t-1.ocsync")
        try await between.meet(one)
        await eventually("one has heard of two") { one.names == ["b-t-1.ocsync"] && between.names == one.names }
        between.leave()
        try await between.meet(two)
        await eventually("two has heard that the item went") { two.names == ["b-t-1.ocsync"] }
    }

    @Test("many items, and items of megabytes, come whole")
    func manyAndLargeItemsCome() async throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try PeerDevice("one", in: folder.url), try PeerDevice("two", in: folder.url))
        for number in 0..<1_000 { try one.put("item \(number)", "a-t-\(number).ocsync") }
        let large = [UInt8]((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try one.transport.write(large, named: "a-b-large.ocsync")
        try one.transport.write([], named: "a-b-empty.ocsync")
        try await one.meet(two)
        await eventually("all have come", within: .seconds(120)) { two.names.count == 1_002 }
        #expect(try two.contents() == one.contents())
        #expect(two.transport.missingCount == 0)
    }

    @Test("a device that was away, written to by itself, and opened again goes on where it was")
    func foldersOutliveSessions() async throws {
        let folder = try TemporaryFolder()
        let one = try PeerDevice("one", in: folder.url)
        var two: PeerDevice? = try PeerDevice("two", in: folder.url)
        try await one.meet(try #require(two))
        try one.put("first", "a-t-1.ocsync")
        await eventually("the item is there") { two?.names == ["a-t-1.ocsync"] }
        two?.leave()
        two = nil
        try one.put("second", "a-t-2.ocsync")
        let again = try PeerDevice("two", in: folder.url)
        #expect(again.names == ["a-t-1.ocsync"])
        try again.put("alone", "b-t-1.ocsync")
        try await one.meet(again)
        await eventually("both have all") { one.names.count == 3 && again.names.count == 3 }
    }

    @Test("a member that sends what it likes does not reach beyond the folder, nor stop the others")
    func strangersAreBounded() async throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try PeerDevice("one", in: folder.url), try PeerDevice("two", in: folder.url))
        let stranger = MCSession(peer: MCPeerID(displayName: "stranger"))
        try await one.meet(two)
        let port = try one.session.endpoint.listen()
        let session = one.session
        one.session.endpoint.setInvitationHandler { [weak session] in $0.answer(true, session: session) }
        let peer = try await stranger.invite(at: [PeerAddress(host: "127.0.0.1", port: port)])
        await eventually("all are connected") { stranger.connectedPeers.count == 2 }

        let nothing = ItemList(OwnerID(1), counter: 1, sizes: ["x-t-never.ocsync": 5])
        let junk: [[UInt8]] = [
            [], [1], [0, 1, 2, 3], [UInt8](repeating: 0xFF, count: 100_000),
            PeerMessage.item("../escaped.ocsync", [1]).bytes,
            PeerMessage.item("x-t-unasked.ocsync", [1]).bytes, PeerMessage.list(nothing).bytes,
            PeerMessage.wantedItems((0..<5_000).map { "x-t-\($0).ocsync" }).bytes,
            PeerMessage.wantedLists((0..<5_000).map { OwnerID(UInt64($0)) }).bytes,
            PeerMessage.changes(OwnerID(1), since: 1, [.added("x-t-other.ocsync", size: 1 << 30)]).bytes,
            PeerMessage.states((0..<5_000).map { ListState(owner: OwnerID(UInt64($0 + 5)), counter: 9, digest: 0) })
                .bytes,
        ]
        for bytes in junk { try? stranger.send(Data(bytes), toPeers: stranger.connectedPeers, with: .reliable) }
        let file = folder.url.appendingPathComponent("resource")
        try Data("x".utf8).write(to: file)
        stranger.sendResource(at: file, withName: "../../escaped.ocsync", toPeer: peer)

        try one.put("still", "a-t-1.ocsync")
        try two.put("here", "b-t-1.ocsync")
        await eventually("the two still exchange") { one.names.count == 2 && two.names.count == 2 }
        #expect(one.names == ["a-t-1.ocsync", "b-t-1.ocsync"])
        #expect(one.transport.missingCount == 2, "what the stranger lists and does not give stays missing")
        let files = try #require(FileManager.default.enumerator(atPath: folder.url.path)).compactMap { $0 as? String }
        #expect(!files.contains { $0.contains("escaped") || $0.contains("unasked") })
    }

    @Test("names that peers do not take are refused, with what to do")
    func namesAreRefused() throws {
        let folder = try TemporaryFolder()
        let one = try PeerDevice("one", in: folder.url)
        let error = #expect(throws: SyncError.self) { try one.put("x", "../x.ocsync") }
        #expect(error.map { "\($0)".contains("x.ocsync") } == true)
        #expect(one.names.isEmpty)
    }
}
