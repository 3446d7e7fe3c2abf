import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Clocks that jump")
struct ClockTests {
    private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Note", ["text": .stringAttributeType, "made": .dateAttributeType])
        return builder.model
    }

    private static func transactions(
        _ context: NSManagedObjectContext, after token: NSPersistentHistoryToken?
    ) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    @Test(
        "history keeps its order when the clock jumps back 10 years or forward 100, and shows times as they are (HAZ-45)"
    )
    func jumpingClock() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        let (future, past) = (Date.now.timeIntervalSinceReferenceDate + 3.2e9, -1.0e8)
        let first = try Stack(Self.model(), url: url, options: Self.options)
        for number in 1...3 {
            first.context.insert("Note", ["text": "\(number)"])
            try first.context.save()
        }
        try first.coordinator.remove(first.store)
        // As a clock that stood 100 years ahead during the second save and before the store's beginning in the third.
        try SampleStore.tamper(
            url, "UPDATE ATRANSACTION SET ZTIMESTAMP = \(future) WHERE Z_PK = 2",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = \(past) WHERE Z_PK = 3")
        let second = try Stack(Self.model(), url: url, options: Self.options)
        second.context.insert("Note", ["text": "4"])
        try second.context.save()
        let all = try Self.transactions(second.context, after: nil)
        #expect(all.map(\.transactionNumber) == [1, 2, 3, 4])
        #expect(all[1].timestamp == Date(timeIntervalSinceReferenceDate: future))
        #expect(all[2].timestamp == Date(timeIntervalSinceReferenceDate: past))
        for number in 0..<3 {
            let later = try Self.transactions(second.context, after: all[number].token)
            #expect(later.map(\.transactionNumber) == Array(Int64(number + 2)...4))
        }
    }

    @Test("another process's save is noticed by its number, whatever time it says (HAZ-45)")
    func remoteSaveOfAnEarlierTime() throws {
        let one = try Stack(Self.model(), options: Self.options)
        one.context.insert("Note", ["text": "1", "made": Date.distantFuture])
        try one.context.save()
        let seen = one.coordinator.currentPersistentHistoryToken(fromStores: nil)
        let other = try one.another()
        other.context.insert("Note", ["text": "2", "made": Date.distantPast])
        try other.context.save()
        try SampleStore.tamper(one.url, "UPDATE ATRANSACTION SET ZTIMESTAMP = -1e8 WHERE Z_PK = 2")
        #expect(try Self.transactions(one.context, after: seen).map(\.transactionNumber) == [2])
        let dates = try one.context.all("Note", sortedBy: "made").map { $0.value(forKey: "made") as? Date }
        #expect(dates == [Date.distantPast, Date.distantFuture])
    }
}
