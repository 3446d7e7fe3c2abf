import CoreData
import StoreContract
import TestBasics
import Testing

/// An object that keeps values of keys that its entity does not have.
final class Loose: NSManagedObject {
    private var others: [String: Any] = [:]

    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }

    override func value(forUndefinedKey key: String) -> Any? { others[key] }

    override func setValue(_ value: Any?, forUndefinedKey key: String) { others[key] = value }
}

/// What classes of objects answer, and what they may say of keys that no model has.
struct ObjectClassTests {
    private func stack() throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Loose", ["name": .stringAttributeType])
        builder["Loose"].managedObjectClassName = NSStringFromClass(Loose.self)
        return try Stack(builder.model)
    }

    @Test(
        "a class answers for keys that its entity does not have, which do not count as changes of the object (KVC-02)")
    func answersForUnknownKeys() throws {
        let stack = try stack()
        let loose = try #require(stack.context.insert("Loose", ["name": "a"]) as? Loose)
        try stack.context.save()
        #expect(loose.value(forKey: "colour") == nil)
        loose.setValue("red", forKey: "colour")
        #expect(loose.value(forKey: "colour") as? String == "red")
        #expect(!loose.hasChanges && loose.changedValues().isEmpty)
        #expect(!Loose.contextShouldIgnoreUnmodeledPropertyChanges)
        #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges)
    }

    @Test("a class knows its entity, and asks for all objects of it (OBJ-02)")
    func knowsItsEntity() throws {
        let stack = try stack()
        stack.context.insert("Loose", ["name": "a"])
        try stack.context.save()
        #expect(Loose.entity().name == "Loose")
        let request = Loose.fetchRequest()
        #expect(request.entityName == "Loose" && request.resultType == .managedObjectResultType)
        let found = try stack.context.fetch(request)
        #expect(found.compactMap { ($0 as? Loose)?.value(forKey: "name") as? String } == ["a"])
    }

    @Test("reading by hand between willAccessValue and didAccessValue fires a fault (OBJ-12)")
    func readsByHand() throws {
        let stack = try stack()
        stack.context.insert("Loose", ["name": "a"])
        try stack.context.save()
        let loose = try #require(try stack.reopened().context.all("Loose").first)
        loose.managedObjectContext?.refresh(loose, mergeChanges: false)
        #expect(loose.isFault)
        loose.willAccessValue(forKey: "name")
        let name = loose.primitiveValue(forKey: "name") as? String
        loose.didAccessValue(forKey: "name")
        #expect(name == "a" && !loose.isFault)
    }

    @Test("Deletions spread at once, or with the save alone, as the context's property says", arguments: [true, false])
    func deletionsSpread(atEndOfEvent: Bool) throws {
        let stack = try Stack(BatchModel.make())
        let item = stack.context.insert("Item", ["name": "a"])
        let part = stack.context.insert("Part", ["name": "p", "item": item])
        try stack.context.save()
        stack.context.propagatesDeletesAtEndOfEvent = atEndOfEvent
        stack.context.delete(item)
        stack.context.processPendingChanges()
        #expect(part.isDeleted == atEndOfEvent)
        try stack.context.save()
        #expect(try stack.stored("name", of: "Part").isEmpty)
    }

    @Test(
        "a fetch of objects of another class than the request's is refused (FET-01)",
        arguments: StoreKind.all)
    func otherClasses(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        stack.context.insert("Hero", ["name": "a"])
        stack.context.insert("SuperHero", ["name": "b"])
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Hero"])
        #expect(try context.fetch(NSFetchRequest<Hero>(entityName: "Hero")).count == 2)
        #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")).count == 2)
        #expect(try context.fetch(NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")).count == 2)
        expectError(134060) { try context.fetch(NSFetchRequest<Loose>(entityName: "Hero")) }
        // Its class is an ancestor of the entity's.
        let plain = NSManagedObject(entity: entity, insertInto: context)
        expectError(134060) { try context.fetch(NSFetchRequest<Hero>(entityName: "Hero")) }
        #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")).contains(plain))
        try context.save()
        expectError(134060) { try context.fetch(NSFetchRequest<Hero>(entityName: "Hero")) }
        #expect(try stack.newContext().fetch(NSFetchRequest<Hero>(entityName: "Hero")).count == 3)
        expectError(134060) {
            try stack.newContext().fetch(NSFetchRequest<Loose>(entityName: "Hero"))
        }
    }
}
