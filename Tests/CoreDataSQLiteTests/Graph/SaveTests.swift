import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@Suite struct SaveTests {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }
    init() throws { stack = try HeroModel.stack() }

    private func saved(_ name: String = "Ann") throws -> Hero {
        let hero = try #require(context.insert("Hero", ["name": name, "strength": 1]) as? Hero)
        try context.save()
        return hero
    }

    @Test("CTX-03: without changes nothing is sent")
    func saveWithoutChangesSendsNothing() throws {
        _ = try saved()
        try stack.expectStatements(0) { try context.save() }
    }

    @Test("CTX-03, STO-18: only changed columns are written, and the version is counted")
    func onlyChangedColumnsAreWritten() throws {
        let hero = try saved()
        hero.strength = 2
        let statements = try stack.statements { try context.save() }
        let updates = statements.filter { $0.hasPrefix("UPDATE") }
        #expect(updates.count == 1)
        #expect(updates.first?.contains("\"ZSTRENGTH\"") == true || updates.first?.contains("ZSTRENGTH") == true)
        #expect(updates.first?.contains("ZNAME") == false)
        #expect(try stack.rows("SELECT Z_OPT, ZSTRENGTH, ZNAME FROM ZHERO") == [[2, 2, "Ann"]])
        #expect(!hero.hasChanges && hero.strength == 2)
    }

    @Test("STO-17: keys are shared by a hierarchy, counted in Z_MAX and not used again")
    func keysAreNotUsedAgain() throws {
        let heroes = [try saved(), context.insert("SuperHero")]
        try context.save()
        #expect(heroes.map(\.objectID.key) == [1, 2])
        heroes.forEach(context.delete)
        try context.save()
        let next = try saved()
        #expect(next.objectID.key == 3)
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Hero'") == 3)
    }

    @Test("CTX-21: a record changed meanwhile is a conflict; after a refresh the save succeeds")
    func conflictKeepsChangesForAnotherTry() throws {
        let hero = try saved()
        let other = try stack.another()
        let theirs = try #require(try other.context.all("Hero").first)
        theirs.setValue("Theirs", forKey: "name")
        try other.context.save()
        hero.strength = 9
        let new = context.insert("Hero", ["name": "New"])
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectMergeError && error?.domain == NSCocoaErrorDomain)
        #expect(hero.isUpdated && hero.strength == 9 && new.isInserted && new.objectID.isTemporaryID)
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 1)
        context.refresh(hero, mergeChanges: true)
        #expect(hero.name == "Theirs" && hero.strength == 9)
        try context.save()
        #expect(
            try stack.rows("SELECT ZNAME, ZSTRENGTH, Z_OPT FROM ZHERO ORDER BY Z_PK")
                == [["Theirs", 9, 3], ["New", nil, 1]])
    }

    @Test("CTX-21: two contexts of one coordinator conflict too, deletions included")
    func contextsOfOneCoordinatorConflict() throws {
        let hero = try saved()
        let other = stack.newContext()
        let theirs = try #require(try other.all("Hero").first as? Hero)
        #expect(theirs.strength == 1)
        hero.strength = 2
        try context.save()
        theirs.strength = 3
        #expect(code { try other.save() } == NSManagedObjectMergeError)
        other.delete(theirs)
        #expect(code { try other.save() } == NSManagedObjectMergeError)
        other.rollback()
        other.refresh(theirs, mergeChanges: false)
        #expect(theirs.strength == 2)
        other.delete(theirs)
        try other.save()
        hero.strength = 4
        #expect(code { try context.save() } == NSManagedObjectMergeError)
    }

    @Test("CTX-21: a value that must be unique and is there gives 133021, the store unchanged")
    func uniqueValueTwiceIsRefused() throws {
        let draft = ModelDraft()
        draft.entity("User", ["mail": .stringAttributeType]).uniquenessConstraints = [["mail"]]
        let stack = try Stack(draft.model)
        stack.context.insert("User", ["mail": "a"])
        try stack.context.save()
        let double = stack.context.insert("User", ["mail": "a"])
        let single = stack.context.insert("User", ["mail": "b"])
        #expect(code { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        #expect(try stack.integer("SELECT count(*) FROM ZUSER") == 1)
        #expect(double.isInserted && single.isInserted)
        double.setValue("c", forKey: "mail")
        try stack.context.save()
        #expect(try stack.rows("SELECT ZMAIL FROM ZUSER ORDER BY 1") == [["a"], ["b"], ["c"]])
    }

    @Test func uniqueValueOfDeletedObjectCanBeTakenInTheSameSave() throws {
        let draft = ModelDraft()
        draft.entity("User", ["mail": .stringAttributeType]).uniquenessConstraints = [["mail"]]
        let stack = try Stack(draft.model)
        let old = stack.context.insert("User", ["mail": "a"])
        try stack.context.save()
        stack.context.delete(old)
        stack.context.insert("User", ["mail": "a"])
        try stack.context.save()
        #expect(try stack.rows("SELECT Z_PK, ZMAIL FROM ZUSER") == [[2, "a"]])
    }

    @Test("OBJ-23, CTX-17: order of calls and contents of notifications")
    func callsAndNotificationsInOrder() throws {
        let (updated, deleted) = (try saved("U"), try saved("D"))
        let inserted = try #require(context.insert("Hero", ["name": "I"]) as? Hero)
        updated.strength = 5
        context.delete(deleted)
        for hero in [updated, deleted, inserted] { hero.log = [] }
        final class Log: @unchecked Sendable {
            var names: [String] = []
            var sets: [[AnyHashable: Any]] = []
        }
        let log = Log()
        let names: [NSNotification.Name] = [
            .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
                log.names.append(note.name.rawValue)
                log.sets.append(note.userInfo ?? [:])
            }
        }
        defer { observers.forEach(NotificationCenter.default.removeObserver) }
        try context.save()
        #expect(
            log.names == [
                "NSManagingContextWillSaveChangesNotification", "NSObjectsChangedInManagingContextNotification",
                "NSManagingContextDidSaveChangesNotification",
            ])
        for set in log.sets.dropFirst() {
            #expect(set[NSInsertedObjectsKey] as? Set<NSManagedObject> == [inserted])
            #expect(set[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [updated])
            #expect(set[NSDeletedObjectsKey] as? Set<NSManagedObject> == [deleted])
        }
        for hero in [updated, deleted, inserted] { #expect(hero.log.prefix(2) == ["willSave", "didSave"]) }
    }

    @Test("CTX-17: a refreshed object is named as refreshed")
    func refreshIsAnnounced() async throws {
        let hero = try saved()
        nonisolated(unsafe) var refreshed: Set<NSManagedObject>?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { refreshed = $0.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.refresh(hero, mergeChanges: false)
        context.processPendingChanges()
        #expect(refreshed == [hero])
    }

    @Test("OBJ-23: what willSave changes is saved, also on objects that were unchanged")
    func changesInWillSaveAreSaved() throws {
        ChainSaver.register()
        let draft = ModelDraft()
        draft.entity("Saver", class: "ChainSaver", ["count": .integer64AttributeType])
        draft.relationship("Saver.next", to: "Saver")
        let stack = try Stack(draft.model)
        let second = stack.context.insert("Saver")
        let first = stack.context.insert("Saver", ["next": second])
        try stack.context.save()
        first.setValue(1, forKey: "count")
        try stack.context.save()
        #expect(try stack.rows("SELECT ZCOUNT FROM ZSAVER ORDER BY Z_PK").count == 2)
        #expect(second.value(forKey: "count") as? Int == 101)
        #expect(try stack.integer("SELECT count(*) FROM ZSAVER WHERE ZCOUNT = 101") == 1)
        #expect(!stack.context.hasChanges)
    }

    @Test("CTX-15: rollback gives values, insertions and deletions back")
    func rollbackRestores() throws {
        let (hero, second) = (try saved("Ann"), try saved("Bob"))
        let power = Power(context: context)
        try context.save()
        let new = context.insert("Hero")
        hero.name = "X"
        power.hero = hero
        context.delete(second)
        hero.log = []
        context.rollback()
        #expect(hero.name == "Ann" && hero.powers.isEmpty && power.hero == nil)
        #expect(!second.isDeleted && !context.hasChanges && new.managedObjectContext == nil)
        #expect(hero.log.contains("snapshot \(NSSnapshotEventType.rollback.rawValue)"))
        #expect(try context.all("Hero").count == 2)
        try stack.expectStatements(0) { try context.save() }
    }

    @Test("CTX-03: a failed save can be tried again")
    func failedSaveCanBeRetried() throws {
        let hero = try saved()
        hero.name = nil
        let new = context.insert("Power", ["name": "P", "hero": hero])
        #expect(code { try context.save() } == NSValidationMissingMandatoryPropertyError)
        #expect(hero.isUpdated && new.isInserted)
        #expect(try stack.rows("SELECT ZNAME FROM ZHERO") == [["Ann"]])
        hero.name = "Bob"
        try context.save()
        #expect(try stack.rows("SELECT ZNAME FROM ZHERO") == [["Bob"]])
        #expect(try stack.integer("SELECT ZHERO FROM ZPOWER") == 1)
    }

    @Test("CTX-06: other contexts keep what they loaded until refreshed")
    func contextsKeepTheirValues() throws {
        let hero = try saved()
        let other = stack.newContext()
        let theirs = try #require(try other.all("Hero").first as? Hero)
        #expect(theirs.name == "Ann")
        hero.name = "Bob"
        #expect(try other.all("Hero").first?.value(forKey: "name") as? String == "Ann")
        try context.save()
        #expect(theirs.name == "Ann")
        _ = try other.all("Hero")
        #expect(theirs.name == "Ann")
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.shouldRefreshRefetchedObjects = true
        _ = try other.fetch(request)
        #expect(theirs.name == "Bob")
    }

    @Test("MOD-42: a derived attribute that the store changes is read again")
    func derivedAttributeIsReadAgain() throws {
        let draft = ModelDraft()
        draft.entity("Owner", ["name": .stringAttributeType])
        draft.entity("Child", ["name": .stringAttributeType])
        draft.relationships("Owner.children*", "Child.owner")
        let derived = NSDerivedAttributeDescription()
        derived.name = "childCount"
        derived.attributeType = .integer64AttributeType
        derived.isOptional = true
        derived.derivationExpression = NSExpression(format: "children.@count")
        draft["Owner"].properties.append(derived)
        let stack = try Stack(draft.model)
        let owner = stack.context.insert("Owner")
        let child = stack.context.insert("Child", ["owner": owner])
        try stack.context.save()
        #expect(owner.value(forKey: "childCount") as? Int == 1)
        stack.context.insert("Child", ["owner": owner])
        try stack.context.save()
        #expect(owner.value(forKey: "childCount") as? Int == 2)
        child.setValue(nil, forKey: "owner")
        try stack.context.save()
        #expect(owner.value(forKey: "childCount") as? Int == 1)
        #expect(throws: ValueError.self) { try owner.setCodedValue(7, forKey: "childCount") }
        owner.setValue("n", forKey: "name")
        try stack.context.save()
        #expect(try stack.integer("SELECT ZCHILDCOUNT FROM ZOWNER") == 1)
    }

    @Test("STO-08: objects land in their stores, a fetch spans both, a reference across is refused")
    func severalStores() throws {
        let draft = ModelDraft()
        draft.entity("A", ["name": .stringAttributeType])
        draft.entity("B", ["name": .stringAttributeType])
        draft.relationship("A.b", to: "B")
        draft.model.setEntities([draft["A"]], forConfigurationName: "One")
        draft.model.setEntities([draft["B"]], forConfigurationName: "Two")
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: draft.model)
        for name in ["One", "Two"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.appendingPathComponent("\(name).sqlite"))
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let (a, b) = (context.insert("A", ["name": "a"]), context.insert("B", ["name": "b"]))
        try context.save()
        #expect(a.objectID.persistentStore === coordinator.persistentStores[0])
        #expect(b.objectID.persistentStore === coordinator.persistentStores[1])
        #expect(try context.all("A").count == 1 && context.all("B").count == 1)
        a.setValue(b, forKey: "b")
        #expect(code { try context.save() } == NSManagedObjectExternalRelationshipError)
    }

    @Test("FET-28: one fetch gives the union of all stores, sorted; affectedStores restricts it")
    func fetchSpansStores() throws {
        context.insert("Team", ["name": "b"])
        try context.save()
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Second.sqlite")
        let second = try Stack(stack.model, url: url)
        for name in ["a", "c"] { second.context.insert("Team", ["name": name]) }
        try second.context.save()
        let added = try stack.coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        #expect(
            try context.all("Team", sortedBy: "name").map { $0.value(forKey: "name") as? String } == ["a", "b", "c"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.affectedStores = [added]
        #expect(try context.count(for: request) == 2)
        request.affectedStores = nil
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        request.fetchLimit = 1
        request.fetchOffset = 1
        #expect(try context.fetch(request).first?.value(forKey: "name") as? String == "b")
    }
}

