import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// Reverting transactions of the history, and reading past states, where old values are kept.
@Suite struct RevertTests {
    private let scene: HistoryScene
    private var context: NSManagedObjectContext { scene.context }

    init() throws {
        scene = try HistoryScene()
        try scene.open(HistoryScene.keepingOldValues)
    }

    /// The newest transaction.
    private func newest() throws -> NSPersistentHistoryTransaction {
        try #require(try context.transactions(after: nil).last)
    }

    /// Saves, and gives the transaction.
    @discardableResult private func save() throws -> NSPersistentHistoryTransaction {
        try context.save()
        return try newest()
    }

    private func token() throws -> NSPersistentHistoryToken {
        try #require(scene.coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    /// A context that reads a past state.
    private func past(_ token: NSPersistentHistoryToken) throws -> NSManagedObjectContext {
        let past = NSManagedObjectContext(.privateQueue)
        past.persistentStoreCoordinator = scene.coordinator
        try past.performAndWait { try past.setQueryGenerationFrom(scene.coordinator.queryGeneration(asOf: token)) }
        return past
    }

    // MARK: Reverting

    @Test("reverting an update gives changed attributes and relationships their former values, unsaved (CTX-34)")
    func revertedUpdate() throws {
        let (base, other) = (context.insert("Base", ["name": "A"]), context.insert("Base", ["name": "B"]))
        let team = context.insert("Team", ["name": "Ann", "base": base])
        try save()
        team.setValue("Eve", forKey: "name")
        team.setValue(other, forKey: "base")
        let transaction = try save()
        try context.revert(transaction)
        #expect(team.value(forKey: "name") as? String == "Ann")
        #expect(team.value(forKey: "base") as? NSManagedObject === base)
        #expect(context.hasChanges && team.changedValues().count == 2)
        #expect(try scene.rows("SELECT ZNAME FROM ZTEAM") == [[.text("Eve")]], "nothing is written before the save")
        try context.save()
        #expect(try scene.rows("SELECT ZNAME FROM ZTEAM") == [[.text("Ann")]])
    }

    @Test("reverting an insertion deletes the objects, reverting that brings new ones back with their values (CTX-34)")
    func revertedInsertion() throws {
        let team = context.insert("Team", ["name": "A"])
        try save()
        let hero = context.insert("SuperHero", ["name": "Ann", "birthDate": Date(timeIntervalSinceReferenceDate: 7)])
        hero.setValue(NSSet(object: team), forKey: "teams")
        let power = context.insert("Power", ["name": "flight", "hero": hero])
        let insertion = try save()
        try context.revert(insertion)
        #expect(hero.isDeleted && power.isDeleted)
        let deletion = try save()
        #expect(try context.all("Hero").isEmpty && context.all("Power").isEmpty)

        try context.revert(deletion)
        try context.save()
        let back = try #require(try context.all("SuperHero").first)
        #expect(back.objectID != hero.objectID && back.value(forKey: "name") as? String == "Ann")
        #expect(back.value(forKey: "birthDate") as? Date == Date(timeIntervalSinceReferenceDate: 7))
        #expect(back.value(forKey: "teams") as? NSSet == NSSet(object: team))
        let powers = try #require(back.value(forKey: "powers") as? NSSet)
        #expect(
            powers.count == 1 && (powers.anyObject() as? NSManagedObject)?.value(forKey: "name") as? String == "flight")
    }

