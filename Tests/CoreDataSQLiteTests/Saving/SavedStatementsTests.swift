import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

@Suite("The statements of a save")
struct SavedStatementsTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }
    private let list: NSManagedObject
    private let items: [NSManagedObject]
    private let tags: [NSManagedObject]

    init() throws {
        let builder = ModelBuilder()
        builder.entity("List", ["name": .stringAttributeType])
        builder.entity("Item", ["name": .stringAttributeType, "count": .integer64AttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        builder.relationships("List.items*!", "Item.list")
        builder.relationships("Item.tags*", "Tag.items*")
        let stack = try Stack(builder.model)
        self.stack = stack
        let items = (0..<4).map { (number: Int) in
            stack.context.insert("Item", ["name": "item \(number)", "count": number])
        }
        self.items = items
        tags = ["red", "blue"].map { stack.context.insert("Tag", ["name": $0]) }
        list = stack.context.insert("List", ["name": "list"])
        list.setValue(NSOrderedSet(array: Array(items[0..<3])), forKey: "items")
        items[0].setValue(NSSet(array: [tags[0]]), forKey: "tags")
        try stack.context.save()
    }

    private func saved() throws -> [String] { try stack.statements { try context.save() } }

    private static let version = "IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?"

    private func expectTransaction(_ statements: [String], _ location: SourceLocation = #_sourceLocation) throws {
        #expect(
            try saved() == ["BEGIN IMMEDIATE"] + statements + ["COMMIT"], sourceLocation: location)
    }

    private func row(_ item: NSManagedObject) throws -> [Value] {
        try stack.rows("SELECT Z_OPT, ZNAME, ZCOUNT, ZLIST FROM ZITEM WHERE Z_PK = ?", [.integer(item.objectID.key)])[0]
    }

    @Test("an insertion reserves its key and writes one row of version 1 (STO-18)")
    func insertionReservesItsKeyAndWritesOneRowOfVersion1() throws {
        let item = context.insert("Item", ["name": "x", "count": 9])
        let texts = try saved()
        #expect(texts.first == "BEGIN IMMEDIATE" && texts.last == "COMMIT")
        #expect(texts.filter { $0.contains("Z_PRIMARYKEY") }.count == 2)
        #expect(
            texts.filter { $0.hasPrefix("INSERT INTO ZITEM ") }
                == ["INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZLIST, ZNAME) VALUES (?, ?, ?, ?, ?, ?)"]
                || texts.filter { $0.contains("INTO \"ZITEM\"") }.count == 1)
        #expect(texts.count == 5)
        #expect(try row(item) == [1, "x", 9, .null])
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == item.objectID.key)
    }

    @Test("an update writes the changed column and the next version (STO-18)")
    func updateWritesChangedColumnAndNextVersion() throws {
        items[0].setValue(7, forKey: "count")
        try expectTransaction(["UPDATE ZITEM SET Z_OPT = ?, ZCOUNT = ? WHERE Z_PK = ? AND \(Self.version)"])
        #expect(try row(items[0]) == [2, "item 0", 7, 1])
    }

    @Test func updatesOfOneShapeShareAStatement() throws {
        for item in items { item.setValue(70, forKey: "count") }
        let before = stack.file.connection.preparationCounts.compiled
        let texts = try saved()
        #expect(texts.count == 6 && Set(texts).count == 3)
        #expect(stack.file.connection.preparationCounts.compiled - before <= 3)
    }

    @Test func nothingChangedSendsNothing() throws {
        #expect(try saved() == [])
        items[0].setValue(0, forKey: "count")
        items[0].setValue("item 0", forKey: "name")
        items[0].setValue(list, forKey: "list")
        #expect(context.hasChanges)
        #expect(try saved() == [])
        #expect(!context.hasChanges)
        #expect(try row(items[0]) == [1, "item 0", 0, 1])
    }

    @Test func valueThatWasChangedAndSetBackIsNotWritten() throws {
        items[0].setValue(5, forKey: "count")
        items[0].setValue(0, forKey: "count")
        items[0].setValue("other", forKey: "name")
        try expectTransaction(["UPDATE ZITEM SET Z_OPT = ?, ZNAME = ? WHERE Z_PK = ? AND \(Self.version)"])
    }

    @Test("a member in the middle of an ordered relationship takes one place between its neighbours (REL-10)")
    func orderedInsertion() throws {
        list.setValue(NSOrderedSet(array: [items[0], items[3], items[1], items[2]]), forKey: "items")
        let texts = try saved()
        #expect(texts.filter { $0.hasPrefix("UPDATE ZITEM SET Z_FOK_LIST = ?") }.count == 1)
        #expect(texts.filter { $0.hasPrefix("UPDATE ZITEM SET Z_OPT") }.count == 1)
        #expect(texts.filter { $0.hasPrefix("UPDATE ZLIST") }.count == 1)
        #expect(
            try stack.rows("SELECT Z_PK, Z_FOK_LIST FROM ZITEM ORDER BY Z_FOK_LIST").map { $0[0].integer }
                == [items[0], items[3], items[1], items[2]].map(\.objectID.key))
    }

    @Test("a moved member is the only one whose place is written (REL-10)")
    func orderedMove() throws {
        list.setValue(NSOrderedSet(array: [items[2], items[0], items[1]]), forKey: "items")
        let texts = try saved()
        #expect(texts.filter { $0.hasPrefix("UPDATE ZITEM SET Z_FOK_LIST = ?") }.count == 1)
        #expect(texts.filter { $0.hasPrefix("UPDATE ZITEM SET Z_OPT") }.isEmpty)
        #expect(
            try stack.rows("SELECT Z_PK FROM ZITEM WHERE ZLIST = 1 ORDER BY Z_FOK_LIST").map { $0[0].integer }
                == [items[2], items[0], items[1]].map(\.objectID.key))
    }

    @Test func manyToManyAdditionAndRemovalAreOnePairEach() throws {
        items[0].setValue(NSSet(array: [tags[1]]), forKey: "tags")
        let texts = try saved()
        #expect(texts.filter { $0.hasPrefix("INSERT OR IGNORE INTO Z_") }.count == 1)
        #expect(texts.filter { $0.hasPrefix("DELETE FROM Z_") }.count == 1)
        #expect(texts.filter { $0.hasPrefix("INSERT OR") || $0.hasPrefix("DELETE") }.count == 2)
        let join = try #require(try stack.file.connection.catalog().tables.first { $0.name.hasSuffix("TAGS") })
        #expect(try stack.integer("SELECT count(*) FROM \(join.name)") == 1)
    }

    @Test func deletionTakesItsPairsWithIt() throws {
        context.delete(items[0])
        let texts = try saved()
        #expect(texts.filter { $0 == "DELETE FROM ZITEM WHERE Z_PK = ? AND \(Self.version)" }.count == 1)
        #expect(texts.filter { $0.hasPrefix("DELETE FROM Z_") }.count == 1)
        #expect(texts.filter { $0.hasPrefix("BEGIN") || $0 == "COMMIT" }.count == 2)
        let join = try #require(try stack.file.connection.catalog().tables.first { $0.name.hasSuffix("TAGS") })
        #expect(try stack.integer("SELECT count(*) FROM \(join.name)") == 0)
        #expect(try stack.integer("SELECT count(*) FROM ZITEM") == 3)
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == 4)
    }

    @Test func mixtureIsOneTransactionInOrder() throws {
        context.delete(items[3])
        items[1].setValue("changed", forKey: "name")
        context.insert("Item", ["name": "late"])
        let texts = try saved()
        let order = ["BEGIN", "DELETE FROM ZITEM", "UPDATE ZITEM", "INSERT INTO ZITEM", "COMMIT"]
        #expect(order.compactMap { start in texts.firstIndex { $0.hasPrefix(start) } }.count == 5)
        #expect(
            order.compactMap { start in texts.firstIndex { $0.hasPrefix(start) } }
                == order.compactMap { start in
                    texts.firstIndex { $0.hasPrefix(start) }
                }.sorted())
        #expect(texts.filter { $0.hasPrefix("BEGIN") }.count == 1)
    }
}
