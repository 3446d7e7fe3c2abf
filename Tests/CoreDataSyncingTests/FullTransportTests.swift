import CoreData
import CoreDataSyncing
import StoreContract
import Synchronization
import TestBasics
import Testing

@Suite("Transports without room")
struct FullTransportTests {
    /// A transport in memory that takes so many bytes at most.
    private final class BoundedTransport: SyncTransport {
        let inner = MemoryTransport()
        let limit = Mutex(Int.max)

        var title: String { inner.title }
        func items() throws -> [SyncItem] { try inner.items() }
        func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? { try inner.read(item, atMost: limit) }
        func remove(_ name: String) throws { try inner.remove(name) }

        func write(_ bytes: [UInt8], named name: String) throws {
            let used = try inner.items().reduce(0) { $0 + $1.size }
            guard used + bytes.count <= limit.withLock({ $0 }) else {
                throw SyncError(.transport, "The transport is full.", cure: "Make room.")
            }
            try inner.write(bytes, named: name)
        }
    }

    @Test("a full transport is an error that the status shows with its cure; once there is room all arrives (SYNC-12)")
    func fullTransport() async throws {
        let transport = BoundedTransport()
        let (first, second) = (try SyncPeer(over: transport), try SyncPeer(over: transport))
        _ = first.insert("Item", "one")
        try first.save()
        for peer in [first, second] { try await peer.session.join() }
        try await settle([first, second])
        let used = try transport.items().reduce(0) { $0 + $1.size }
        transport.limit.withLock { $0 = used + 100 }
        _ = first.insert("Item", "two", ["data": Data(repeating: 7, count: 10_000)])
        try first.save()
        await #expect { try await first.session.exchange() } throws: { "\($0)".contains("full") }
        let status = try await first.session.status()
        #expect(status.lastFailure?.message == "The transport is full." && status.lastFailure?.cure == "Make room.")
        #expect(!status.isInSync)
        #expect(try first.dump().contains("label=two"))
        transport.limit.withLock { $0 = .max }
        try await settle([first, second])
        #expect(try second.dump() == first.dump())
        for peer in [first, second] { #expect(try await peer.session.status().isInSync) }
    }
}
