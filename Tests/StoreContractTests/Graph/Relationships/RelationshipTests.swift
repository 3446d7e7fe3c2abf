import CoreData
import StoreContract
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
}
