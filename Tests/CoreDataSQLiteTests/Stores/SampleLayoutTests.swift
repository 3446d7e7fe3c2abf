import CoreData
import SQLiteKit
import StoreContract
import Testing

/// The tables of the sample applications' stores, column by column as the books print them.
@Suite struct SampleLayoutTests {
    private static func model(_ path: String) throws -> NSManagedObjectModel {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return try NSManagedObjectModel(
            source: Data(contentsOf: url.appendingPathComponent("Examples/\(path)/contents")))
    }

    private static func columns(_ table: String, _ stack: Stack) throws -> [String] {
        try stack.rows("SELECT name || ' ' || type || iif(pk, ' PRIMARY KEY', '') FROM pragma_table_info('\(table)')")
            .compactMap { $0.first?.text }
    }

    @Test("a new store of Note Collector has one table for the three entities, and Core Data's own (STO-13)")
    func noteCollector() throws {
        let path = "NoteCollector/Sources/Model/NoteCollector.xcdatamodeld/NoteCollector.xcdatamodel"
        let stack = try Stack(Self.model(path))
        let tables = try stack.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        #expect(tables.map { $0[0].text } == ["ZABSTRACTITEM", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
        #expect(
            Set(try Self.columns("ZABSTRACTITEM", stack)) == [
                "Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZSUPERCOLLECTION INTEGER",
                "ZITEMNAME VARCHAR", "ZTEXTCONTENT VARCHAR",
            ])
        #expect(
            try Self.columns("Z_PRIMARYKEY", stack) == [
                "Z_ENT INTEGER PRIMARY KEY", "Z_NAME VARCHAR", "Z_SUPER INTEGER", "Z_MAX INTEGER",
            ])
        #expect(
            try Self.columns("Z_METADATA", stack) == [
                "Z_VERSION INTEGER PRIMARY KEY", "Z_UUID VARCHAR(255)", "Z_PLIST BLOB",
            ])
        let entities = try stack.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        #expect(entities.map { $0.compactMap(\.text) } == [["AbstractItem"], ["Collection"], ["Note"]])
        #expect(entities.map { $0.compactMap(\.integer) } == [[1, 0, 0], [2, 1, 0], [3, 1, 0]])
    }

    @Test("to-one columns and Z_ENT of Note Collector have indexes, which its list is read by (STO-19)")
    func toOneColumnsAndZENTOfNoteCollectorHaveIndexes() throws {
        let path = "NoteCollector/Sources/Model/NoteCollector.xcdatamodeld/NoteCollector.xcdatamodel"
        let stack = try Stack(Self.model(path))
        let indexes = try stack.rows(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZABSTRACTITEM'"
        )
        .compactMap { $0[0].text }
        #expect(indexes.contains("ZABSTRACTITEM_ZSUPERCOLLECTION_INDEX"))
        #expect(indexes.contains { $0.contains("Z_ENT") })
        let parent = stack.context.insert("Collection", ["itemName": "All"])
        for number in 0..<50 {
            stack.context.insert("Note", ["itemName": "Note \(number)", "superCollection": number < 3 ? parent : nil])
        }
        try stack.context.save()
        let context = stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "AbstractItem")
        request.predicate = NSPredicate(
            format: "superCollection == %@", context.object(with: parent.objectID))
        var found = 0
        let text = try #require(try stack.statements { found = try context.fetch(request).count }.first)
        #expect(found == 3)
        let plan = try stack.rows("EXPLAIN QUERY PLAN \(text)", [.integer(1)]).compactMap { $0.last?.text }
        #expect(plan.contains { $0.contains("ZABSTRACTITEM_ZSUPERCOLLECTION_INDEX") }, "\(plan)")
    }

    @Test("a store in memory has no indexes and answers the same (STO-19)")
    func withoutIndexes() throws {
        let path = "NoteCollector/Sources/Model/NoteCollector.xcdatamodeld/NoteCollector.xcdatamodel"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model(path))
        try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let parent = context.insert("Collection", ["itemName": "All"])
            context.insert("Note", ["itemName": "One", "superCollection": parent])
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "AbstractItem")
            request.predicate = NSPredicate(format: "superCollection == %@", parent)
            #expect(try context.count(for: request) == 1)
        }
    }

    @Test("the transient age of SuperDB's heroes has no column (STO-20)")
    func transientAgeOfSuperDBsHeroesHasNoColumn() throws {
        let model = try Self.model("SuperDB/Sources/Model/SuperDB.xcdatamodeld/SuperDB 3.xcdatamodel")
        #expect(model.entitiesByName["Hero"]?.attributesByName["age"]?.isTransient == true)
        let stack = try Stack(model)
        let columns = try Self.columns("ZHERO", stack)
        #expect(columns.contains { $0.hasPrefix("ZNAME ") } && !columns.contains { $0.contains("ZAGE") })
    }
}
