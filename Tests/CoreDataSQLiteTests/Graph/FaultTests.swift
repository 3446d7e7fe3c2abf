import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@Suite struct FaultTests {
    let stack: Stack
    init() throws {
        stack = try HeroModel.stack()
        let context = stack.newContext()
        let hero = context.insert("Hero", ["name": "Ann", "strength": 7])
        context.insert("Power", ["name": "Flight", "hero": hero])
        context.insert("Power", ["name": "Sight", "hero": hero])
        try context.save()
    }

    @Test("OBJ-12: a fetched object is a fault whose firing costs no statement")
    func fetchedObjectIsFaultFilledFromCache() throws {
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        #expect(hero.isFault)
        #expect(hero.faultingState != 0)
        stack.expectStatements(0) { #expect(hero.name == "Ann") }
        #expect(!hero.isFault)
        #expect(hero.log == ["fetch"])
    }

    @Test("OBJ-12: a fault without a cached row costs one statement")
    func faultWithoutCachedRowCostsOneStatement() throws {
        let id = try #require(try stack.newContext().all("Hero").first?.objectID)
        let hero = stack.context.object(with: id)
        stack.expectStatements(1) { #expect(hero.value(forKey: "name") as? String == "Ann") }
        stack.expectStatements(0) { #expect(hero.value(forKey: "strength") as? Int == 7) }
    }

    @Test("OBJ-12: objects fetched without being faults have their values")
    func fetchWithoutFaultsFillsObjects() throws {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.returnsObjectsAsFaults = false
        let hero = try #require(try stack.context.fetch(request).first)
        #expect(!hero.isFault)
        #expect(hero.log == ["fetch"])
    }

    @Test("OBJ-13: a to-one relationship is a fault until it is read, then one statement")
    func toOneCostsOneStatementWhenRead() throws {
        let power = try #require(try stack.context.all("Power").first as? Power)
        #expect(power.name != nil)
        #expect(power.hasFault(forRelationshipNamed: "hero"))
        stack.expectStatements(0) { #expect(power.hero?.isFault == true) }
        stack.expectStatements(1) { #expect(power.hero?.name == "Ann") }
        #expect(!power.hasFault(forRelationshipNamed: "hero"))
        #expect(power.hero?.hasFault(forRelationshipNamed: "powers") == true)
    }

    @Test("OBJ-13: a to-many relationship costs one statement, and its members are faults")
    func toManyCostsOneStatement() throws {
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        stack.expectStatements(1) { #expect(hero.powers.count == 2) }
        #expect(hero.powers.allSatisfy { $0.isFault })
        stack.expectStatements(0) { #expect(hero.powers.count == 2) }
    }

    @Test("OBJ-14: what needs no values fires no fault")
    func faultFreeOperationsSendNothing() throws {
        let hero = try #require(try stack.context.all("Hero").first)
        let other = try #require(try stack.newContext().all("Hero").first)
        let count = stack.statementCount {
            #expect(hero == hero && hero != other)
            #expect(Set([hero]).contains(hero))
            #expect(hero is Hero)
            #expect([hero].firstIndex(of: hero) == 0)
            #expect(hero.description.contains("<fault>"))
            #expect(hero.managedObjectContext === stack.context)
            #expect(hero.entity.name == "Hero")
            #expect(hero.objectID.key == 1)
            #expect(!hero.isInserted && !hero.isUpdated && !hero.isDeleted && !hero.hasChanges)
            #expect(hero.changedValues().isEmpty)
            #expect(hero.hasFault(forRelationshipNamed: "powers"))
        }
        #expect(count == 0)
        #expect(hero.isFault)
    }

    @Test("OBJ-15: a description shows lazy relationships as faults and values as they are")
    func descriptionShowsValues() throws {
        let hero = try #require(try stack.context.all("Hero").first)
        _ = hero.value(forKey: "name")
        #expect(hero.description.contains("name = Ann"))
        #expect(hero.description.contains("<relationship fault"))
        _ = hero.value(forKey: "powers")
        #expect(hero.description.contains("/Power/p1"))
    }

    @Test("OBJ-16: refreshing makes a fault and forgets changes")
    func refreshMakesFault() throws {
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        hero.name = "Bob"
        weak var power: Power?
        power = hero.powers.first
        #expect(power != nil)
        hero.log = []
        stack.context.refresh(hero, mergeChanges: false)
        #expect(hero.isFault && !hero.hasChanges)
        #expect(hero.log == ["willTurnIntoFault", "didTurnIntoFault"])
        #expect(power == nil)
        #expect(!stack.context.hasChanges)
        #expect(hero.name == "Ann")
    }

    @Test("OBJ-16: a refreshed object shows what another process wrote")
    func refreshedObjectShowsNewValues() throws {
        let heroes = try stack.context.all("Hero")
        let hero = try #require(heroes.first as? Hero)
        #expect(hero.name == "Ann")
        let other = try stack.another()
        try #require(try other.context.all("Hero").first).setValue("Cid", forKey: "name")
        try other.context.save()
        #expect(hero.name == "Ann")
        stack.context.refresh(hero, mergeChanges: false)
        #expect(hero.name == "Cid")
    }

    @Test("OBJ-17: refreshing with merging keeps changes over the new values")
    func refreshKeepsChanges() throws {
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        hero.strength = 99
        let other = try stack.another()
        let theirs = try #require(try other.context.all("Hero").first as? Hero)
        theirs.name = "Cid"
        theirs.strength = 1
        try other.context.save()
        hero.log = []
        stack.context.refresh(hero, mergeChanges: true)
        #expect(hero.name == "Cid")
        #expect(hero.strength == 99)
        #expect(hero.log == ["snapshot \(NSSnapshotEventType.refresh.rawValue)"])
        try stack.context.save()
        #expect(try stack.integer("SELECT ZSTRENGTH FROM ZHERO") == 99)
        #expect(try stack.rows("SELECT ZNAME FROM ZHERO") == [["Cid"]])
    }

    @Test("OBJ-26: a fault whose row is gone reads as nil, counts as deleted and is reported")
    func goneRowReadsAsNil() throws {
        let hero = try #require(try stack.context.all("Hero").first)
        let id = hero.objectID
        stack.context.refresh(hero, mergeChanges: false)
        let other = try stack.another()
        for object in try other.context.all("Power") + other.context.all("Hero") { other.context.delete(object) }
        try other.context.save()
        var reported: [NSError] = []
        stack.context.dataErrorHandler = { error, _ in reported.append(error as NSError) }
        #expect(hero.value(forKey: "name") == nil)
        #expect((hero as? Hero)?.strength == 0)
        #expect(hero.isDeleted)
        #expect(reported.map(\.code) == [NSManagedObjectReferentialIntegrityError])
        #expect(reported[0].localizedDescription.contains("could not fulfill a fault"))
        #expect(code { _ = try stack.context.existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
        #expect(
            code { _ = try stack.newContext().existingObject(with: id) } == NSManagedObjectReferentialIntegrityError)
        hero.setValue("x", forKey: "name")
        #expect(!stack.context.hasChanges)
        stack.context.delete(hero)
        try stack.context.save()
    }

    @Test("OBJ-27: an object of a reset context says that it is invalid")
    func resetContextInvalidatesObjects() throws {
        let hero = try #require(try stack.context.all("Hero").first)
        #expect(hero.value(forKey: "name") as? String == "Ann")
        stack.context.reset()
        #expect(stack.context.registeredObjects.isEmpty)
        #expect(hero.managedObjectContext == nil)
        let error = #expect(throws: NSError.self) { try hero.codedValue(forKey: "name") }
        #expect(error?.localizedDescription.contains("has been invalidated") == true)
        #expect(error?.localizedDescription.contains("/Hero/p1") == true)
        #expect(hero.value(forKey: "name") == nil)
        #expect(try stack.context.all("Hero").first !== hero)
    }
}
