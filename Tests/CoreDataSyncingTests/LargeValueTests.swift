import CoreData
import CoreDataSync
import CoreDataSyncing
import Foundation
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Values in chunks of one to four KiB, a sixty-fourth of those of the format, since a digest takes long in debug builds.
@Suite("Large values", .timeLimit(.minutes(5)))
struct LargeValueTests {
    static let cutter = ChunkCutter(threshold: 4_096, leastSize: 512, greatestSize: 4_096, bits: 10)

    static func options(_ now: (@Sendable () -> UInt64)? = nil) -> SyncOptions {
        var options = SyncOptions()
        options.cutter = cutter
        if let now { options.clock = now }
        return options
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededRandom(seed: seed)
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    static func chunkNames(_ transport: MemoryTransport) -> [String] {
        transport.contents.keys.filter { LimitedTransport.isChunk($0) }.sorted()
    }

    /// Two peers that take part, the first with an item that has a value.
    static func pair(_ value: Data, _ transports: [LimitedTransport]) async throws -> [SyncPeer] {
        let peers = try transports.map { try SyncPeer(over: $0, options: options()) }
        for peer in peers { try await peer.session.join() }
        try await settle(peers, rounds: 2)
        _ = peers[0].insert("Item", "one", ["data": value])
        try peers[0].save()
        return peers
    }

    static func edit(_ peer: SyncPeer, _ body: (inout Data) -> Void) throws {
        let item = try peer.find("Item", "one")
        peer.context.performAndWait {
            var data = item.value(forKey: "data") as? Data ?? Data()
            body(&data)
            item.setValue(data, forKey: "data")
        }
        try peer.save()
    }

    static func value(_ peer: SyncPeer) throws -> Data? {
        let item = try peer.find("Item", "one")
        return peer.context.performAndWait { item.value(forKey: "data") as? Data }
    }

    @Test("texts, data beside the row and archives of many bytes arrive as they were (SYNC-11)")
    func everyKindTravels() async throws {
        let transport = MemoryTransport()
        let peers = try [StoreKind.sqlite, .inMemory, .sqlite].map {
            try SyncPeer(kind: $0, over: transport, options: Self.options())
        }
        let text = String(repeating: "Zoë 👩‍🚀 ", count: 3_000)
        let words = (0..<2_000).map { "word \($0)" } as NSArray
        _ = peers[0].insert(
            "Item", text, ["data": Self.bytes(20_000), "large": Self.bytes(150_000, seed: 2), "words": words])
        _ = peers[0].insert("Item", "small", ["data": Self.bytes(4_096)])
        try peers[0].save()
        for peer in peers {
            try await peer.session.join()
            try await peer.session.exchange()
        }
        try await settle(peers)
        let expected = try peers[0].dump()
        for peer in peers.dropFirst() { #expect(try StoreDump.difference(expected, peer.dump()) == []) }
        let digests = Self.chunkNames(transport).map { $0.split(separator: "-")[2] }
        #expect(digests.count > 50 && Set(digests).count == digests.count)
        #expect(try await peers[1].session.status().isInSync)
    }

    @Test(
        "of a value of which a byte changes, only the chunks around it are sent; insertions at the beginning too (SYNC-11)"
    )
    func changesAreSmall() async throws {
        let transports = (0..<2).map { _ in LimitedTransport(MemoryTransport()) }
        let shared = LimitedTransport(transports[0].base)
        let peers = try await Self.pair(Self.bytes(400_000), [transports[0], shared])
        try await settle(peers, rounds: 2)
        let first = transports[0].counts.withLock { $0.chunkBytes }
        #expect(first > 400_000 && first < 410_000)

        try Self.edit(peers[0]) { $0[200_000] ^= 1 }
        try await settle(peers, rounds: 2)
        let second = transports[0].counts.withLock { $0.chunkBytes }
        #expect(second > first && second - first < 16_384)
        try Self.edit(peers[0]) { $0.insert(contentsOf: [1, 2, 3], at: 0) }
        try await settle(peers, rounds: 2)
        let third = transports[0].counts.withLock { $0.chunkBytes }
        #expect(third > second && third - second < 16_384)
        #expect(try Self.value(peers[1]) == Self.value(peers[0]))
        #expect(try Self.value(peers[1])?.count == 400_003)
        // The lists of digests, 35 bytes a chunk, are the rest.
        #expect(transports[0].counts.withLock { $0.otherBytes } < 3 * 400_000 / 1_000 * 40)
        #expect(shared.counts.withLock { $0.chunkBytes } == 0)
        #expect(shared.counts.withLock { $0.readChunkBytes } == third)
    }

    @Test("a transfer that breaks off twenty times sends and reads at most a twentieth once more (SYNC-11)")
    func brokenTransfersGoOn() async throws {
        let writing = LimitedTransport(MemoryTransport())
        let reading = LimitedTransport(writing.base)
        let peers = try await Self.pair(Self.bytes(400_000), [writing, reading])
        var breaks = 0
        for _ in 0..<60 {
            writing.limits.withLock { $0.chunkWrites = 10 }
            if (try? await peers[0].session.exchange()) != nil { break }
            breaks += 1
            _ = try await peers[1].session.exchange()
            #expect(try peers[1].dump().isEmpty)
        }
        #expect(breaks >= 20)
        #expect(writing.counts.withLock { $0.chunkBytes } < 400_000 / 20 * 21)
        breaks = 0
        for _ in 0..<60 {
            reading.limits.withLock { $0.chunkReads = 10 }
            if (try? await peers[1].session.exchange()) != nil { break }
            breaks += 1
        }
        #expect(breaks >= 20)
        #expect(reading.counts.withLock { $0.readChunkBytes } < 400_000 / 20 * 21)
        #expect(try Self.value(peers[1]) == Self.value(peers[0]))
    }

    @Test("a chunk that was damaged is refused, said once, asked for and written again (HAZ-58)")
    func damagedChunksAreAskedFor() async throws {
        let transport = MemoryTransport()
        let peers = try await Self.pair(Self.bytes(40_000), [LimitedTransport(transport), LimitedTransport(transport)])
        try await peers[0].session.exchange()
        let names = Self.chunkNames(transport)
        // A whole frame of another chunk of the same size, and one with a wrong checksum.
        let other = SyncFrame.encode(
            .chunk([UInt8](repeating: 7, count: (transport.contents[names[0]]?.count ?? 0) - 13)))
        transport.contents[names[0]] = other
        transport.contents[names[1]]?[100] ^= 1
        transport.contents[names[2]] = nil
        let summary = try await peers[1].session.exchange()
        #expect(Set(summary.refused.map(\.item)) == Set(names[..<2]))
        #expect(try peers[1].dump().isEmpty)
        let status = try await peers[1].session.status()
        #expect(status.missingBytes > 0 && !status.isInSync && status.refusedItems == Array(names[..<2]))
        #expect(try await peers[1].session.exchange().refused.isEmpty)

        try await settle(peers, rounds: 2)
        #expect(try Self.value(peers[1]) == Self.value(peers[0]))
        #expect(try await peers[1].session.status().refusedItems.isEmpty)
        #expect(try await peers[1].session.status().isInSync)
        #expect(!transport.contents.keys.contains { $0.contains("-w-") })
    }

    @Test("a transport without room is a visible error; others are read, and it goes on when there is room (SYNC-11)")
    func fullTransportsGoOn() async throws {
        let full = LimitedTransport(MemoryTransport())
        let peers = try await Self.pair(Self.bytes(100_000), [full, LimitedTransport(full.base)])
        full.limits.withLock { $0.room = 60_000 }
        _ = peers[1].insert("Tag", "from the other")
        try peers[1].save()
        try await peers[1].session.exchange()
        await #expect(throws: SyncError.self) { try await peers[0].session.exchange() }
        #expect(try peers[0].dump().contains("label=from the other"))
        #expect(try await peers[0].session.status().lastFailure?.message == "There is no room.")
        try await peers[1].session.exchange()
        #expect(try !peers[1].dump().contains("label=one"))

        full.limits.withLock { $0.room = .max }
        try await settle(peers, rounds: 2)
        #expect(try Self.value(peers[1]) == Self.value(peers[0]))
        #expect(full.counts.withLock { $0.chunkBytes } < 105_000)
        #expect(try await peers[0].session.status().lastFailure == nil)
    }
}
