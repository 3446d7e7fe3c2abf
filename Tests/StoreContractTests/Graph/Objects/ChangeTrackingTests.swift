import CoreData
import StoreContract
import Testing

@Suite struct ChangeTrackingTests {
    @Test("a context knows exactly what was inserted, changed and deleted (CTX-02)", arguments: StoreKind.all)
    func contextKnowsItsChanges(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for name in ["Ann", "Ben", "Cleo"] { _ = stack.context.insert("Hero", ["name": name]) }
        try stack.context.save()
        let context = stack.newContext()
        let heroes = try context.all("Hero").compactMap { $0 as? Hero }
        #expect(!context.hasChanges && heroes.count == 3)
        #expect(heroes.allSatisfy { $0.name != nil && !$0.hasChanges } && !context.hasChanges)

        heroes[0].name = "Zoe"
        context.delete(heroes[1])
        let (new, brief) = (context.insert("Hero", ["name": "Dan"]), context.insert("Hero", ["name": "Eve"]))
        context.delete(brief)
        new.setValue("Dora", forKey: "name")
        #expect(context.hasChanges && context.insertedObjects == [new])
        #expect(context.updatedObjects == [heroes[0]] && context.deletedObjects == [heroes[1]])
        #expect(heroes[0].isUpdated && !heroes[2].hasChanges && new.isInserted && !new.isUpdated)

        try context.save()
        #expect(!context.hasChanges && context.insertedObjects.isEmpty)
        #expect(context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
        #expect(try stack.newContext().all("Hero").count == 3)
        heroes[2].name = heroes[2].name
        #expect(context.updatedObjects == [heroes[2]])
        context.rollback()
        #expect(!context.hasChanges)
    }
}