/// Adds a hundred to the next one's count whenever it is saved with a count of its own.
final class ChainSaver: NSManagedObject {
    static func register() { ObjectClassResolver.register(ChainSaver.self, named: "ChainSaver") }
    override func willSave() {
        guard let next = primitiveValue(forKey: "next") as? NSManagedObject,
            let count = primitiveValue(forKey: "count") as? Int, next.value(forKey: "count") as? Int != count + 100
        else { return }
        next.setValue(count + 100, forKey: "count")
    }
}

@Suite struct ValidationTests {
    let stack: Stack
    init() throws {
        let draft = ModelDraft()
        draft.entity(
            "Item",
            [
                "name": .stringAttributeType, "salary": .doubleAttributeType, "date": .dateAttributeType,
                "address": .stringAttributeType,
            ])
        draft.entity("Part")
        draft.entity("Owner")
        draft.relationships("Item.parts*", "Part.item")
        draft.relationships("Item.owner", "Owner.items*")
        draft.attribute("Item.name").isOptional = false
        draft.attribute("Item.name").setValidationPredicates(
            [NSPredicate(format: "length >= 1"), NSPredicate(format: "length <= 5")],
            withValidationWarnings: ["1670", "1660"])
        draft.attribute("Item.salary").setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 100")],
            withValidationWarnings: ["1620", "1610"])
        draft.attribute("Item.address").setValidationPredicates(
            [NSPredicate(format: "SELF MATCHES '[0-9.]+'")], withValidationWarnings: ["1680"])
        draft["Item"].relationshipsByName["owner"]?.isOptional = false
        draft["Item"].relationshipsByName["parts"]?.minCount = 1
        draft["Item"].relationshipsByName["parts"]?.maxCount = 3
        draft["Item"].relationshipsByName["parts"]?.isOptional = false
        stack = try Stack(draft.model)
    }

    private func item() -> NSManagedObject {
        let context = stack.context
        let item = context.insert("Item", ["name": "x", "owner": context.insert("Owner")])
        context.insert("Part", ["item": item])
        return item
    }

    @Test(
        "VAL-03…08: each broken rule fails the save by its code, key and object",
        arguments: [
            ("name", nil, 1570), ("name", "", 1670), ("name", "123456", 1660), ("salary", "-1", 1620),
            ("salary", "101", 1610),
            ("address", "abc", 1680), ("owner", nil, 1570), ("parts", nil, 1580), ("parts", "4", 1590),
        ] as [(String, String?, Int)])
    func brokenRuleFailsSave(key: String, text: String?, expected: Int) throws {
        let item = item()
        var value: Any? = text
        if key == "salary" { value = text.flatMap(Double.init) }
        if key == "parts", text != nil { value = NSSet(array: (0..<4).map { _ in stack.context.insert("Part") }) }
        item.setValue(value, forKey: key)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == expected)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item)
        #expect(error?.localizedDescription.contains(key) == true)
        #expect(item.isInserted)
        #expect(try stack.integer("SELECT count(*) FROM ZITEM") == 0)
        if text != nil, key != "parts" {
            #expect(error?.userInfo[NSValidationValueErrorKey] != nil)
            #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        }
    }

    @Test("VAL-16: several broken rules come together in 1560")
    func severalErrorsComeTogether() throws {
        let item = item()
        item.setValue("", forKey: "name")
        item.setValue(-1, forKey: "salary")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
        #expect(Set(details?.map(\.code) ?? []) == [1670, 1620])
    }

    @Test("VAL-18: a rule's own text is what the error says")
    func ownTextIsSaid() throws {
        let draft = ModelDraft()
        draft.entity("Item", ["name": .stringAttributeType])
        draft.attribute("Item.name").setValidationPredicates(
            [NSPredicate(format: "SELF BEGINSWITH 'a'")], withValidationWarnings: ["Begin with an a."])
        let stack = try Stack(draft.model)
        stack.context.insert("Item", ["name": "b"])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectValidationError)
        #expect(error?.localizedDescription == "Begin with an a.")
    }

    @Test("VAL-15: on an update only what changed is checked")
    func onlyChangedPropertiesAreChecked() throws {
        let item = item()
        try stack.context.save()
        try stack.execute("UPDATE ZITEM SET ZNAME = '', ZSALARY = -5")
        stack.context.refresh(item, mergeChanges: false)
        item.setValue("1.2", forKey: "address")
        try stack.context.save()
        item.setValue(-6.0, forKey: "salary")
        #expect(code { try stack.context.save() } == NSValidationNumberTooSmallError)
    }
}
