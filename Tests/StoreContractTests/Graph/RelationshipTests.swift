import CoreData
import CoreDataTestSupport
import Testing

@Suite struct RelationshipTests {
    @Test(arguments: StoreKind.all) func objectWithoutContextJoinsThatOfItsRelation(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Power", in: context))
        let loose = Power(entity: entity, insertInto: nil)
        let ann = try #require(context.insert("Hero", ["name": "Ann"]) as? Hero)
        loose.hero = ann
        #expect(loose.isInserted && loose.managedObjectContext === context && ann.powers == [loose])
        try context.save()
        #expect(try stack.newContext().all("Power", NSPredicate(format: "hero.name == 'Ann'")).count == 1)
    }

    @Test(
        "HAZ-23: a chain of 100,000 is deleted without overflow", .timeLimit(.minutes(20)), arguments: StoreKind.all)
    func longChainCascades(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        var former: NSManagedObject?
        var first: NSManagedObject?
        for number in 0..<100_000 {
            let node = context.insert("Node", ["number": number, "previous": former])
            first = first ?? node
            former = node
        }
        try context.save()
        let head = try #require(first)
        first = nil
        former = nil
        context.delete(head)
        context.processPendingChanges()
        #expect(context.deletedObjects.count == 100_000)
        try context.save()
        #expect(try stack.newContext().all("Node").isEmpty)
    }
}
