import CoreData
import CoreDataStore
import CoreDataSync
import CoreDataSyncing
import Foundation
import StoreContract
import Synchronization
import TestBasics
import Testing

/// Stores with large values that are joined in small parts, over folders whose connection breaks.
@Suite("Joining with large values", .timeLimit(.minutes(10)))
struct LargeJoiningTests {
    private static let count = 24

    private static func options() -> SyncOptions {
        var options = LargeValueTests.options()
        options.partSize = 1_000
        return options
    }

    /// A store with items of which each has a large value, and some an equal one.
    private func founder(over transport: any SyncTransport) async throws -> SyncPeer {
        let peer = try SyncPeer(over: transport, options: Self.options())
        let owner = peer.insert("Owner", "owner", ["code": "a"])
        let shared = LargeValueTests.bytes(6_000, seed: 99)
        var items: [NSManagedObject] = []
        for number in 0..<Self.count {
            let value = number % 4 == 0 ? shared : LargeValueTests.bytes(6_000, seed: UInt64(number))
            items.append(peer.insert("Item", "item \(number)", ["count": number, "data": value, "owner": owner]))
        }
        peer.context.performAndWait { owner.setValue(NSOrderedSet(array: items.reversed()), forKey: "list") }
        try peer.save()
        try await peer.session.join(.founding)
        return peer
    }

    /// What is wrong with the chunks of a store, counted once more.
    private func chunkFaults(_ peer: SyncPeer) throws -> [String] {
        try peer.stack.store.changingBelowContexts { source, _ in
            var storage = MemoryStorage()
            let entries = try #require(source.sideTable).sideEntries(withPrefix: [])
            storage.apply(entries.map { StateEntry(key: $0.key, value: $0.value) })
            var configuration = SyncConfiguration(schema: try SyncSchema(entities: []))
            configuration.digest = { ChunkDigest.sha256(of: $0) }
            let opening = SyncEngine.Opening(instance: [], spare: PeerID(1))
            return try SyncEngine.open(configuration, storage, opening, at: 0).0.chunkFaults(storage)
        }
    }

    private func stagedCount(_ peer: SyncPeer) throws -> Int {
        try peer.stack.store.changingBelowContexts { source, _ in
            try #require(source.sideTable).sideEntries(withPrefix: Array("p".utf8)).count
        }
    }

