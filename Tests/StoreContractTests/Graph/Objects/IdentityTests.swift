import CoreData
import StoreContract
import TestBasics
import Testing

@Suite struct IdentityTests {
    @Test(
        "an identifier outlives the coordinator that it came from (OBJ-06)",
        arguments: StoreKind.all.filter { $0.capabilities.contains(.shared) })
    func identifierOutlivesItsCoordinator(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        var other: Stack? = try stack.another()
        let id = try #require(try other?.context.all("Hero").first?.objectID)
        other = nil
        #expect(try stack.context.existingObject(with: id).value(forKey: "name") as? String == "Ann")
    }

    @Test("an unknown entity stops with the nearest name (OBJ-04)")
    func unknownEntityStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try HeroModel.stack()
            _ = NSEntityDescription.insertNewObject(forEntityName: "Heroo", into: stack.context)
        }
        #expect(result.standardErrorText.contains("Did you mean 'Hero'?"))
    }

    @Test("three ways of inserting give the same (OBJ-02)", arguments: StoreKind.all)
    func waysOfInsertingGiveTheSame(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Power", in: stack.context))
        let loose = Power(entity: entity, insertInto: nil)
        stack.context.insert(loose)
        let all = [
            Power(context: stack.context), Power(entity: entity, insertInto: stack.context), loose,
            NSEntityDescription.insertNewObject(forEntityName: "Power", into: stack.context),
        ]
        #expect(all.allSatisfy { $0.isInserted && $0.managedObjectContext === stack.context && $0 is Power })
        #expect(stack.context.insertedObjects == Set(all))
    }

    @Test("the children of an abstract entity are inserted and fetched by it (MOD-12)", arguments: StoreKind.all)
    func childrenOfAbstractEntity(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType]).isAbstract = true
        builder.entity("Note", in: "Item")
        let stack = try Stack(builder.model, kind: kind)
        let note = stack.context.insert("Note", ["name": "n"])
        try stack.context.save()
        #expect(note.entity.name == "Note" && note.entity.superentity?.isAbstract == true)
        #expect(try stack.newContext().all("Item").map { $0.value(forKey: "name") as? String } == ["n"])
    }

    @Test("an abstract entity cannot be inserted; the error names it (MOD-12)")
    func abstractEntityStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let builder = ModelBuilder()
            builder.entity("Item").isAbstract = true
            builder.entity("Note", in: "Item")
            let stack = try Stack(builder.model)
            stack.context.insert("Note")
            stack.context.insert("Item")
        }
        #expect(result.standardErrorText.contains("Cannot create an instance of abstract entity 'Item'"))
    }
}
