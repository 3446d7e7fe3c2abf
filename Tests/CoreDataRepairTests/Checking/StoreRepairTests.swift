import CoreData
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import TestBasics
import Testing

@Suite("Repairing stores")
struct StoreRepairTests {
    @Test(
        "a repaired fault is not found again (HAZ-14, HAZ-16, HAZ-17, HAZ-18, HAZ-20, HAZ-21, HAZ-22, HAZ-24, HAZ-25, HAZ-29)",
        arguments: StoreDamage.all)
    func faultsAreRepaired(damage: StoreDamage) throws {
        let scene = try CheckScene()
        for statement in damage.statements { try scene.tamper(statement) }
        let found = try scene.check().findings
        let bytes = try Data(contentsOf: scene.url)
        let copy = scene.folder.url.appendingPathComponent("Copy.sqlite")
        var told: [StoreFinding] = []
        let repaired = try StoreRepair(StoreCheck(scene.url), copy: copy).run { told.append($0) }
        #expect(repaired.check.findings.repairable == 0, "\(repaired.check.findings.listed)")
        #expect(repaired.count == told.count)
        for kind in Set(found.listed.filter(\.isRepairable).map(\.kind)).subtracting(damage.also) {
            #expect(told.contains { $0.kind == kind }, "\(kind) was not told")
        }
        if damage.isRepairable && damage.hazard != "HAZ-16" {
            #expect(repaired.check.isSound, "\(repaired.check.findings.listed)")
        }
        #expect(try Data(contentsOf: scene.url) == bytes && repaired.backup == nil)
        // A copy is a store like any other.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try CheckScene.model())
        _ = try coordinator.addPersistentStore(type: .sqlite, at: copy)
    }

    @Test("repair in place keeps what was there in a backup, and is recorded in the history (HAZ-20)")
    func repairInPlace() throws {
        let scene = try CheckScene(history: true)
        try scene.tamper(
            "UPDATE ZPERSON SET ZTEAM = 99 WHERE Z_PK = 1", "UPDATE ZPERSON SET ZSALARY = 'many' WHERE Z_PK = 4")
        let version = try scene.value("SELECT Z_OPT FROM ZPERSON WHERE Z_PK = 4")?.integer
        let repaired = try StoreRepair(StoreCheck(scene.url)).run { _ in }
        #expect(
            repaired.count == 2 && repaired.check.isSound && repaired.remarks == [], "\(repaired.check.findings.listed)"
        )
        let backup = try #require(repaired.backup)
        #expect(backup.lastPathComponent == "People.before-repair.sqlite")
        let kept = try Connection.open(backup.path)
        #expect(try kept.value("SELECT ZSALARY FROM ZPERSON WHERE Z_PK = 4") == .text("many"))
        kept.close()
        #expect(try StoreCheck(backup).run().findings.count == 2)
        #expect(try scene.value("SELECT Z_OPT FROM ZPERSON WHERE Z_PK = 4")?.integer == version.map { $0 + 1 })
        let store = try OpenStore(at: scene.url, model: nil, for: .readingHistory)
        var names: [[String]] = []
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try CheckScene.model())
        let added = try coordinator.addPersistentStore(
            type: .sqlite, at: scene.url, options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let last = (result?.result as? [NSPersistentHistoryTransaction])?.last
            #expect(last?.author == "coredata")
            names = (last?.changes ?? []).map { ($0.updatedProperties ?? []).map(\.name).sorted() }
        }
        #expect(names == [["team"], ["salary"]])
        try coordinator.remove(added)
        _ = store
    }

    @Test("a row whose entity can be inferred is recorded in the history as one of that entity (HAZ-18)")
    func unknownEntity() throws {
        let scene = try CheckScene(history: true)
        try scene.tamper("UPDATE ZTEAM SET Z_ENT = 77 WHERE Z_PK = 2")
        let repaired = try StoreRepair(StoreCheck(scene.url)).run { _ in }
        #expect(repaired.check.isSound)
        let last = try scene.value("SELECT ZENTITY || ' ' || ZENTITYPK FROM ACHANGE ORDER BY Z_PK DESC LIMIT 1")
        #expect(last == .text("5 2"))
    }

    @Test("a second repair finds nothing to do and makes no backup (TOOL-16)")
    func soundStoreStaysAsItIs() throws {
        let scene = try CheckScene()
        let bytes = try Data(contentsOf: scene.url)
        let repaired = try StoreRepair(StoreCheck(scene.url)).run { _ in Issue.record("nothing is to be repaired") }
        #expect(repaired.count == 0 && repaired.backup == nil)
        #expect(try Data(contentsOf: scene.url) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).count == 2)
    }

    @Test("a store that is in use, or with triggers of others, stays as it is (TOOL-16)")
    func storeThatIsInUse() throws {
        let scene = try CheckScene()
        try scene.tamper("UPDATE ZPERSON SET ZTEAM = 99 WHERE Z_PK = 1")
        try scene.tamper("CREATE TRIGGER other AFTER UPDATE ON ZPERSON BEGIN DELETE FROM ZTEAM; END")
        #expect(throws: InspectionError.self) { try StoreRepair(StoreCheck(scene.url)).run { _ in } }
        #expect(try scene.value("SELECT ZTEAM FROM ZPERSON WHERE Z_PK = 1") == .integer(99))
        #expect(try scene.value("SELECT count(*) FROM ZTEAM") == .integer(2))
        try scene.tamper("DROP TRIGGER other")
        let other = try Connection.open(scene.url.path)
        try other.begin(.immediate)
        #expect(throws: InspectionError.self) { try StoreRepair(StoreCheck(scene.url)).run { _ in } }
        try other.rollBack()
        other.close()
        #expect(try StoreRepair(StoreCheck(scene.url)).run { _ in }.count == 1)
    }

    @Test("an index is rebuilt from its table (HAZ-12)")
    func indexIsRebuilt() throws {
        let scene = try CheckScene()
        var bytes = try Data(contentsOf: scene.url)
        bytes[try #require(bytes.ranges(of: Data("c2".utf8)).last).lowerBound] = UInt8(ascii: "b")
        try bytes.write(to: scene.url)
        let repaired = try StoreRepair(StoreCheck(scene.url)).run { _ in }
        #expect(repaired.count > 0 && repaired.check.isSound, "\(repaired.check.findings.listed)")
    }
}
