import CoreData
import SQLiteKit
import StoreContract
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

    @Test("a fetched object is a fault whose firing costs no statement (OBJ-12)")
    func fetchedObjectIsFaultFilledFromCache() throws {
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        #expect(hero.isFault)
        #expect(hero.faultingState != 0)
        stack.expectStatements(0) { #expect(hero.name == "Ann") }
        #expect(!hero.isFault)
        #expect(hero.log == ["fetch"])
    }

    @Test("a fault without a cached row costs one statement (OBJ-12)")
    func faultWithoutCachedRowCostsOneStatement() throws {
        let id = try #require(try stack.newContext().all("Hero").first?.objectID)
        let hero = stack.context.object(with: id)
        stack.expectStatements(1) { #expect(hero.value(forKey: "name") as? String == "Ann") }
        stack.expectStatements(0) { #expect(hero.value(forKey: "strength") as? Int == 7) }
    }

    @Test("a to-one relationship is a fault until it is read, then one statement (OBJ-13)")
    func toOneCostsOneStatementWhenRead() throws {
        let power = try #require(try stack.context.all("Power").first as? Power)
        #expect(power.name != nil)
        #expect(power.hasFault(forRelationshipNamed: "hero"))
        stack.expectStatements(0) { #expect(power.hero?.isFault == true) }
        stack.expectStatements(1) { #expect(power.hero?.name == "Ann") }
        #expect(!power.hasFault(forRelationshipNamed: "hero"))
        #expect(power.hero?.hasFault(forRelationshipNamed: "powers") == true)
    }

    @Test("a to-many relationship costs one statement, and its members are faults (OBJ-13)")
    func toManyCostsOneStatement() throws {
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        stack.expectStatements(1) { #expect(hero.powers.count == 2) }
        #expect(hero.powers.allSatisfy { $0.isFault })
        stack.expectStatements(0) { #expect(hero.powers.count == 2) }
    }

    @Test("what needs no values fires no fault (OBJ-14)")
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
}
