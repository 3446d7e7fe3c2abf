import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@testable import CoreDataSQLite

/// History goes when the limits say so and its readers have read it, and readers who came too late catch up.
@Suite struct HistoryRetentionTests {
    private func scene(_ retention: PersistentHistoryRetention) throws -> HistoryScene {
        let scene = try HistoryScene()
        let description = NSPersistentStoreDescription(url: scene.url)
        description.historyRetention = retention
        #expect(description.historyRetention == retention)
        var options: [AnyHashable: Any] = description.options
        options[NSPersistentHistoryTrackingKey] = true
        try scene.open(options)
        return scene
    }

    private func save(_ count: Int, in scene: HistoryScene) throws {
        for number in 0..<count {
            scene.context.insert("Hero", ["name": "\(number)"])
            try scene.context.save()
        }
    }

    @Test("as many transactions are kept as the rule says") func countIsKept() throws {
        let scene = try scene(PersistentHistoryRetention(maximumCount: 3))
        try save(10, in: scene)
        eventually("old history to go") {
            (try? scene.extent()) == HistoryExtent(oldest: 8, newest: 10)
        }
        #expect(try scene.rows("SELECT DISTINCT ZTRANSACTIONID FROM ACHANGE").count == 3)
    }

    @Test("transactions older than the rule says go, younger ones stay") func ageIsKept() throws {
        let scene = try scene(PersistentHistoryRetention(maximumAge: 3_600))
        try save(2, in: scene)
        _ = try scene.rows("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 7200 WHERE Z_PK = 1")
        try save(1, in: scene)
        eventually("old history to go") {
            (try? scene.extent()) == HistoryExtent(oldest: 2, newest: 3)
        }
    }

    @Test("what a named reader has not read stays, also when the store is opened anew") func readersAreWaitedFor()
        throws
    {
        let scene = try scene(PersistentHistoryRetention(maximumCount: 0, readers: ["widget"]))
        try save(3, in: scene)
        let identifier = try #require(scene.store.identifier)
        try scene.coordinator.markHistoryRead(through: NSPersistentHistoryToken([identifier: 2]), by: "widget")
        // A position never goes back.
        try scene.coordinator.markHistoryRead(through: NSPersistentHistoryToken([identifier: 1]), by: "widget")
        try scene.open(scene.store.options ?? [:])
        try save(1, in: scene)
        eventually("what the reader has read to go") {
            (try? scene.extent()) == HistoryExtent(oldest: 3, newest: 4)
        }
    }

    @Test("a reader whose token has expired gets an error, and catches up by comparing") func lateReadersCatchUp()
        throws
    {
        let scene = try HistoryScene()
        let ann = scene.context.insert("Hero", ["name": "Ann"])
        let bob = scene.context.insert("Hero", ["name": "Bob"])
        try scene.context.save()
        let token = try #require(scene.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let other = try Stack(scene.model, url: scene.url, options: [NSPersistentHistoryTrackingKey: true])
        let others = try other.context.all("Hero", sortedBy: "name")
        others[0].setValue("Anna", forKey: "name")
        other.context.delete(others[1])
        try other.context.save()
        others[0].setValue(4, forKey: "strength")
        try other.context.save()
        try other.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        let error = try #require(throws: NSError.self) {
            try scene.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        }
        #expect(error.code == NSPersistentHistoryTokenExpiredError)
        ann.setValue("secret", forKey: "secretIdentity")
        let next = try #require(try scene.context.mergeCurrentState())
        #expect(ann.value(forKey: "name") as? String == "Anna" && ann.value(forKey: "strength") as? Int == 4)
        #expect(ann.value(forKey: "secretIdentity") as? String == "SECRET" && ann.hasChanges)
        #expect(bob.isDeleted || bob.managedObjectContext == nil)
        let result = try scene.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: next))
        #expect(((result as? NSPersistentHistoryResult)?.result as? [Any])?.isEmpty == true)
    }
}
