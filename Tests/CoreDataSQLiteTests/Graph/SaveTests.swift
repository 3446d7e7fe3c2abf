import CoreData
import SQLiteKit
import StoreContract
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

    @Test("without changes nothing is sent (CTX-03)")
    func saveWithoutChangesSendsNothing() throws {
        _ = try saved()
        try stack.expectStatements(0) { try context.save() }
    }

    @Test("only changed columns are written, and the version is counted (CTX-03, STO-18)")
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

    @Test("a row's first version is 1, also where its key was obtained early (STO-18)")
    func firstVersionIsOne() throws {
        let hero = context.insert("Hero", ["name": "Ann"])
        try context.obtainPermanentIDs(for: [hero])
        context.insert("Hero", ["name": "Ben"])
        try context.save()
        #expect(try stack.rows("SELECT DISTINCT Z_OPT FROM ZHERO") == [[1]])
    }

    @Test("after a rollback nothing is sent (CTX-15)")
    func saveAfterRollbackSendsNothing() throws {
        let hero = try saved()
        hero.name = "X"
        context.insert("Power", ["hero": hero])
        context.rollback()
        try stack.expectStatements(0) { try context.save() }
    }

    @Test("keys are counted in Z_MAX, those given out early included (STO-17)")
    func keysAreCounted() throws {
        let heroes = [try saved(), context.insert("SuperHero")]
        try context.obtainPermanentIDs(for: [heroes[1]])
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 1)
        #expect(heroes.map(\.objectID.key) == [1, 2])
        try context.save()
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Hero'") == 2)
        heroes.forEach(context.delete)
        try context.save()
        #expect(try saved().objectID.key == 3)
        #expect(try stack.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Hero'") == 3)
    }

    @Test("on an update what was broken before is refused too (VAL-15)")
    func unchangedPropertiesAreChecked() throws {
        let builder = ModelBuilder()
        builder.entity(
            "Item", ["name": .stringAttributeType, "salary": .doubleAttributeType, "address": .stringAttributeType])
        builder.attribute("Item.name").setValidationPredicates(
            [NSPredicate(format: "length >= 1")], withValidationWarnings: ["1670"])
        builder.attribute("Item.salary").setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["1620"])
        let stack = try Stack(builder.model)
        let item = stack.context.insert("Item", ["name": "x"])
        try stack.context.save()
        try stack.execute("UPDATE ZITEM SET ZNAME = '', ZSALARY = -5")
        stack.context.refresh(item, mergeChanges: false)
        item.setValue("1.2", forKey: "address")
        #expect(code { try stack.context.save() } == NSValidationMultipleErrorsError)
        item.setValue("x", forKey: "name")
        #expect(code { try stack.context.save() } == NSValidationNumberTooSmallError)
        item.setValue(6.0, forKey: "salary")
        try stack.context.save()
    }
}
