import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Stores that only receive")
struct ReaderTests {
    @Test(
        "what a reader saves is taken back and listed by its status; it stays a reader for sessions that do not say so")
    func refusedWritesAreShown() async throws {
        let transport = MemoryTransport()
        var options = SyncOptions()
        options.isReader = true
        let writer = try SyncPeer(over: transport)
        let reader = try SyncPeer(over: transport, options: options)
        let labels = ["one", "two"]
        for label in labels { _ = writer.insert("Item", label, ["count": 1]) }
        try writer.save()
        try await writer.session.join()
        try await reader.session.join()
        try await settle([writer, reader])
        let expected = try writer.dump()
        #expect(try reader.dump() == expected)

        let plain = try SyncSession(reader.stack.store, over: transport)
        let (one, two) = (try reader.find("Item", "one"), try reader.find("Item", "two"))
        let identifier = one.objectID
        _ = reader.insert("Item", "three")
        reader.context.performAndWait {
            one.setValue(5, forKey: "count")
            reader.context.delete(two)
        }
        try reader.save()
        let summary = try await plain.exchange()
        #expect(summary.reports.filter { $0.contains("taken back") }.count == 3)
        try await settle([writer, reader])
        #expect(try reader.dump() == expected && writer.dump() == expected)
        let status = try await plain.status()
        #expect(status.refusedWrites.map(\.kind.rawValue).sorted() == ["deleted", "inserted", "updated"])
        #expect(status.refusedWrites.allSatisfy { $0.entity == "Item" })
        #expect(status.refusedWrites.first { $0.kind == .updated }?.keys == ["count"])
        #expect(status.peers.first?.isReader == true && status.isInSync)
        #expect(try await writer.session.status().refusedWrites.isEmpty)
        let why = try await plain.why(identifier, "count")
        await #expect { try await plain.restore(why.writes[0], of: identifier, "count") } throws: {
            ($0 as? SyncError)?.code == .reader
        }
    }
}
