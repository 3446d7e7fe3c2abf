import CoreData
import SQLiteKit
import StoreContract
import Testing

@Suite("Unique values in one save")
struct UniqueValueTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        let builder = ModelBuilder()
        let text = NSAttributeType.stringAttributeType
        builder.entity("Item", ["code": text, "shelf": text, "row": .integer64AttributeType, "title": text])
        builder["Item"].uniquenessConstraints = [["code"], ["shelf", "row"]]
        stack = try Stack(builder.model)
    }

    private func items(_ codes: [String?]) throws -> [NSManagedObject] {
        let items = codes.enumerated().map { context.insert("Item", ["code": $1, "title": "\($0)"]) }
        try context.save()
        return items
    }

    private func stored() throws -> [[Value]] { try stack.rows("SELECT ZTITLE, ZCODE FROM ZITEM ORDER BY ZTITLE") }

    @Test(
        "Values that objects take from each other are written, whatever the order",
        arguments: [[1, 0], [1, 2, 0], [2, 0, 1], [3, 2, 1, 0], [1, 0, 3, 2], [4, 0, 1, 2, 3]])
    func valuesThatObjectsTakeFromEachOtherAreWritten(order: [Int]) throws {
        let codes = order.indices.map { "code \($0)" }
        let items = try items(codes)
        for (item, place) in zip(items, order) { item.setValue(codes[place], forKey: "code") }
        try context.save()
        #expect(try stored() == order.enumerated().map { [.text("\($0)"), .text("code \($1)")] })
        #expect(try stack.rows("SELECT DISTINCT Z_OPT FROM ZITEM") == [[2]])
        #expect(!context.hasChanges)
    }

    @Test func valueOfDeletedObjectIsFree() throws {
        context.delete(try items(["x"])[0])
        context.insert("Item", ["code": "x", "title": "heir"])
        try context.save()
        #expect(try stored() == [["heir", "x"]])
    }

    @Test func valueMovesFromUpdatedToInsertedObject() throws {
        try items(["x"])[0].setValue("y", forKey: "code")
        context.insert("Item", ["code": "x", "title": "heir"])
        try context.save()
        #expect(try stored() == [["0", "y"], ["heir", "x"]])
    }

    @Test func valueMovesAlongAChainToAnInsertedObject() throws {
        let items = try items(["a", "b", "c"])
        for (item, code) in zip(items, ["b", "c", "d"]) { item.setValue(code, forKey: "code") }
        context.insert("Item", ["code": "a", "title": "9"])
        try context.save()
        #expect(try stored() == [["0", "b"], ["1", "c"], ["2", "d"], ["9", "a"]])
    }

    @Test func nilNeverCollides() throws {
        _ = try items([nil, nil])
        context.insert("Item", ["title": "2"])
        try context.save()
        #expect(try stored() == [["0", .null], ["1", .null], ["2", .null]])
    }

    @Test func propertiesOfOneConstraintAreSwapped() throws {
        let items = try items(["a", "b"])
        for (place, item) in items.enumerated() {
            item.setValue("s", forKey: "shelf")
            item.setValue(place, forKey: "row")
        }
        try context.save()
        for (place, item) in items.enumerated() { item.setValue(1 - place, forKey: "row") }
        try context.save()
        #expect(try stack.rows("SELECT ZROW FROM ZITEM ORDER BY Z_PK") == [[1], [0]])
    }

    @Test(
        "A value that a record has is error 133021 with the record, and the store stays as it is",
        arguments: ["insert", "update"])
    func valueOfStoredRecord(change: String) throws {
        let items = try items(["x", "y"])
        let another = stack.newContext()
        let changed =
            change == "insert"
            ? another.insert("Item", ["title": "late"])
            : try #require(try another.all("Item", nil, sortedBy: "code").last)
        changed.setValue("x", forKey: "code")
        let before = try stack.rows("SELECT * FROM ZITEM")
        let keys = try stack.rows("SELECT * FROM Z_PRIMARYKEY")
        let error = try #require(throws: (any Error).self) { try another.save() } as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError)
        let conflict = try #require((error.userInfo["conflictList"] as? [NSConstraintConflict])?.first)
        #expect(conflict.constraint == ["code"])
        #expect(conflict.constraintValues["code"] as? String == "x")
        #expect(conflict.databaseObject?.objectID == items[0].objectID)
        #expect(conflict.databaseSnapshot?["title"] as? String == "0")
        #expect(conflict.conflictingObjects == [changed])
        #expect(conflict.conflictingSnapshots.count == 1)
        #expect(try stack.rows("SELECT * FROM ZITEM") == before)
        #expect(try stack.rows("SELECT * FROM Z_PRIMARYKEY") == keys)
        #expect(another.hasChanges)

        changed.setValue("z", forKey: "code")
        try another.save()
        #expect(try stack.integer("SELECT count(*) FROM ZITEM WHERE ZCODE = 'z'") == 1)
    }

    @Test func insertedObjectsInEachOthersWayHaveNoRecord() throws {
        let rivals = Set((0..<3).map { _ in context.insert("Item", ["code": "x"]) })
        let error = try #require(throws: (any Error).self) { try context.save() } as NSError
        let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
        #expect(conflicts.count == 1)
        #expect(conflicts[0].databaseObject == nil && conflicts[0].databaseSnapshot == nil)
        #expect(Set(conflicts[0].conflictingObjects) == rivals)
        #expect(try stack.integer("SELECT count(*) FROM ZITEM") == 0)
    }

    @Test func everyBrokenConstraintIsListed() throws {
        context.insert("Item", ["code": "x", "shelf": "s", "row": 1])
        context.insert("Item", ["code": "y"])
        try context.save()
        context.insert("Item", ["code": "x", "shelf": "s", "row": 1])
        context.insert("Item", ["code": "y"])
        let error = try #require(throws: (any Error).self) { try context.save() } as NSError
        let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
        #expect(conflicts.map(\.constraint) == [["code"], ["shelf", "row"], ["code"]])
        #expect(conflicts.allSatisfy { $0.databaseObject != nil })
    }
}