    private func names(_ folder: TemporaryFolder, _ kind: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("-\(kind)-") }
    }

    @Test("a join goes on where each process reads but one chunk (SYNC-11)", arguments: [false, true])
    func readingBreaks(hasOwnObjects: Bool) async throws {
        let folder = try TemporaryFolder()
        let first = try await founder(over: FolderTransport(folder.url))
        let line = BreakingTransport(FolderTransport(folder.url))
        let second = try SyncPeer(over: line, options: Self.options())
        if hasOwnObjects {
            _ = second.insert("Item", "own", ["data": LargeValueTests.bytes(5_000, seed: 500)])
            try second.save()
        }
        let own = try second.dump()
        try await second.session.join(.joining)
        try await first.session.exchange()
        let (parts, chunks) = (try names(folder, "b").count, try names(folder, "c").count)
        try #require(parts > 4 && chunks > 40)

        // Transactions that wait for the state are read each time.
        let waiting = try names(folder, "t").count
        var exchanges = 0
        while true {
            line.readsLeft.withLock { $0 = 1 + waiting }
            let session = try SyncSession(second.stack.store, over: line, options: Self.options())
            _ = try? await session.exchange()
            exchanges += 1
            guard try await session.status().isWaitingForState else { break }
            #expect(try second.dump() == own)
            try #require(exchanges < parts + chunks + 20)
        }
        #expect(exchanges >= chunks)
        line.readsLeft.withLock { $0 = .max }
        try await settle([second, first])
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])
        #expect(
            try second.dump().split(separator: "\n").count { $0.hasPrefix("Item") } == Self.count
                + (hasOwnObjects ? 1 : 0))
        for peer in [first, second] {
            #expect(try chunkFaults(peer) == [])
            #expect(try stagedCount(peer) == 0)
        }
        #expect(try names(folder, "b").isEmpty)
    }

    @Test("who gives the whole state goes on after a break, with what is missing of it (SYNC-11)")
    func writingBreaks() async throws {
        let folder = try TemporaryFolder()
        let line = BreakingTransport(FolderTransport(folder.url))
        let first = try await founder(over: line)
        try await first.session.exchange()
        let second = try SyncPeer(over: FolderTransport(folder.url), options: Self.options())
        try await second.session.join(.joining)
        var breaks = 0
        while true {
            line.writesLeft.withLock { $0 = 2 }
            if (try? await first.session.exchange()) != nil { break }
            breaks += 1
            try #require(breaks < 200)
        }
        #expect(breaks > 2)
        line.writesLeft.withLock { $0 = .max }
        try await settle([second, first])
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])
        #expect(try chunkFaults(second) == [])
    }

    @Test("a chunk that is damaged is asked for by a store that joins, and written again (HAZ-58)")
    func damagedChunksAreAskedFor() async throws {
        let folder = try TemporaryFolder()
        let first = try await founder(over: FolderTransport(folder.url))
        let second = try SyncPeer(over: FolderTransport(folder.url), options: Self.options())
        try await second.session.join(.joining)
        try await first.session.exchange()
        let chunks = try names(folder, "c").sorted()
        try Data([1, 2, 3]).write(to: folder.url.appendingPathComponent(chunks[0]))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(chunks[1]))
        try await second.session.exchange()
        #expect(try second.dump().isEmpty)
        #expect(try await second.session.status().missingBytes > 0)
        let again = try SyncSession(second.stack.store, over: FolderTransport(folder.url), options: Self.options())
        try await first.session.exchange()
        let summary = try await again.exchange()
        #expect(summary.inserted == Self.count + 1)
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])
        #expect(try chunkFaults(second) == [])
    }

    @Test("a part of the state is taken with the chunks of all of it, and values come into the part later (SYNC-11)")
    func partsHaveChunks() async throws {
        let folder = try TemporaryFolder()
        let first = try await founder(over: FolderTransport(folder.url))
        var part = SyncPart()
        part.keep("Item", where: NSPredicate(format: "count >= 20"))
        var options = Self.options()
        options.part = part
        let second = try SyncPeer(over: FolderTransport(folder.url), options: options)
        try await second.session.join(.joining)
        try await first.session.exchange()
        try await second.session.exchange()
        #expect(try second.dump().split(separator: "\n").count == 4)
        #expect(try chunkFaults(second) == [])

        let item = try first.find("Item", "item 3")
        first.context.performAndWait { item.setValue(30, forKey: "count") }
        try first.save()
        // It has no line to read chunks over any more.
        for name in try names(folder, "c") {
            try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
        }
        try await settle([first, second], rounds: 1)
        let arrived = try second.find("Item", "item 3")
        #expect(
            second.context.performAndWait { arrived.value(forKey: "data") as? Data }
                == LargeValueTests.bytes(6_000, seed: 3))
        #expect(try chunkFaults(second) == [])
    }

    @Test("a store that sends large values keeps the part that it shows, for programs that do not name it")
    func partIsKept() async throws {
        let folder = try TemporaryFolder()
        let first = try await founder(over: FolderTransport(folder.url))
        var part = SyncPart()
        part.keep("Item", where: NSPredicate(format: "count >= 20"))
        var options = Self.options()
        options.part = part
        let second = try SyncPeer(over: FolderTransport(folder.url), options: options)
        try await second.session.join(.joining)
        try await settle([first, second], rounds: 2)
        _ = second.insert("Item", "new", ["count": 25, "data": LargeValueTests.bytes(6_000, seed: 700)])
        try second.save()
        try await second.session.exchange()
        let other = try SyncSession(second.stack.store, over: FolderTransport(folder.url), options: Self.options())
        try await other.exchange()
        _ = first.insert("Item", "outside", ["count": 1])
        try first.save()
        try await first.session.exchange()
        try await other.exchange()
        #expect(try !second.dump().contains("outside"))
        #expect(try second.dump().contains("label=new"))
    }
}
