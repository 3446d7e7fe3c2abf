import CoreData
import CoreDataSyncing
import Foundation
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Large values that come on demand.
@Suite("Large values on demand", .timeLimit(.minutes(5)))
struct LargeValueDemandTests {
    private static func options(_ largeValues: SyncLargeValues?) -> SyncOptions {
        var options = LargeValueTests.options()
        options.largeValues = largeValues
        return options
    }

    /// Two peers, of which the second gets large values on demand, with an item of the first.
    private func pair(
        _ value: Data, _ transport: MemoryTransport, _ largeValues: SyncLargeValues = .onDemand
    ) async throws -> (peers: [SyncPeer], reading: LimitedTransport) {
        let reading = LimitedTransport(transport)
        let peers = [
            try SyncPeer(over: transport, options: LargeValueTests.options()),
            try SyncPeer(over: reading, options: Self.options(largeValues)),
        ]
        for peer in peers { try await peer.session.join() }
        try await settle(peers, rounds: 2)
        _ = peers[0].insert("Item", "one", ["data": value])
        try peers[0].save()
        try await settle(peers, rounds: 2)
        return (peers, reading)
    }

    private func identifier(_ peer: SyncPeer) throws -> NSManagedObjectID {
        let item = try peer.find("Item", "one")
        return peer.context.performAndWait { item.objectID }
    }

    private func set(_ peer: SyncPeer, _ key: String, _ value: Any?) throws {
        let item = try peer.find("Item", "one")
        peer.context.performAndWait { item.setValue(value, forKey: key) }
        try peer.save()
    }

    @Test("an object appears without its large value, which is listed and comes when it is fetched (SYNC-11)")
    func valuesComeWhenTheyAreFetched() async throws {
        let value = LargeValueTests.bytes(40_000)
        let (peers, reading) = try await pair(value, MemoryTransport())
        #expect(try LargeValueTests.value(peers[1]) == nil)
        #expect(reading.counts.withLock { $0.readChunkBytes } == 0)
        var status = try await peers[1].session.status()
        #expect(status.absentValues.map(\.attribute) == ["data"] && status.absentValues.first?.size == 40_000)
        #expect(status.isInSync && status.missingBytes == 0)
        #expect(try await peers[1].session.examine().findings.isEmpty)

        #expect(try await peers[1].session.fetch(identifier(peers[1]), "data"))
        #expect(try LargeValueTests.value(peers[1]) == value)
        status = try await peers[1].session.status()
        #expect(status.absentValues.isEmpty && status.isInSync)
        #expect(reading.counts.withLock { $0.readChunkBytes } > 40_000)
        try await settle(peers, rounds: 2)
        #expect(try StoreDump.difference(peers[0].dump(), peers[1].dump()) == [])
    }

    @Test("a picture appears with its thumbnail before its bytes, which come when they are fetched (MEDIA-13, SYNC-11)")
    func thumbnailsComeFirst() async throws {
        let picture = LargeValueTests.bytes(400_000)
        let thumbnail = LargeValueTests.bytes(900, seed: 2)
        let transport = MemoryTransport()
        let (peers, reading) = try await pair(Data([1]), transport)
        let taken = try peers[0].find("Item", "one")
        peers[0].context.performAndWait {
            taken.setValue(picture, forKey: "large")
            taken.setValue(thumbnail, forKey: "data")
        }
        try peers[0].save()
        try await settle(peers, rounds: 2)
        func shown(_ key: String) throws -> Data? {
            let item = try peers[1].find("Item", "one")
            return peers[1].context.performAndWait { item.value(forKey: key) as? Data }
        }
        #expect(try shown("data") == thumbnail)
        #expect(try shown("large") == nil)
        #expect(reading.counts.withLock { $0.readChunkBytes } == 0)
        #expect(try await peers[1].session.fetch(identifier(peers[1]), "large"))
        #expect(try shown("large") == picture)
    }

    @Test("saves of other attributes, and comparisons of all rows, leave a value that is not here as it is (SYNC-11)")
    func savesLeaveAbsentValues() async throws {
        let value = LargeValueTests.bytes(40_000)
        let (peers, _) = try await pair(value, MemoryTransport())
        try set(peers[1], "count", 7)
        try await peers[1].session.exchange(comparing: true)
        try await settle(peers, rounds: 2)
        #expect(try LargeValueTests.value(peers[0]) == value)
        #expect(try peers[0].dump().contains("count=7"))
        #expect(try await peers[1].session.status().absentValues.count == 1)
    }

