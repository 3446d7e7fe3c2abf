import CoreData
import SQLiteKit
import StoreContract
import Testing

@Suite struct RelationshipTests {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }
    init() throws { stack = try HeroModel.stack() }

    private func hero(_ name: String) throws -> Hero {
        try #require(context.insert("Hero", ["name": name]) as? Hero)
    }

    @Test("a to-one relationship is a column of keys, NULL for none (REL-01, REL-12)")
    func toOneIsColumn() throws {
        let ann = try hero("Ann")
        let power = Power(context: context)
        power.hero = ann
        let gone = try hero("Gone")
        context.insert("Note", ["subject": gone])
        context.delete(gone)
        try context.save()
        #expect(try stack.rows("SELECT ZHERO FROM ZPOWER") == [[.integer(ann.objectID.key)]])
        #expect(try stack.rows("SELECT ZSUBJECT FROM ZNOTE") == [[.null]])
        power.hero = nil
        try context.save()
        #expect(try stack.rows("SELECT ZHERO FROM ZPOWER") == [[.null]])
    }

    @Test("a deleted object's pairs leave the join table (REL-07, STO-15)")
    func pairsLeaveJoinTable() throws {
        let heroes = [try hero("A"), try hero("B")]
        let team = context.insert("Team", ["members": NSSet(array: heroes)])
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM \(try joinTable())") == 2)
        context.delete(heroes[0])
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM \(try joinTable())") == 1)
        team.setValue(NSSet(), forKey: "members")
        try context.save()
        #expect(try stack.integer("SELECT count(*) FROM \(try joinTable())") == 0)
    }

    private func joinTable() throws -> String {
        try #require(try stack.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*'").first?.first?.text)
    }

    @Test(
        "one change of a set of 100,000 loads no member, and its statements do not grow with the set (REL-14)",
        .enabled(if: RuntimeShortcuts.areTaken, "the plain path reads every property by its key"),
        .timeLimit(.minutes(20)))
    func oneChangeOfLargeSetIsSmall() throws {
        let ann = try hero("Ann")
        ann.powers = Set((0..<100_000).map { _ in Power(context: context) })
        try context.save()
        let request = NSFetchRequest<Power>(entityName: "Power")
        request.fetchLimit = 1
        let changes: [(NSManagedObjectContext, Hero, Power) -> Void] = [
            { _, _, power in power.hero = nil },
            { context, _, power in context.delete(power) },
            { _, hero, power in hero.mutableSetValue(forKey: "powers").remove(power) },
            { _, hero, power in hero.removeFromMany(3, power) },
            { context, hero, _ in hero.mutableSetValue(forKey: "powers").add(Power(context: context)) },
            { context, hero, _ in hero.addToMany(3, [Power(context: context), Power(context: context)]) },
        ]
        for (number, change) in changes.enumerated() {
            let other = stack.newContext()
            let power = try #require(try other.fetch(request).first)
            let owner = try #require(try other.existingObject(with: ann.objectID) as? Hero)
            let sent = try stack.statementCount {
                change(other, owner, power)
                try other.save()
            }
            #expect(sent <= 8, "change \(number)")
            #expect(other.registeredObjects.count <= 4, "change \(number)")
            #expect(owner.hasFault(forRelationshipNamed: "powers"), "change \(number)")
        }
        let count = try context.count(for: NSFetchRequest<Power>(entityName: "Power"))
        #expect(count == 100_002)
    }

    @Test("the objects of a wide tree are read with few statements before they are deleted (REL-16)")
    func wideTreeIsReadTogether() throws {
        let ann = try hero("Ann")
        ann.powers = Set((0..<3_000).map { _ in Power(context: context) })
        try context.save()
        context.reset()
        let again = try #require(try context.all("Hero").first)
        let sent = stack.statementCount {
            context.delete(again)
            context.processPendingChanges()
        }
        #expect(sent <= 8)
        #expect(context.deletedObjects.count == 3_001)
    }
}
