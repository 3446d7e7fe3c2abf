import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Large saves", .timeLimit(.minutes(5)))
struct LargeSaveTests {
    @Test("new objects of a large save get the unique values that the same save takes from others")
    func uniqueValuesMove() async throws {
        let transport = MemoryTransport()
        let first = try SyncPeer(over: transport)
        let second = try SyncPeer(over: transport)
        let edited = first.insert("Owner", "edited", ["code": "a"])
        let gone = first.insert("Owner", "gone", ["code": "b"])
        let kept = first.insert("Item", "kept", ["listOwner": gone])
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        #expect(try second.dump() == first.dump())

        first.context.performAndWait {
            edited.setValue("c", forKey: "code")
            kept.setValue(nil, forKey: "listOwner")
            first.context.delete(gone)
        }
        try first.save()
        _ = first.insert("Owner", "next", ["code": "a"])
        _ = first.insert("Owner", "last", ["code": "b"])
        // More than one portion of new rows.
        for number in 0..<4_100 { _ = first.insert("Tag", "tag \(number)") }
        try first.save()
        let expected = try first.dump()
        try await settle([first, second])
        #expect(try first.dump() == expected)
        #expect(StoreDump.difference(expected, try second.dump()) == [])
        #expect(expected.contains("code=a") && expected.contains("label=next"))
    }
}
