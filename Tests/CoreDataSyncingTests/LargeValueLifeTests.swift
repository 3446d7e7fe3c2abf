import CoreData
import CoreDataSync
import CoreDataSyncing
import Foundation
import StoreContract
import Synchronization
import TestBasics
import Testing

/// How long chunks of large values live, and who gets them.
@Suite("Chunks of large values", .timeLimit(.minutes(5)))
struct LargeValueLifeTests {
    private static let day: UInt64 = 86_400_000

    /// A clock that a test moves.
    final class Clock: Sendable {
        private let time = Mutex<UInt64>(1_800_000_000_000)

        var now: @Sendable () -> UInt64 { { [self] in time.withLock { $0 } } }

        func advance(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds } }
    }

    private func peers(_ count: Int, _ transport: MemoryTransport, _ clock: Clock) async throws -> [SyncPeer] {
        let options = LargeValueTests.options(clock.now)
        let peers = try (0..<count).map { _ in try SyncPeer(over: transport, options: options) }
        for peer in peers { try await peer.session.join() }
        try await settle(peers, rounds: 3)
        return peers
    }

    private func replace(_ peer: SyncPeer, _ value: Data) throws {
        try LargeValueTests.edit(peer) { $0 = value }
    }

    /// The digests of the chunks of a value that is the only one on a transport of its own.
    private func digests(_ value: Data) throws -> Set<String> {
        var digests: Set<String> = []
        value.withUnsafeBytes { bytes in
            LargeValueTests.cutter.cut(bytes) { part in
                if let digest = ChunkDigest.sha256(of: Array(part)) { digests.insert(digest.description) }
            }
        }
        return digests
    }

    private func present(_ transport: MemoryTransport) -> Set<String> {
        Set(LargeValueTests.chunkNames(transport).map { String($0.split(separator: "-")[2].prefix(64)) })
    }

    @Test("chunks that nothing names leave the transport, once peers that lag have what replaced them (SYNC-11)")
    func unusedChunksAreRemoved() async throws {
        let transport = MemoryTransport()
        let clock = Clock()
        let peers = try await peers(3, transport, clock)
        let values = (1...2).map { LargeValueTests.bytes(30_000, seed: $0) }
        let (old, new) = (try digests(values[0]), try digests(values[1]))
        _ = peers[0].insert("Item", "one", ["data": values[0]])
        try peers[0].save()
        try await settle(Array(peers[..<2]), rounds: 3)
        #expect(present(transport) == old)

        try replace(peers[0], values[1])
        for _ in 0..<4 {
            try await settle(Array(peers[..<2]), rounds: 2)
            clock.advance(Self.day)
        }
        #expect(present(transport) == old.union(new), "the third peer still needs them")
        for _ in 0..<4 {
            try await settle(peers, rounds: 2)
            clock.advance(Self.day)
        }
        #expect(present(transport) == new)
        for peer in peers { #expect(try LargeValueTests.value(peer) == values[1]) }

        // What was forgotten is sent again when it is needed again.
        try replace(peers[1], values[0])
        try await settle(peers, rounds: 3)
        for peer in peers { #expect(try LargeValueTests.value(peer) == values[0]) }
        #expect(present(transport).isSuperset(of: old))
    }

    @Test(
        "a baseline names large values by their chunks, which are sent again if the transport has lost them (SYNC-11)")
    func baselinesHaveLargeValues() async throws {
        let transport = MemoryTransport()
        let clock = Clock()
        let peers = try await peers(2, transport, clock)
        let value = LargeValueTests.bytes(30_000)
        _ = peers[0].insert("Item", "one", ["data": value])
        try peers[0].save()
        for _ in 0..<3 {
            try await settle(peers, rounds: 2)
            clock.advance(Self.day)
        }
        for name in LargeValueTests.chunkNames(transport).prefix(9) { transport.contents[name] = nil }
        let third = try SyncPeer(over: transport, options: LargeValueTests.options(clock.now))
        _ = third.insert("Item", "two", ["data": LargeValueTests.bytes(9_000, seed: 3)])
        try third.save()
        try await third.session.join()
        let all = peers + [third]
        try await settle(all, rounds: 4)
        let baselines = transport.contents.filter { $0.key.contains("-b-") }.values
        #expect(baselines.allSatisfy { $0.count < 8_000 })
        let expected = try peers[0].dump()
        for peer in all { #expect(try StoreDump.difference(expected, peer.dump()) == []) }
        #expect(try LargeValueTests.value(third) == value && expected.contains("label=two"))
    }

    @Test("a value that is too large to be sent as a whole stays on its device, is listed, and stops nothing (SYNC-11)")
    func tooLargeValuesAreListed() async throws {
        let transport = MemoryTransport()
        var options = SyncOptions()
        options.cutter = ChunkCutter(threshold: .max, leastSize: 1, greatestSize: 1, bits: 1)
        options.greatestValueSize = 10_000
        let peers = try (0..<2).map { _ in try SyncPeer(over: transport, options: options) }
        let value = LargeValueTests.bytes(20_000)
        _ = peers[0].insert("Item", "one", ["data": value, "count": 1])
        try peers[0].save()
        for peer in peers { try await peer.session.join() }
        try await settle(peers, rounds: 2)
        let listed = try await peers[0].session.status().unsentValues
        #expect(listed.map(\.attribute) == ["data"] && listed.map(\.entity) == ["Item"] && listed[0].size > 20_000)
        #expect(try LargeValueTests.value(peers[0]) == value)
        #expect(try LargeValueTests.value(peers[1]) == nil)

        let item = try peers[0].find("Item", "one")
        peers[0].context.performAndWait { item.setValue(2, forKey: "count") }
        _ = peers[0].insert("Tag", "later")
        try peers[0].save()
        try await settle(peers, rounds: 2)
        #expect(try peers[1].dump().contains("label=later") && peers[1].dump().contains("count=2"))
        #expect(try LargeValueTests.value(peers[0]) == value)
        try replace(peers[0], Data([1, 2, 3]))
        try await settle(peers, rounds: 2)
        #expect(try LargeValueTests.value(peers[1]) == Data([1, 2, 3]))
        #expect(try await peers[0].session.status().unsentValues.isEmpty)
    }

    // Long: Scripts/run-tests leaves it out by its name, Scripts/soak runs it.
    @Test("a byte of 100 MB takes less than a megabyte, and 1 GB that breaks off 20 times a twentieth more (SYNC-11)")
    func largeValuesAtFullSize() async throws {
        let transports = (0..<2).map { _ in LimitedTransport(MemoryTransport()) }
        let shared = LimitedTransport(transports[0].base)
        let peers = try [transports[0], shared].map { try SyncPeer(over: $0) }
        for peer in peers { try await peer.session.join() }
        try await settle(peers, rounds: 2)
        let count = 100_000_000
        _ = peers[0].insert("Item", "one", ["large": LargeValueTests.bytes(count)])
        try peers[0].save()
        try await settle(peers, rounds: 2)
        let item = try peers[0].find("Item", "one")
        let before = transports[0].counts.withLock { $0.chunkBytes + $0.otherBytes }
        try peers[0].context.performAndWait {
            var data = try #require(item.value(forKey: "large") as? Data)
            data[count / 2] ^= 1
            item.setValue(data, forKey: "large")
        }
        try peers[0].save()
        try await settle(peers, rounds: 2)
        let sent = transports[0].counts.withLock { $0.chunkBytes + $0.otherBytes } - before
        #expect(sent > 0 && sent < 1_000_000)
        #expect(try StoreDump.difference(peers[0].dump(), peers[1].dump()) == [])

        let size = 1_000_000_000
        _ = peers[0].insert("Item", "two", ["large": LargeValueTests.bytes(size, seed: 2)])
        try peers[0].save()
        let start = transports[0].counts.withLock { $0.chunkBytes }
        var breaks = 0
        for _ in 0..<60 {
            transports[0].limits.withLock { $0.chunkWrites = 500 }
            if (try? await peers[0].session.exchange()) != nil { break }
            breaks += 1
        }
        #expect(breaks >= 20)
        #expect(transports[0].counts.withLock { $0.chunkBytes } - start < size / 20 * 21)
        try await settle(peers, rounds: 2)
        #expect(try StoreDump.difference(peers[0].dump(), peers[1].dump()) == [])
    }
}