    @Test("reverting is one step of the undo manager (CTX-34)")
    func undoneReversal() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        try save()
        hero.setValue("Eve", forKey: "name")
        let transaction = try save()
        context.undoManager = UndoManager()
        try context.revert(transaction)
        context.processPendingChanges()
        context.undo()
        #expect(hero.value(forKey: "name") as? String == "Eve" && !context.hasChanges)
    }

    @Test("a batch request is reverted like a save (CTX-34)")
    func revertedBatch() throws {
        for number in 0..<50 { context.insert("Hero", ["name": "h\(number)", "strength": number]) }
        try save()
        let update = NSBatchUpdateRequest(entityName: "Hero")
        update.predicate = NSPredicate(format: "strength < 20")
        update.propertiesToUpdate = ["name": "changed"]
        try context.execute(update)
        let updated = try newest()
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Hero")
        fetch.predicate = NSPredicate(format: "strength >= 40")
        try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        let deleted = try newest()
        context.reset()
        try context.revert(deleted)
        try context.revert(updated)
        try context.save()
        let names = try context.all("Hero").compactMap { $0.value(forKey: "name") as? String }.sorted()
        #expect(names == (0..<50).map { "h\($0)" }.sorted())
    }

    // MARK: Conflicts

    @Test(
        "where later saves touched the same property the merge policy decides (CTX-34)",
        arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback, .overwrite])
    func whereLaterSavesTouchedSamePropertyMergePolicyDecides(_ policy: NSMergePolicy) throws {
        let hero = context.insert("Hero", ["name": "Ann", "strength": 1])
        try save()
        hero.setValue("Eve", forKey: "name")
        hero.setValue(2, forKey: "strength")
        let transaction = try save()
        hero.setValue("Zoe", forKey: "name")
        try save()

        let error = #expect(throws: NSError.self) { try context.revert(transaction) }
        #expect(error?.code == NSManagedObjectMergeError && error?.domain == NSCocoaErrorDomain)
        let list = error?.userInfo["conflictList"] as? [NSMergeConflict]
        #expect(list?.map(\.sourceObject) == [hero])
        #expect(!context.hasChanges, "a refused reversal changes nothing")

        context.mergePolicy = policy
        try context.revert(transaction)
        let keepsLater = [.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType].contains(
            policy.mergeType)
        #expect(hero.value(forKey: "name") as? String == (keepsLater ? "Zoe" : "Ann"))
        #expect(hero.value(forKey: "strength") as? Int == 1)
    }

    @Test("unsaved changes of the same property are a conflict too, those of others are not (CTX-34)")
    func unsavedChanges() throws {
        let hero = context.insert("Hero", ["name": "Ann", "strength": 1])
        try save()
        hero.setValue("Eve", forKey: "name")
        let transaction = try save()
        hero.setValue(5, forKey: "strength")
        try context.revert(transaction)
        #expect(hero.value(forKey: "name") as? String == "Ann" && hero.value(forKey: "strength") as? Int == 5)
        hero.setValue("Zoe", forKey: "name")
        #expect(throws: NSError.self) { try context.revert(transaction) }
        #expect(hero.value(forKey: "name") as? String == "Zoe")
    }

    @Test(
        "an object that was deleted since cannot be changed back, and one that was changed since is not deleted (CTX-34)"
    )
    func laterDeletions() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        let insertion = try save()
        hero.setValue("Eve", forKey: "name")
        let update = try save()
        #expect(throws: NSError.self, "changed since") { try context.revert(insertion) }
        #expect(!hero.isDeleted)
        context.delete(hero)
        try save()
        let error = #expect(throws: NSError.self) { try context.revert(update) }
        #expect(error?.code == NSManagedObjectMergeError && error?.localizedFailureReason?.contains("Hero/p") == true)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.revert(update)
        try context.revert(insertion)
        #expect(!context.hasChanges)
    }

    @Test("members that a relationship got later stay when an earlier change of it is reverted (CTX-34)")
    func laterMembers() throws {
        let teams = (0..<3).map { context.insert("Team", ["name": "t\($0)"]) }
        let hero = context.insert("Hero", ["name": "Ann", "teams": NSSet(array: [teams[0]])])
        try save()
        hero.setValue(NSSet(array: [teams[1]]), forKey: "teams")
        let transaction = try save()
        hero.setValue(NSSet(array: [teams[1], teams[2]]), forKey: "teams")
        try save()
        try context.revert(transaction)
        #expect(hero.value(forKey: "teams") as? NSSet == NSSet(array: [teams[0], teams[2]]))
    }

    // MARK: Past states

    @Test(
        "a context reads the objects as of a token, also those that are gone, by fetches, faults and identifiers (CTX-34)"
    )
    func pastState() throws {
        let team = context.insert("Team", ["name": "A"])
        let hero = context.insert("Hero", ["name": "Ann", "strength": 1, "teams": NSSet(object: team)])
        let gone = context.insert("Hero", ["name": "Bob", "strength": 2, "teams": NSSet(object: team)])
        try save()
        let then = try token()
        hero.setValue("Eve", forKey: "name")
        hero.setValue(NSSet(), forKey: "teams")
        context.delete(gone)
        context.insert("Hero", ["name": "New", "strength": 9])
        try save()
        team.setValue("Z", forKey: "name")
        try save()
        let (heroID, goneID) = (hero.objectID, gone.objectID)

        let past = try past(then)
        try past.performAndWait {
            #expect(
                try past.all("Hero", sortedBy: "strength").map { $0.value(forKey: "name") as? String } == [
                    "Ann", "Bob",
                ])
            #expect(try past.count(for: NSFetchRequest<any NSFetchRequestResult>(entityName: "Hero")) == 2)
            let ann = try past.existingObject(with: heroID)
            #expect(
                ((ann.value(forKey: "teams") as? NSSet)?.anyObject() as? NSManagedObject)?.value(forKey: "name")
                    as? String == "A")
            #expect(try past.existingObject(with: goneID).value(forKey: "name") as? String == "Bob")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            request.predicate = NSPredicate(format: "members.@count == 2 AND ANY members.name == 'Bob'")
            request.relationshipKeyPathsForPrefetching = ["members"]
            #expect(try past.fetch(request).first?.value(forKey: "name") as? String == "A")
        }
    }

    @Test("a past state does not move with later saves, and its changes are not saved (CTX-34)")
    func pastStateStays() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        try save()
        let past = try past(try token())
        past.performAndWait { past.automaticallyMergesChangesFromParent = true }
        hero.setValue("Eve", forKey: "name")
        try save()
        let identifier = hero.objectID
        try past.performAndWait {
            let ann = try past.existingObject(with: identifier)
            #expect(ann.value(forKey: "name") as? String == "Ann")
            ann.setValue("Zoe", forKey: "name")
            let error = #expect(throws: NSError.self) { try past.save() }
            #expect(error?.code == NSPersistentStoreSaveError)
            past.reset()
            #expect(try past.existingObject(with: identifier).value(forKey: "name") as? String == "Ann")
            try past.setQueryGenerationFrom(nil)
            past.refreshAllObjects()
            #expect(try past.existingObject(with: identifier).value(forKey: "name") as? String == "Eve")
        }
    }

    @Test("by a date the state is that before the first later transaction (CTX-34)")
    func pastStateByDate() throws {
        context.insert("Hero", ["name": "Ann"])
        let first = try save()
        context.insert("Hero", ["name": "Bob"])
        try save()
        let generation = try scene.coordinator.queryGeneration(asOf: first.timestamp)
        try context.performAndWait {
            try context.setQueryGenerationFrom(generation)
            #expect(try context.all("Hero").count == 1)
            try context.setQueryGenerationFrom(try scene.coordinator.queryGeneration(asOf: .distantPast))
            #expect(try context.all("Hero").isEmpty)
            try context.setQueryGenerationFrom(try scene.coordinator.queryGeneration(asOf: .distantFuture))
            #expect(try context.all("Hero").count == 2)
        }
    }

    // MARK: What cannot be done

    @Test("transactions that were committed without old values are refused by name (CTX-34)")
    func withoutOldValues() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        try save()
        let start = try token()
        let place = hero.objectID.uriRepresentation()
        try scene.open()
        let identifier = try #require(scene.coordinator.managedObjectID(forURIRepresentation: place))
        let same = try scene.context.existingObject(with: identifier)
        same.setValue("Eve", forKey: "name")
        try scene.context.save()
        let transaction = try #require(try scene.context.transactions(after: start).first)
        try scene.open(HistoryScene.keepingOldValues)
        for attempt in [
            { try scene.context.revert(transaction) },
            { _ = try scene.coordinator.queryGeneration(asOf: start) },
        ] {
            let error = #expect(throws: NSError.self) { try attempt() }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error?.localizedDescription.contains("Transaction \(transaction.transactionNumber)") == true)
        }
        #expect(!scene.context.hasChanges)
    }

    @Test("with the history old values are purged, and states before are expired (CTX-34)")
    func purgedOldValues() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        let first = try save()
        for name in ["B", "C", "D"] {
            hero.setValue(name, forKey: "name")
            try save()
        }
        let last = try token()
        hero.setValue("E", forKey: "name")
        try save()
        #expect(try scene.rows("SELECT count(*) FROM OpenCoreDataOldTransactions") == [[.integer(5)]])
        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: last))
        #expect(try scene.rows("SELECT ID FROM OpenCoreDataOldTransactions") == [[.integer(4)], [.integer(5)]])
        #expect(try scene.rows("SELECT min(TRANSACTIONID) FROM OpenCoreDataOldValues") == [[.integer(4)]])
        for attempt in [
            { try context.revert(first) }, { _ = try scene.coordinator.queryGeneration(asOf: first.token) },
        ] {
            let error = #expect(throws: NSError.self) { try attempt() }
            #expect(error?.code == NSPersistentHistoryTokenExpiredError)
        }
        _ = try scene.coordinator.queryGeneration(asOf: last)
    }

    @Test("a large value whose file is gone refuses the reversal, and is never reverted to nil (CTX-34)")
    func largeValues() throws {
        let builder = ModelBuilder()
        builder.entity("Image", ["data": .binaryDataAttributeType, "name": .stringAttributeType])
        builder.attribute("Image.data").allowsExternalBinaryDataStorage = true
        let scene = try HistoryScene(builder.model)
        try scene.open(HistoryScene.keepingOldValues)
        let large = Data(repeating: 7, count: 300_000)
        let image = scene.context.insert("Image", ["data": large, "name": "a"])
        try scene.context.save()
        image.setValue(Data([1]), forKey: "data")
        try scene.context.save()
        image.setValue("b", forKey: "name")
        try scene.context.save()
        image.setValue(large, forKey: "data")
        try scene.context.save()
        let transactions = try scene.context.transactions(after: nil)
        let error = #expect(throws: NSError.self) { try scene.context.revert(transactions[1]) }
        #expect(error?.domain == NSCocoaErrorDomain && !scene.context.hasChanges)
        // Small values lie in the row, and other attributes are not concerned.
        try scene.context.revert(transactions[3])
        try scene.context.revert(transactions[2])
        #expect(image.value(forKey: "data") as? Data == Data([1]) && image.value(forKey: "name") as? String == "a")
    }

    @Test("stores in memory keep no past states, and say so (CTX-34)")
    func storesInMemory() throws {
        let stack = try Stack(HistoryScene.heroes(), kind: .inMemory, options: HistoryScene.keepingOldValues)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let transaction = try #require(try stack.context.transactions(after: nil).first)
        let error = #expect(throws: NSError.self) { try stack.context.revert(transaction) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("what a row was before the transaction counts, however often it changed within (CTX-34)")
    func severalChangesInOneTransaction() throws {
        let heroes = ["Ann", "Bob", "Cid"].map { context.insert("Hero", ["name": $0]) }
        try save()
        let keys = heroes.map { String($0.objectID.uriRepresentation().lastPathComponent.dropFirst()) }
        let file = scene.file
        try scene.store.serialized {
            try file.connection.transaction(.immediate) {
                for name in ["x", "y"] {
                    try file.connection.execute("UPDATE ZHERO SET ZNAME = '\(name)' WHERE Z_PK <> \(keys[2])")
                }
                try file.connection.execute("DELETE FROM ZHERO WHERE Z_PK = \(keys[1])")
                try file.connection.execute(
                    "INSERT INTO ZHERO (Z_PK, Z_ENT, Z_OPT) SELECT 99, Z_ENT, 1 FROM ZHERO LIMIT 1")
                try file.connection.execute("DELETE FROM ZHERO WHERE Z_PK = 99")
                _ = try file.historyWriter?.record(by: ChangeSource(), file.connection)
            }
            file.historyWriter?.finish(wasCommitted: true, file.connection)
        }
        context.reset()
        #expect(try context.all("Hero").count == 2)
        try context.revert(try newest())
        try context.save()
        #expect(
            try context.all("Hero", sortedBy: "name").map { $0.value(forKey: "name") as? String } == [
                "Ann", "Bob", "Cid",
            ])
    }

    @Test("rows of more columns than one call takes are reverted and read whole (CTX-34)")
    func wideRows() throws {
        let names = (0..<130).map { "a\($0)" }
        let entity = NSEntityDescription()
        entity.name = "Wide"
        entity.properties = names.map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let scene = try HistoryScene(model)
        try scene.open(HistoryScene.keepingOldValues)
        let object = scene.context.insert("Wide", Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        try scene.context.save()
        for number in stride(from: 0, to: 130, by: 7) { object.setValue(2, forKey: "a\(number)") }
        try scene.context.save()
        scene.context.delete(object)
        try scene.context.save()
        let transactions = try scene.context.transactions(after: nil)
        try scene.context.revert(transactions[2])
        let back = try #require(try scene.context.all("Wide").first)
        for (number, name) in names.enumerated() {
            #expect(back.value(forKey: name) as? Int == (number % 7 == 0 ? 2 : 1))
        }
        try scene.context.setQueryGenerationFrom(try scene.coordinator.queryGeneration(asOf: transactions[0].token))
        scene.context.reset()
        let first = try #require(try scene.context.all("Wide").first)
        #expect(names.allSatisfy { first.value(forKey: $0) as? Int == 1 })
    }

    @Test(
        "damaged old values give an error or what is left of them, and never a trap (CTX-34)",
        arguments: [
            "UPDATE OR REPLACE OpenCoreDataOldValues SET COLUMNNAME = 'ZNOWHERE' WHERE COLUMNNAME <> ''",
            "UPDATE OR REPLACE OpenCoreDataOldValues SET TABLENAME = 'Z_METADATA'",
            "UPDATE OpenCoreDataOldValues SET VALUE = x'00'",
            "UPDATE OpenCoreDataOldValues SET ROWKEY = 'x' || ROWKEY", "DELETE FROM OpenCoreDataOldValues",
            "UPDATE OpenCoreDataOldValues SET VALUE = 9223372036854775807, MEMBERKEY = -1",
            "DROP TABLE OpenCoreDataOldValues", "DELETE FROM ACHANGE",
            "ALTER TABLE OpenCoreDataOldValues RENAME COLUMN VALUE TO OTHER",
        ])
    func damagedOldValues(_ damage: String) throws {
        let hero = context.insert(
            "Hero", ["name": "Ann", "teams": NSSet(object: context.insert("Team", ["name": "A"]))])
        let first = try save()
        hero.setValue("Eve", forKey: "name")
        hero.setValue(NSSet(), forKey: "teams")
        try save()
        context.delete(hero)
        let last = try save()
        _ = try scene.rows(damage)
        for transaction in [first, last] {
            do {
                try context.revert(transaction)
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain && !context.hasChanges, "\(error)")
            }
            context.rollback()
        }
        do {
            let past = try past(first.token)
            _ = try past.performAndWait { try past.all("Hero").map { $0.value(forKey: "name") } }
        } catch let error as NSError {
            #expect(error.domain == NSCocoaErrorDomain, "\(error)")
        }
        // Where they cannot be kept any more, saves say so instead of doing without.
        context.insert("Hero", ["name": "New"])
        do { try context.save() } catch let error as NSError { #expect(error.domain == NSCocoaErrorDomain) }
    }

    @Test("a save that is rolled back keeps no old values, and without the option no table is made (CTX-34)")
    func nothingKept() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        try save()
        let count = try scene.rows("SELECT count(*) FROM OpenCoreDataOldValues")
        try scene.file.connection.execute(
            "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.ACHANGE BEGIN SELECT RAISE(ABORT, 'no'); END")
        hero.setValue("Eve", forKey: "name")
        #expect(throws: NSError.self) { try context.save() }
        try scene.file.connection.execute("DROP TRIGGER temp.refuse")
        #expect(try scene.rows("SELECT count(*) FROM OpenCoreDataOldValues") == count)
        try context.save()
        try context.revert(try newest())
        #expect(hero.value(forKey: "name") as? String == "Ann")

        let plain = try HistoryScene()
        #expect(try plain.rows("SELECT name FROM sqlite_master WHERE name LIKE 'OpenCoreData%'").isEmpty)
    }
}