    @Test("the former value is shown until the later one is fetched, or another one is saved (SYNC-11)")
    func formerValuesAreShown() async throws {
        let values = (1...3).map { LargeValueTests.bytes(20_000 * Int($0), seed: $0) }
        let (peers, _) = try await pair(values[0], MemoryTransport())
        try await peers[1].session.fetchAll()
        try LargeValueTests.edit(peers[0]) { $0 = values[1] }
        try await settle(peers, rounds: 2)
        #expect(try LargeValueTests.value(peers[1]) == values[0])
        try set(peers[1], "count", 8)
        try await settle(peers, rounds: 2)
        #expect(try LargeValueTests.value(peers[0]) == values[1])
        #expect(try LargeValueTests.value(peers[1]) == values[0])

        try LargeValueTests.edit(peers[1]) { $0 = values[2] }
        try await settle(peers, rounds: 2)
        for peer in peers { #expect(try LargeValueTests.value(peer) == values[2]) }
        #expect(try await peers[1].session.status().absentValues.isEmpty)
    }

    @Test("who joins gets objects without large values; sessions without options keep that (SYNC-11)")
    func joiningOnDemand() async throws {
        let transport = MemoryTransport()
        let value = LargeValueTests.bytes(40_000)
        let first = try SyncPeer(over: transport, options: LargeValueTests.options())
        _ = first.insert("Item", "one", ["data": value, "words": (0..<2_000).map { "word \($0)" } as NSArray])
        try first.save()
        try await first.session.join()
        let reading = LimitedTransport(transport)
        let second = try SyncPeer(over: reading, options: Self.options(.onDemand(of: ["Item.data", "Owner"])))
        try await second.session.join()
        try await settle([first, second], rounds: 2)
        #expect(try LargeValueTests.value(second) == nil)
        #expect(try second.dump().contains("word 1999"))

        let later = try SyncSession(second.stack.store, over: reading, options: LargeValueTests.options())
        try LargeValueTests.edit(first) { $0[7] ^= 1 }
        try await first.session.exchange()
        try await later.exchange()
        #expect(try LargeValueTests.value(second) == nil)
        #expect(try await later.fetchAll() == 0)
        #expect(try LargeValueTests.value(second) == LargeValueTests.value(first))
    }

    @Test("a device without a value's bytes does not claim them, and keeps them on the transport (SYNC-11)")
    func absentValuesAreNotClaimed() async throws {
        let transport = MemoryTransport()
        let value = LargeValueTests.bytes(40_000)
        let (peers, _) = try await pair(value, transport)
        let names = LargeValueTests.chunkNames(transport)
        let kept = transport.contents.filter { names.contains($0.key) }
        for name in names { transport.contents[name] = nil }
        let third = try SyncPeer(over: transport, options: LargeValueTests.options())
        try await third.session.join(.joining)
        try await settle([peers[1], third])
        #expect(try await third.session.status().missingBytes == 40_000)
        #expect(LargeValueTests.chunkNames(transport).isEmpty)
        #expect(try await !peers[1].session.fetch(identifier(peers[1]), "data"))
        #expect(try await peers[1].session.status().absentValues.map(\.isFetched) == [true])

        for (name, bytes) in kept { transport.contents[name] = bytes }
        let identity = try await peers[0].session.status().identity
        try await peers[1].session.forget(identity)
        _ = try await peers[1].session.compact()
        try await settle([peers[1], third])
        for peer in [peers[1], third] { #expect(try LargeValueTests.value(peer) == value) }
    }

    @Test("values that no longer come on demand are fetched by themselves; names without large values are refused")
    func onDemandEnds() async throws {
        let transport = MemoryTransport()
        let (peers, reading) = try await pair(LargeValueTests.bytes(40_000), transport)
        let eager = try SyncSession(peers[1].stack.store, over: reading, options: Self.options(.atOnce))
        try await eager.exchange()
        #expect(try LargeValueTests.value(peers[1]) == LargeValueTests.value(peers[0]))
        #expect(throws: SyncError.self) {
            try SyncSession(peers[1].stack.store, over: reading, options: Self.options(.onDemand(of: ["Item.count"])))
        }
    }
}
