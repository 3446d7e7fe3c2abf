import StoreContract
import Testing

@testable import CoreDataGraph

/// What objects share: where they belong, and references that are counted for many of them at once.
@Suite(.timeLimit(.minutes(20))) struct ResidenceTests {
    /// A store with as many notes, and what is weakly known of a context that is to go.
    private func stack(_ count: Int) throws -> Stack {
        let stack = try HeroModel.stack(.inMemory)
        for _ in 0..<count { stack.context.insert("Note") }
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    @Test("An object fills 56 bytes, which the allocator's next size holds")
    func objectsAreSmall() {
        let fields = StoredField.all(of: NSManagedObject.self)
        #expect(
            fields.map(\.offset).max() == 48 && fields.last?.offset == 48 && fields.last?.type == WorkingValues?.self)
    }

    @Test("Objects of one entity in a context share where they live, and leave it when they are deleted")
    func residencesAreShared() throws {
        let stack = try stack(0)
        let (one, other) = (stack.context.insert("Note"), stack.context.insert("Note"))
        #expect(one.scope === other.scope && one.scope?.binding.isTemporary == true)
        try stack.context.save()
        #expect(one.scope === other.scope && one.scope?.binding.isTemporary == false)
        let inside = one.scope
        stack.context.delete(other)
        try stack.context.save()
        #expect(other.scope === inside?.outside && other.registry == nil && other.managedObjectContext == nil)
        #expect(one.scope === inside && one.managedObjectContext === stack.context)
    }

    @Test("A scope outside of contexts is its own, and keeps neither itself nor the binding alive")
    func outsideEnds() throws {
        let stack = try stack(0)
        let layout = stack.context.insert("Note").layout
        weak var scope: ObjectScope?
        weak var binding: EntityBinding?
        do {
            let made = ObjectScope(EntityBinding(layout: layout, store: nil, storeNumber: 0), nil)
            (scope, binding) = (made, made.binding)
            #expect(made.outside === made && scope != nil && binding != nil)
        }
        #expect(scope == nil && binding == nil)
    }

    @Test(
        "References that were counted together are all let go: registry and scope end with the last object",
        arguments: [true, false])
    func fetchedObjectsLeaveNothing(asFaults: Bool) throws {
        let stack = try stack(2_500)
        var context: NSManagedObjectContext? = stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.returnsObjectsAsFaults = asFaults
        request.includesPropertyValues = !asFaults
        var objects = try context?.fetch(request) ?? []
        weak let registry = objects.first?.registry
        weak let scope = objects.first?.scope
        #expect(objects.count == 2_500 && registry != nil && scope != nil)
        // Some are there already when they are fetched again, and some are made.
        objects.removeSubrange(100..<2_400)
        objects = try context?.fetch(request) ?? []
        #expect(Set(objects.map(\.key)).count == 2_500)
        context = nil
        #expect(registry != nil && objects.allSatisfy { $0.managedObjectContext == nil })
        objects = []
        #expect(registry == nil && scope == nil)
    }

    @Test("A class whose initializer is overridden in its plain form is made through it for fetched rows")
    func overriddenInitializersRun() throws {
        let builder = ModelBuilder()
        builder.entity("Marked", class: "CoreDataGraphTests.MarkedObject", ["name": .stringAttributeType])
        let stack = try Stack(builder.model, kind: .inMemory)
        (stack.context.insert("Marked") as? MarkedObject)?.setValue("a", forKey: "name")
        try stack.context.save()
        let context = stack.newContext()
        let found = try #require(try context.all("Marked").first as? MarkedObject)
        #expect(found.named == "Marked" && found.value(forKey: "name") as? String == "a")
        withExtendedLifetime(context) {}
    }

    @Test("Objects that stored properties make or fetch do not live where the object that has them is to live")
    func propertyInitializersMakeObjects() throws {
        let builder = ModelBuilder()
        builder.entity("Busy", class: "CoreDataGraphTests.BusyObject", ["name": .stringAttributeType])
        builder.entity("Note", class: "CoreDataGraphTests.MarkedObject", ["text": .stringAttributeType])
        let stack = try Stack(builder.model, kind: .inMemory)
        for name in ["a", "b", "c"] { stack.context.insert("Busy", ["name": name]) }
        stack.context.insert("Note", ["text": "kept"])
        try stack.context.save()
        let context = stack.newContext()
        BusyObject.elsewhere.value = (stack.newContext(), stack.model.entitiesByName["Note"])
        defer { BusyObject.elsewhere.value = (nil, nil) }
        var found = try context.all("Busy", sortedBy: "name").compactMap { $0 as? BusyObject }
        found.append(try #require(context.object(with: found[0].objectID) as? BusyObject))
        #expect(found.compactMap { $0.value(forKey: "name") as? String } == ["a", "b", "c", "a"])
        for busy in found {
            #expect(busy.managedObjectContext === context && busy.entity.name == "Busy")
            let alone = try #require(busy.alone)
            #expect(alone.managedObjectContext == nil && alone.entity.name == "Note" && alone.objectID.isTemporaryID)
            #expect(busy.fetched?.value(forKey: "text") as? String == "kept")
            #expect(busy.fetched?.managedObjectContext === BusyObject.elsewhere.value.context)
            #expect(context.registeredObject(for: busy.objectID) === busy)
        }
        let identifiers = found.map(\.objectID)
        found = []
        #expect(
            context.registeredObjects.isEmpty && identifiers.allSatisfy { context.registeredObject(for: $0) == nil })
    }

    @Test(
        "An object of the same class, made without a context by a stored property, stops with the rule",
        .enabled(if: RuntimeShortcuts.areTaken))
    func propertyInitializerMakesItsOwnClass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let builder = ModelBuilder()
            builder.entity("Own", class: "CoreDataGraphTests.OwnObject", ["name": .stringAttributeType])
            let stack = try Stack(builder.model, kind: .inMemory)
            stack.context.insert("Own")
            try stack.context.save()
            stack.context.reset()
            OwnObject.entityToMake.value = builder.model.entitiesByName["Own"]
            _ = try stack.context.all("Own")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("made without a context while the stored properties"), "\(text.prefix(300))")
    }
}

/// What a test tells the initializers of a class.
final class Told<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// Has stored properties whose initializers make and fetch objects.
final class BusyObject: NSManagedObject {
    static let elsewhere = Told<(context: NSManagedObjectContext?, entity: NSEntityDescription?)>((nil, nil))

    let alone = elsewhere.value.entity.map { MarkedObject(entity: $0, insertInto: nil) }
    let fetched = elsewhere.value.context.flatMap { try? $0.all("Note").first }
}

/// Has a stored property whose initializer makes another object of the class.
final class OwnObject: NSManagedObject {
    static let entityToMake = Told<NSEntityDescription?>(nil)

    let other: OwnObject? = entityToMake.value.map { entity in
        entityToMake.value = nil
        return OwnObject(entity: entity, insertInto: nil)
    }
}

/// Notes the entity that its initializer was given.
final class MarkedObject: NSManagedObject {
    let named: String

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        named = entity.name ?? ""
        super.init(entity: entity, insertInto: context)
    }
}
