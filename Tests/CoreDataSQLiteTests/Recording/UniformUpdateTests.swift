import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// A batch update that does nothing but give attributes values is recorded by one statement, all others row by row.
@Suite struct UniformUpdateTests {
    private let scene: HistoryScene

    init() throws {
        scene = try HistoryScene()
        let insert = NSBatchInsertRequest(
            entityName: "Hero", objects: (0..<100).map { ["name": "\($0)", "strength": $0 % 4] })
        try scene.context.execute(insert)
    }

    /// The statements that a batch update sends, as texts.
    private func statements(_ values: [AnyHashable: Any], where predicate: NSPredicate? = nil) throws -> [String] {
        final class Log { var texts: [String] = [] }
        let log = Log()
        let connection = scene.file.connection
        connection.trace = { log.texts.append($0) }
        defer { connection.trace = nil }
        let update = NSBatchUpdateRequest(entityName: "Hero")
        update.propertiesToUpdate = values
        update.predicate = predicate
        try scene.context.execute(update)
        return log.texts
    }

    private func insertions(_ texts: [String]) -> [String] { texts.filter { $0.contains("INTO main.ACHANGE") } }

    /// The triggers that report changes.
    private func triggers() throws -> Int {
        try scene.rows("SELECT 1 FROM temp.sqlite_master WHERE name LIKE 'CoreDataHistory%'").count
    }

    @Test("a hundred rows are recorded by one statement, and the next save's by reports (CTX-36)")
    func oneStatement() throws {
        let before = try triggers()
        let texts = try statements(["strength": 2, "secretIdentity": "x"])
        #expect(texts.count { $0.contains("ACHANGE") } == 1, "\(texts)")
        #expect(try scene.newest().count == 100)
        #expect(try scene.newest().count { $0.hasSuffix(" secretIdentity") } == 25)
        #expect(try scene.newest().count { $0.hasSuffix(" secretIdentity strength") } == 75)
        #expect(
            try scene.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (16001, 16002) ORDER BY Z_ENT")
                == [[.integer(200)], [.integer(2)]])
        #expect(try scene.rows("SELECT min(Z_PK), max(Z_PK) FROM ACHANGE") == [[.integer(1), .integer(200)]])
        #expect(try triggers() == before)
        let hero = try #require(try scene.context.all("Hero").first)
        hero.setValue(9, forKey: "strength")
        try scene.context.save()
        #expect(try scene.newest() == ["~Hero\(hero.objectID.key) strength"])
    }

    @Test("rows that have the values already are not recorded, and without others no number is spent")
    func onlyOtherValues() throws {
        let texts = try statements(["strength": 2], where: NSPredicate(format: "strength > 1"))
        #expect(insertions(texts).count == 1)
        #expect(try scene.newest().count == 25)
        _ = try statements(["strength": 2], where: NSPredicate(format: "strength == 2"))
        #expect(try scene.history.historyExtent().newest == 2)
        _ = try statements(["strength": NSNull()])
        #expect(try scene.history.historyExtent().newest == 3)
        #expect(try scene.newest().count == 100)
    }

    @Test("keys go on behind those of purged changes")
    func keysGoOn() throws {
        try scene.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        _ = try statements(["strength": 7])
        #expect(try scene.rows("SELECT min(Z_PK), max(Z_PK) FROM ACHANGE") == [[.integer(101), .integer(200)]])
    }

    @Test("computed values, and values whose former ones are kept, are reported row by row")
    func computedValuesAndValuesWhoseFormerOnesAreKept() throws {
        let sum = NSExpression(format: "strength + 1")
        #expect(insertions(try statements(["strength": sum])).isEmpty)
        #expect(try scene.newest().count == 100)
        try scene.open(HistoryScene.keepingOldValues)
        #expect(insertions(try statements(["strength": 9])).isEmpty)
        #expect(try scene.newest().count == 100)
    }

    @Test("an update that is refused records nothing, and the next is recorded")
    func refusedUpdates() throws {
        try scene.file.connection.execute("CREATE UNIQUE INDEX once ON ZHERO (ZSECRETIDENTITY)")
        #expect(throws: NSError.self) { try statements(["secretIdentity": "x"]) }
        #expect(try scene.history.historyExtent().newest == 1)
        try scene.file.connection.execute("DROP INDEX once")
        #expect(insertions(try statements(["secretIdentity": "x"])).count == 1)
        #expect(try scene.newest().count == 100 && scene.history.historyExtent().newest == 2)
    }

    @Test("rows that a trigger of the file changes too are reported")
    func foreignTriggers() throws {
        try scene.file.connection.execute(
            "CREATE TRIGGER own AFTER UPDATE OF ZSTRENGTH ON ZHERO WHEN NEW.Z_PK = 1 BEGIN "
                + "UPDATE ZHERO SET ZNAME = 'changed' WHERE Z_PK = 1; END")
        #expect(insertions(try statements(["strength": 9])).isEmpty)
        #expect(try scene.newest().count { $0.hasSuffix(" name strength") } == 1)
    }
}
