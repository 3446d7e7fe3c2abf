import CoreData
import CoreDataSyncing
import StoreContract
import Synchronization
import TestBasics
import Testing

/// A transport in memory that counts what it is asked, and fails after some items were read.
private final class CountingTransport: SyncTransport {
    struct Counts: Equatable {
        var lists = 0
        var reads = 0
        var writes = 0
    }

    let whole: MemoryTransport
    let counts = Mutex(Counts())
    let readsLeft = Mutex<Int?>(nil)

    init(_ whole: MemoryTransport) { self.whole = whole }

    var title: String { "counting" }

    func items() throws -> [SyncItem] {
        counts.withLock { $0.lists += 1 }
        return try whole.items()
    }

    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        let isBroken = readsLeft.withLock { left in
            guard let count = left else { return false }
            left = count - 1
            return count <= 0
        }
        guard !isBroken else { throw SyncError(.transport, "The line is broken.", cure: "Try again.") }
        counts.withLock { $0.reads += 1 }
        return try whole.read(item, atMost: limit)
    }

    func write(_ bytes: [UInt8], named name: String) throws {
        counts.withLock { $0.writes += 1 }
        try whole.write(bytes, named: name)
    }

    func remove(_ name: String) throws { try whole.remove(name) }
}

@Suite("Joining in parts", .timeLimit(.minutes(5)))
struct JoiningTests {
    private func options() -> SyncOptions {
        var options = SyncOptions()
        options.partSize = 4_000
        return options
    }

    /// A store with objects of all kinds, whose lists and links go over the parts.
    private func founder(over transport: any SyncTransport) async throws -> SyncPeer {
        let peer = try SyncPeer(over: transport, options: options())
        let owner = peer.insert("Owner", "owner", ["code": "a"])
        let tag = peer.insert("Tag", "tag")
        var items: [NSManagedObject] = []
        for number in 0..<300 {
            let kind = number % 3 == 0 ? "Special" : "Item"
            items.append(peer.insert(kind, "item \(number)", ["count": number, "owner": owner]))
        }
        peer.context.performAndWait {
            owner.setValue(NSOrderedSet(array: items.reversed()), forKey: "list")
            tag.setValue(NSSet(array: items), forKey: "items")
            tag.setValue(NSSet(object: owner), forKey: "seen")
        }
        try peer.save()
        try await peer.session.join(.founding)
        return peer
    }

    @Test(
        "a store takes the whole state in parts, with links and lists between them",
        arguments: [StoreKind.sqlite, .inMemory])
    func takesParts(kind: StoreKind) async throws {
        let transport = MemoryTransport()
        let first = try await founder(over: transport)
        let second = try SyncPeer(kind: kind, over: transport, options: options())
        try await second.session.join(.joining)
        _ = try await first.session.exchange()
        #expect(transport.contents.keys.count { $0.contains("-b-") } > 10)
        let summary = try await second.session.exchange()
        #expect(summary.inserted == 302)
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])

        // It goes on like any other, and the parts are removed.
        _ = second.insert("Item", "later", ["owner": try second.find("Owner", "owner")])
        try second.save()
        try await settle([second, first])
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])
        #expect(transport.contents.keys.count { $0.contains("-b-") } == 0)
    }

    @Test("a join that breaks off shows nothing, and goes on without what was read before")
    func joinGoesOn() async throws {
        let transport = MemoryTransport()
        let first = try await founder(over: transport)
        let counting = CountingTransport(transport)
        let second = try SyncPeer(over: counting, options: options())
        try await second.session.join(.joining)
        _ = try await first.session.exchange()
        let parts = transport.contents.keys.count { $0.contains("-b-") }
        counting.readsLeft.withLock { $0 = 6 }
        _ = try? await second.session.exchange()
        #expect(try second.dump().isEmpty)
        counting.readsLeft.withLock { $0 = nil }
        let before = counting.counts.withLock { $0.reads }
        // The process ended: another session goes on.
        let session = try SyncSession(second.stack.store, over: counting, options: options())
        let summary = try await session.exchange()
        #expect(summary.inserted == 302)
        #expect(counting.counts.withLock { $0.reads } - before < parts)
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])
    }

    @Test("a store with objects of its own merges them with the whole state in parts")
    func ownObjectsAreMerged() async throws {
        let transport = MemoryTransport()
        let first = try await founder(over: transport)
        let second = try SyncPeer(over: transport, options: options())
        _ = second.insert("Owner", "mine", ["code": "a"])
        _ = second.insert("Item", "own")
        try second.save()
        try await second.session.join(.joining)
        try await settle([first, second])
        #expect(StoreDump.difference(try first.dump(), try second.dump()) == [])
        #expect(try first.dump().contains("label=own"))
        #expect(try first.dump().split(separator: "\n").count { $0.hasPrefix("Owner") } == 1)
    }

    @Test("an exchange with nothing to say asks the transport once and writes nothing")
    func idleCostsOneCheck() async throws {
        let transport = MemoryTransport()
        let counting = CountingTransport(transport)
        let first = try SyncPeer(over: transport)
        let second = try SyncPeer(over: counting)
        _ = first.insert("Item", "one")
        try first.save()
        try await first.session.join(.founding)
        try await second.session.join(.joining)
        try await settle([first, second])
        counting.counts.withLock { $0 = CountingTransport.Counts() }
        let summary = try await second.session.exchange()
        #expect(counting.counts.withLock { $0 } == CountingTransport.Counts(lists: 1))
        #expect(summary.writtenBytes == 0 && summary.readBytes == 0)
    }
}
