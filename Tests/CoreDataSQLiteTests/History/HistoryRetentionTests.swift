import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph
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

    @Test("the bytes of a history are near to what the file has for it, with old values and without (CTX-34)")
    func sizeIsNearTheFile() throws {
        for options in [HistoryScene.tracking, HistoryScene.keepingOldValues] {
            let scene = try HistoryScene()
            try scene.open(options)
            let used = try scene.historyPages()
            for _ in 0..<50 {
                let heroes = (0..<20).map { scene.context.insert("Hero", ["name": "Hero \($0)"]) }
                try scene.context.save()
                for hero in heroes { hero.setValue(7, forKey: "strength") }
                try scene.context.save()
                for hero in heroes.prefix(10) { scene.context.delete(hero) }
                try scene.context.save()
            }
            for number in 0..<500 {
                scene.context.insert("Team", ["name": "\(number)"])
                try scene.context.save()
            }
            let (size, pages) = (try scene.historySize(), try scene.historyPages() - used)
            #expect(size * 3 > pages * 2 && size * 2 < pages * 3, "\(size) bytes, \(pages) in pages")
        }
    }

    @Test("history goes in bounded pieces: a transaction of many changes by itself (CTX-34)")
    func piecesAreBounded() throws {
        let scene = try HistoryScene()
        let names = (0..<20_000).map { ["name": "\($0)"] }
        for count in [20_000, 1, 1, 20_000] {
            try scene.context.execute(NSBatchInsertRequest(entityName: "Hero", objects: Array(names.prefix(count))))
        }
        for _ in 0..<1_100 {
            scene.context.insert("Team")
            try scene.context.save()
        }
        let rule = PersistentHistoryRetention(maximumSize: 0)
        let retention = HistoryRetention(store: scene.store, rule: rule)
        scene.store.historyWindow = HistoryWindow(limit: 0)
        var oldest: [Int64?] = []
        while try retention.deleteSome() { oldest.append(try scene.extent().oldest) }
        // 800,000 bytes and two of 140 are within a piece of 1 MiB; the next one has 1,000 transactions.
        #expect(oldest == [4, 1_004])
        #expect(try scene.extent() == HistoryExtent(oldest: nil, newest: 1_104))
        #expect(try scene.rows("SELECT count(*) FROM ACHANGE") == [[.integer(0)]])
    }

    @Test("what a named reader has not read stays, also when the store is opened again") func readersAreWaitedFor()
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

extension HistoryScene {
    /// The bytes of all transactions together.
    fileprivate func historySize() throws -> Int64 {
        try store.serialized {
            var sum: Int64 = 0
            try history.readHistorySizes(of: 1...Int64.max, .oldestFirst) { _, size in
                sum += size
                return true
            }
            return sum
        }
    }

    /// The bytes of the file's pages with history, as SQLite counts them where it can.
    fileprivate func historyPages() throws -> Int64 {
        let rows = try rows(
            "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master "
                + "WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION') OR tbl_name LIKE 'OpenCoreDataOld%')")
        return rows.first?[0].integer ?? 0
    }
}
