import CoreData
import StoreContract
import Testing

@Suite struct ModelRuleTests {
    private func hero(_ context: NSManagedObjectContext) throws -> GuardedHero {
        try #require(context.insert("Hero") as? GuardedHero)
    }

    @Test("default values of the model are there right after insertion (VAL-01)", arguments: StoreKind.all)
    func defaultsAreThere(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType, "secretIdentity": .stringAttributeType])
        builder.entity("Power", ["name": .stringAttributeType])
        builder.entity("OrderItem", ["quantity": .integer32AttributeType, "purchasePrice": .doubleAttributeType])
        let defaults: [(String, Any)] = [
            ("Hero.name", "Untitled Hero"), ("Hero.secretIdentity", "Unknown"), ("Power.name", "New Power"),
            ("OrderItem.quantity", 1), ("OrderItem.purchasePrice", 1.0),
        ]
        for (path, value) in defaults {
            builder.attribute(path).defaultValue = value
            builder.attribute(path).isOptional = false
        }
        let stack = try Stack(builder.model, kind: kind)
        for (path, value) in defaults {
            let parts = path.split(separator: ".").map(String.init)
            let object = stack.context.insert(parts[0])
            #expect(object.value(forKey: parts[1]) as? NSObject == value as AnyObject as? NSObject, "\(path)")
        }
        try stack.context.save()
        let item = try #require(try stack.reopened().context.all("OrderItem").first)
        #expect(item.value(forKey: "quantity") as? Int == 1 && item.value(forKey: "purchasePrice") as? Double == 1)
    }

    final class Dated: NSManagedObject {
        override func awakeFromInsert() { setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 7), forKey: "made") }
    }

    @Test("defaults of awakeFromInsert and default expressions satisfy required (VAL-02)", arguments: StoreKind.all)
    func computedDefaultsAreThere(kind: StoreKind) throws {
        ObjectClassResolver.register(Dated.self, named: "ValidationDated")
        let builder = ModelBuilder()
        builder.entity(
            "Note", class: "ValidationDated",
            ["made": .dateAttributeType, "changed": .dateAttributeType, "mark": .UUIDAttributeType])
        for key in ["made", "changed", "mark"] { builder.attribute("Note.\(key)").isOptional = false }
        builder.attribute("Note.changed").userInfo = ["defaultValueExpression": "now()"]
        builder.attribute("Note.mark").userInfo = ["defaultValueExpression": "UUID()"]
        let stack = try Stack(builder.model, kind: kind)
        let notes = (0..<2).map { _ in stack.context.insert("Note") }
        #expect(notes[0].value(forKey: "made") as? Date == Date(timeIntervalSinceReferenceDate: 7))
        #expect(abs((notes[0].value(forKey: "changed") as? Date)?.timeIntervalSinceNow ?? 1000) < 600)
        #expect(notes[0].value(forKey: "mark") as? UUID != notes[1].value(forKey: "mark") as? UUID)
        try stack.context.save()
    }

    @Test("a required transient attribute is validated through its accessor (VAL-04)", arguments: StoreKind.all)
    func transientIsAskedOfAccessor(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let hero = try hero(stack.context)
        hero.name = "Ann"
        // `age` is optional, so a hero without a birth date saves.
        try stack.context.save()
        #expect(hero.value(forKey: "initials") as? String == "A" && hero.value(forKey: "age") == nil)
        try self.hero(stack.context).setPrimitiveValue(nil, forKey: "name")
        let failures = stack.context.failuresOfSave()
        #expect(failures.map(\.code) == [1570, 1570])
        #expect(failures.map { $0.userInfo[NSValidationKeyErrorKey] as? String } == ["initials", "name"])
    }

    @Test(
        "limits hold at their edges and break just beyond (VAL-03, VAL-05, VAL-06, VAL-07)", arguments: StoreKind.all,
        [
            ("name", nil, 1570), ("name", "", 1670), ("name", "a", nil), ("name", "12345678901234567890", nil),
            ("name", "123456789012345678901", 1660), ("name", "1234567890123456789😀", 1660),
            ("address", "10.0.0.1", nil),
            ("address", "abc", 1680), ("address", "10.0.0.1 ", 1680), ("address", nil, nil),
        ] as [(String, String?, Int?)])
    func textLimits(kind: StoreKind, rule: (key: String, text: String?, code: Int?)) throws {
        let stack = try ValidationModel.stack(kind)
        try hero(stack.context).setValue(rule.text, forKey: rule.key)
        let codes = stack.context.failuresOfSave().map(\.code)
        // Without a name there are no initials, which are required too.
        let isNameless = rule.key == "name" && rule.text?.isEmpty != false
        #expect(codes == (isNameless ? [1570] : []) + (rule.code.map { [$0] } ?? []))
        #expect(stack.context.hasChanges == (rule.code != nil))
    }

    @Test(
        "limits of numbers hold at their edges and break just beyond (VAL-07)", arguments: StoreKind.all,
        [
            ("salary", -1, [1620]), ("salary", 0, []), ("salary", -0.001, [1620]), ("salary", 1000, []),
            ("salary", 1000.001, [1610]), ("salary", .nan, [1620, 1610]), ("level", 0, [1620]), ("level", 1, []),
            ("level", 9, []), ("level", 10, [1610]), ("score", 10, []), ("score", 10.5, [1610]), ("score", -1, [1620]),
            ("height", 2.1, []), ("height", 2.2, [1610]),
        ] as [(String, Double, [Int])])
    func numberLimits(kind: StoreKind, rule: (key: String, value: Double, codes: [Int])) throws {
        let stack = try ValidationModel.stack(kind)
        try hero(stack.context).setValue(NSNumber(value: rule.value), forKey: rule.key)
        #expect(stack.context.failuresOfSave().map(\.code) == rule.codes)
        #expect(stack.context.hasChanges == !rule.codes.isEmpty)
    }

    // The class computes an age of its date, which stops for a date that is no moment.
    @Test(
        "a date too late is 1630, too soon 1640, no moment at all 1650 (VAL-07)",
        .enabled(if: RuntimeShortcuts.areTaken, "the plain path reads every property by its key"),
        arguments: StoreKind.all,
        [
            ("hired", -1, [1640]), ("hired", 0, []), ("hired", 1000, []), ("hired", 1000.5, [1630]),
            ("hired", .nan, [1650]), ("birthDate", .infinity, [1650]), ("birthDate", -1e9, []),
        ] as [(String, Double, [Int])])
    func dateLimits(kind: StoreKind, rule: (key: String, seconds: Double, codes: [Int])) throws {
        let stack = try ValidationModel.stack(kind)
        let hero = try hero(stack.context)
        hero.setValue(Date(timeIntervalSinceReferenceDate: rule.seconds), forKey: rule.key)
        #expect(stack.context.failuresOfSave().map(\.code) == rule.codes)
    }

    @Test("limits beyond what an attribute's type holds break for every number (VAL-07)", arguments: StoreKind.all)
    func limitsBeyondIntegers(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["low": .integer64AttributeType, "high": .integer64AttributeType])
        let huge = try #require(Decimal(string: "1e30"))
        builder.attribute("Item.low").validationRules = [ValidationRule(.minimum(huge))]
        builder.attribute("Item.high").validationRules = [
            ValidationRule(.maximum(huge)), ValidationRule(.minimum(Decimal(Int64.min))),
        ]
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        context.insert("Item", ["low": Int64.max, "high": Int64.max])
        context.insert("Item", ["low": nil, "high": Int64.min])
        #expect(context.failuresOfSave().map(\.code) == [1620])
    }

    @Test("counts of members, and of members that are not deleted (VAL-08)", arguments: StoreKind.all)
    func countsOfMembers(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Order")
        builder.entity("OrderItem")
        builder.entity("Account")
        builder.relationships("Order.items*", "OrderItem.order")
        builder.relationship("OrderItem.account", to: "Account", .noActionDeleteRule).isOptional = false
        let items = try #require(builder["Order"].relationshipsByName["items"])
        (items.minCount, items.maxCount, items.isOptional) = (1, 49, false)
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        let (order, account) = (context.insert("Order"), context.insert("Account"))
        func add(_ count: Int) {
            for _ in 0..<count { context.insert("OrderItem", ["order": order, "account": account]) }
        }
        #expect(context.failuresOfSave().map(\.code) == [1580])
        add(50)
        #expect(context.failuresOfSave().map(\.code) == [1590])
        context.delete(try #require((order.value(forKey: "items") as? Set<NSManagedObject>)?.first))
        #expect(context.failuresOfSave() == [])
        add(1)
        #expect(context.failuresOfSave().map(\.code) == [1590])
        for item in order.value(forKey: "items") as? Set<NSManagedObject> ?? [] { context.delete(item) }
        #expect(context.failuresOfSave().map(\.code) == [1580])
        context.rollback()
        // A required object that is deleted in the same save is missing; nothing leads back from it.
        context.insert("OrderItem", ["account": account])
        context.delete(account)
        #expect(context.failuresOfSave().map(\.code) == [1570])
    }

    @Test("deleted members of a relationship without inverse do not count (VAL-08)", arguments: StoreKind.all)
    func deletedMembersDoNotCount(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Order")
        builder.entity("Note", ["text": .stringAttributeType])
        let notes = builder.relationship("Order.notes*", to: "Note", .noActionDeleteRule)
        (notes.minCount, notes.isOptional) = (1, false)
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        let note = context.insert("Note")
        let order = context.insert("Order", ["notes": NSSet(object: note)])
        try context.save()
        context.insert("Order", ["notes": NSSet(object: note)])
        // The first order has lost its note to the second.
        #expect(context.failuresOfSave().map(\.code) == [1580])
        context.delete(note)
        #expect(context.failuresOfSave().map(\.code) == [1580, 1580])
        context.rollback()
        #expect(order.value(forKey: "notes") as? Set<NSManagedObject> == [note])
    }

    @Test("members that leave an owner which has not read them do not count there (VAL-08)", arguments: StoreKind.all)
    func membersThatLeaveUnseen(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Order", ["name": .stringAttributeType])
        builder.entity("Note", ["text": .stringAttributeType])
        let notes = builder.relationship("Order.notes*", to: "Note", .noActionDeleteRule)
        (notes.minCount, notes.maxCount, notes.isOptional) = (1, 2, false)
        let stack = try Stack(builder.model, kind: kind)
        let note = stack.context.insert("Note", ["text": "a"])
        let others = ["b", "c"].map { stack.context.insert("Note", ["text": $0]) }
        let order = stack.context.insert("Order", ["name": "one", "notes": NSSet(object: note)])
        stack.context.insert("Order", ["name": "two", "notes": NSSet(array: others)])
        try stack.context.save()
        func codes(_ context: NSManagedObjectContext, _ leave: (NSManagedObject) throws -> Void) throws -> [Int] {
            for order in try context.all("Order") { order.setValue("new", forKey: "name") }
            try leave(try context.existingObject(with: note.objectID))
            let alone = try context.existingObject(with: order.objectID)
            #expect(throws: NSError.self) { try alone.validateForUpdate() }
            return context.failuresOfSave().map(\.code)
        }
        #expect(try codes(stack.newContext()) { $0.managedObjectContext?.delete($0) } == [1580])
        #expect(
            try codes(stack.newContext()) {
                $0.managedObjectContext?.insert("Order", ["name": "three", "notes": NSSet(object: $0)])
            } == [1580])
        // The same of a child: what it deletes itself, and what its parent has deleted.
        let parent = stack.newContext()
        func child() -> NSManagedObjectContext {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            return child
        }
        #expect(try codes(child()) { $0.managedObjectContext?.delete($0) } == [1580])
        #expect(try codes(child()) { _ in parent.delete(try parent.existingObject(with: note.objectID)) } == [1580])
        parent.rollback()
        // Two may stay where there were two.
        let plain = stack.newContext()
        for order in try plain.all("Order") { order.setValue("new", forKey: "name") }
        #expect(plain.failuresOfSave() == [])
    }

    @Test(
        "prefetched members of a relationship without inverse are those whom no other owner took (REL-10)",
        arguments: StoreKind.all)
    func prefetchedMembersOfOthers(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Order", ["name": .stringAttributeType])
        builder.entity("Note", ["text": .stringAttributeType])
        builder.relationship("Order.notes*", to: "Note", .noActionDeleteRule)
        let stack = try Stack(builder.model, kind: kind)
        let note = stack.context.insert("Note", ["text": "a"])
        stack.context.insert("Order", ["name": "one", "notes": NSSet(object: note)])
        try stack.context.save()
        let context = stack.newContext()
        let mine = try context.existingObject(with: note.objectID)
        let taker = context.insert("Order", ["name": "two", "notes": NSSet(object: mine)])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Order")
        request.predicate = NSPredicate(format: "name == 'one'")
        request.relationshipKeyPathsForPrefetching = ["notes"]
        let found = try #require(try context.fetch(request).first)
        #expect(found.value(forKey: "notes") as? Set<NSManagedObject> == [])
        #expect(taker.value(forKey: "notes") as? Set<NSManagedObject> == [mine])
    }

    @Test("an optional relationship may be empty in spite of its minimum (VAL-08)", arguments: StoreKind.all)
    func optionalMinimum(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Order")
        builder.entity("Item")
        builder.relationships("Order.items*", "Item.order")
        builder["Order"].relationshipsByName["items"]?.minCount = 2
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        let order = context.insert("Order")
        #expect(context.failuresOfSave() == [])
        context.insert("Item", ["order": order])
        #expect(context.failuresOfSave().map(\.code) == [1580])
    }

    @Test(
        "what breaks a rule may be assigned, blocks the whole save, and can be repaired (VAL-09)",
        arguments: StoreKind.all
    )
    func checkedAtSave(kind: StoreKind) throws {
        let stack = try ValidationModel.stack(kind)
        let context = stack.context
        let saved = try hero(context)
        try context.save()
        let good = try hero(context)
        good.name = "Good"
        saved.name = ""
        for _ in 0..<2 {
            // The initials, which are made of the name, are missing too.
            #expect(context.failuresOfSave().map(\.code) == [1570, 1670])
            #expect(saved.isUpdated && good.isInserted && saved.name == "" && good.objectID.isTemporaryID)
            #expect(try stack.newContext().all("Hero").map { $0.value(forKey: "name") as? String } == ["Untitled Hero"])
        }
        saved.name = "Repaired"
        #expect(context.failuresOfSave() == [])
        #expect(!context.hasChanges)
        let names = try stack.reopened().context.all("Hero", sortedBy: "name").map {
            $0.value(forKey: "name") as? String
        }
        #expect(names == ["Good", "Repaired"])
    }

    @Test("an update asks the rules of every property (VAL-15)", arguments: StoreKind.all)
    func everyPropertyIsChecked(kind: StoreKind) throws {
        let guarded = try ValidationModel.stack(kind)
        let legacy = try self.hero(guarded.context)
        try guarded.context.save()
        legacy.log = []
        legacy.setValue(5, forKey: "level")
        #expect(guarded.context.failuresOfSave() == [])
        #expect(legacy.log == ["willSave", "birthDate", "name", "phone", "update"])
        legacy.log = []
        legacy.name = "Ann"
        #expect(guarded.context.failuresOfSave() == [])
        #expect(legacy.log == ["willSave", "birthDate", "name", "phone", "update"])
    }

    @Test("50,000 new objects with rules; the ones that break them are found (VAL-05, VAL-07)")
    func manyObjects() throws {
        let stack = try ValidationModel.stack(.inMemory)
        let heroes = try (0..<50_000).map { _ in try hero(stack.context) }
        for hero in heroes { hero.setValue(5, forKey: "level") }
        (heroes[7].name, heroes[49_000].name) = ("123456789012345678901", nil)
        let failures = stack.context.failuresOfSave()
        #expect(failures.map(\.code) == [1660, 1570, 1570])
        #expect(failures.first?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === heroes[7])
        (heroes[7].name, heroes[49_000].name) = ("a", "b")
        #expect(stack.context.failuresOfSave() == [])
    }
}
