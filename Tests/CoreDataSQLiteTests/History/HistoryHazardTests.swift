import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// What happens to a history when others delete some of it meanwhile, and when there is no room for it.
@Suite struct HistoryHazardTests {
    private func save(_ count: Int, in scene: HistoryScene) throws {
        for number in 0..<count {
            scene.context.insert("Hero", ["name": "\(number)"])
            try scene.context.save()
        }
    }

    @Test(
        "history that is deleted while it is read is read to its end, and its tokens have expired afterwards (CTX-34)")
    func purgeBesideReader() throws {
        let scene = try HistoryScene()
        try save(10, in: scene)
        let token = NSPersistentHistoryToken([scene.store.identifier: 3])
        let other = try Stack(scene.model, url: scene.url, options: HistoryScene.tracking)
        var found: [Int64] = []
        try scene.history.readHistory(HistoryQuery(after: .number(3))) { transaction in
            if found.isEmpty {
                try other.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            }
            found.append(transaction.number)
            return .changes
        } change: { _ in
        }
        #expect(found == Array(4...10))
        #expect(try scene.extent() == HistoryExtent(oldest: nil, newest: 10))
        expectError(NSPersistentHistoryTokenExpiredError) { try scene.context.transactions(after: token) }
        try save(1, in: scene)
        let now = NSPersistentHistoryToken([scene.store.identifier: 10])
        #expect(try scene.context.transactions(after: now).map(\.transactionNumber) == [11])
    }

    @Test(
        "a save that has no room for its history, or for its rows, leaves neither, and is repeated later (CTX-34, HAZ-38)"
    )
    func diskFull() throws {
        let scene = try HistoryScene()
        try scene.open(HistoryScene.keepingOldValues)
        try save(1, in: scene)
        // Where the file may grow by no page the rows fail, where by some the history.
        var (failures, room) = (0, 0)
        while failures == room {
            let before = try HistoryReference(scene.file)
            let extent = try scene.extent()
            let hero = try #require(try scene.context.all("Hero").first)
            hero.setValue(String(repeating: "x", count: 30_000), forKey: "name")
            for number in 0..<400 { scene.context.insert("Hero", ["name": "\(number)", "strength": number]) }
            let pages = try #require(try scene.rows("PRAGMA page_count")[0][0].integer)
            _ = try scene.rows("PRAGMA max_page_count = \(pages + Int64(room))")
            defer { _ = try? scene.rows("PRAGMA max_page_count = 1000000") }
            room += 1
            do {
                try scene.context.save()
                let changes = try HistoryReference(scene.file).changes(since: before)
                #expect(try scene.extent().newest == extent.newest + 1)
                let found = try scene.newest()
                #expect(found == changes)
            } catch let error as NSError where error.domain == NSCocoaErrorDomain {
                failures += 1
                #expect(try HistoryReference(scene.file) == before, "room for \(room - 1) pages")
                #expect(try scene.extent() == extent && scene.context.hasChanges, "room for \(room - 1) pages")
                #expect(try scene.rows("SELECT max(TRANSACTIONID) FROM OpenCoreDataOldValues") == [[.integer(1)]])
                scene.context.reset()
            }
        }
        #expect(failures > 10)
    }
}
