import CoreData
import SQLiteKit
import StoreContract
import Testing

/// Objects whose rows another program broke: a change of another property does not make them valid.
@Suite("Validation of rows that are broken already")
struct BrokenRowTests {
    private let stack: Stack
    private let item: NSManagedObject

    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Item",
            [
                "name": .stringAttributeType, "code": .stringAttributeType, "size": .integer32AttributeType,
                "note": .stringAttributeType,
            ])
        builder.entity("Part")
        builder.entity("Owner")
        builder.relationships("Item.parts*", "Part.item")
        builder.relationships("Item.owner", "Owner.items*")
        builder.attribute("Item.code").isOptional = false
        builder.attribute("Item.name").setValidationPredicates(
            [NSPredicate(format: "length <= 5")], withValidationWarnings: ["1660"])
        builder.attribute("Item.size").setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["1620"])
        for name in ["owner", "parts"] { builder["Item"].relationshipsByName[name]?.isOptional = false }
        builder["Item"].relationshipsByName["parts"]?.minCount = 1
        builder["Item"].relationshipsByName["parts"]?.maxCount = 3
        return builder.model
    }

    init() throws {
        stack = try Stack(Self.model())
        let context = stack.context
        item = context.insert("Item", ["name": "x", "code": "c", "size": 1, "owner": context.insert("Owner")])
        context.insert("Part", ["item": item])
        try context.save()
        context.refresh(item, mergeChanges: false)
    }

    private func tamper(_ statement: String) throws {
        let connection = try Connection.open(stack.url.path)
        defer { connection.close() }
        try connection.execute(statement)
        stack.context.stalenessInterval = 0
        stack.context.refreshAllObjects()
    }

    @Test(
        "a save of another attribute is refused for what is broken in the row (VAL-15)",
        arguments: [
            ("UPDATE ZITEM SET ZCODE = NULL", 1570, "code"), ("UPDATE ZITEM SET ZNAME = 'too long'", 1660, "name"),
            ("UPDATE ZITEM SET ZSIZE = -1", 1620, "size"), ("UPDATE ZITEM SET ZOWNER = NULL", 1570, "owner"),
            ("DELETE FROM ZPART", 1580, "parts"),
            (
                "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZITEM) SELECT Z_PK + n.i, Z_ENT, 1, ZITEM FROM ZPART, "
                    + "(SELECT 1 i UNION SELECT 2 UNION SELECT 3) n", 1590, "parts"
            ),
        ])
    func brokenRow(damage: (statement: String, code: Int, key: String)) throws {
        try tamper(damage.statement)
        item.setValue("other", forKey: "note")
        for attempt in [{ try item.validateForUpdate() }, { try stack.context.save() }] {
            let error = #expect(throws: NSError.self) { try attempt() }
            #expect(error?.code == damage.code)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == damage.key)
        }
        #expect(try stack.newContext().all("Item")[0].value(forKey: "note") == nil)
    }

    @Test("sound relationships that were not touched are counted by the store, and none of their faults fires (VAL-15)")
    func faultsStay() throws {
        for _ in 0..<50 {
            let other = stack.context.insert("Item", ["code": "c", "owner": stack.context.insert("Owner")])
            stack.context.insert("Part", ["item": other])
        }
        try stack.context.save()
        let context = stack.newContext()
        let items = try context.all("Item", sortedBy: "code")
        for item in items { item.setValue("new", forKey: "note") }
        try context.save()
        #expect(items.allSatisfy { $0.hasFault(forRelationshipNamed: "parts") })
        #expect(context.registeredObjects.count == 51)
        #expect(try stack.newContext().all("Item").allSatisfy { $0.value(forKey: "note") as? String == "new" })
    }

    @Test("what a child context changes is checked against what its parent has (VAL-15)")
    func childContext() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let mine = try child.existingObject(with: item.objectID)
        mine.setValue("new", forKey: "note")
        try child.save()
        try tamper("DELETE FROM ZPART")
        child.refreshAllObjects()
        mine.setValue("newer", forKey: "note")
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSValidationRelationshipLacksMinimumCountError)
    }

    @Test("members that neither a child nor its parent has read are counted by the store (VAL-15)")
    func faultsOfParentStay() throws {
        for _ in 0..<20 {
            let other = stack.context.insert("Item", ["code": "c", "owner": stack.context.insert("Owner")])
            stack.context.insert("Part", ["item": other])
        }
        try stack.context.save()
        stack.context.reset()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let items = try child.all("Item", sortedBy: "code")
        for item in items { item.setValue("new", forKey: "note") }
        try child.save()
        #expect(items.count == 21 && items.allSatisfy { $0.hasFault(forRelationshipNamed: "parts") })
        #expect(stack.context.registeredObjects.allSatisfy { $0.entity.name != "Part" })
        try stack.context.save()
        #expect(try stack.newContext().all("Item").allSatisfy { $0.value(forKey: "note") as? String == "new" })
    }

    @Test("members of relationships without inverse are counted by one question each, and none is read (VAL-15)")
    func membersWithoutInverse() throws {
        let builder = ModelBuilder()
        builder.entity("Order", ["name": .stringAttributeType])
        builder.entity("Note", ["text": .stringAttributeType])
        builder.entity("Line", ["text": .stringAttributeType])
        for relationship in [
            builder.relationship("Order.notes*", to: "Note"), builder.relationship("Order.lines*", to: "Line"),
        ] {
            (relationship.minCount, relationship.maxCount, relationship.isOptional) = (1, 3, false)
            relationship.isOrdered = relationship.name == "lines"
        }
        let stack = try Stack(builder.model)
        for number in 0..<40 {
            let order = stack.context.insert("Order", ["name": "\(number + 10)"])
            order.setValue(NSSet(object: stack.context.insert("Note")), forKey: "notes")
            order.setValue(NSOrderedSet(object: stack.context.insert("Line")), forKey: "lines")
        }
        try stack.context.save()
        stack.context.reset()
        let orders = try stack.context.all("Order", sortedBy: "name")
        let questions = try [5, 40].map { count in
            for order in orders.prefix(count) { order.setValue("new \(count)", forKey: "name") }
            return try stack.statements { try stack.context.save() }.count { $0.hasPrefix("SELECT") }
        }
        #expect(questions[0] == questions[1], "\(questions)")
        #expect(
            orders.allSatisfy {
                $0.hasFault(forRelationshipNamed: "notes") && $0.hasFault(forRelationshipNamed: "lines")
            })
        #expect(stack.context.registeredObjects.count == 40)
        try stack.execute("DELETE FROM ZNOTE WHERE Z_PK = 1")
        for order in orders { order.setValue("newer", forKey: "name") }
        #expect(code { try stack.context.save() } == NSValidationRelationshipLacksMinimumCountError)
    }

    @Test("what the parent has deleted is a conflict of its child, and no object without members (VAL-15)")
    func ownerDeletedInParent() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let mine = try child.existingObject(with: item.objectID)
        mine.setValue("new", forKey: "note")
        stack.context.delete(item)
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test("a deleted target of an untouched required relationship counts as missing (VAL-15)")
    func deletedTarget() throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["note": .stringAttributeType])
        builder.entity("Owner")
        builder.relationship("Item.owner", to: "Owner")
        builder["Item"].relationshipsByName["owner"]?.isOptional = false
        let stack = try Stack(builder.model)
        let owner = stack.context.insert("Owner")
        let item = stack.context.insert("Item", ["owner": owner])
        try stack.context.save()
        let context = stack.newContext()
        let found = try context.all("Item", sortedBy: "note")[0]
        context.delete(try context.existingObject(with: owner.objectID))
        found.setValue("new", forKey: "note")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(item.objectID == found.objectID)
    }
}
