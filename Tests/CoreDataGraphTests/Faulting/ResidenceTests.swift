import CoreDataTestSupport
import Testing

@testable import CoreDataGraph

/// What objects share: where they belong, and references that are counted for many of them at once.
@Suite(.timeLimit(.minutes(20))) struct ResidenceTests {
    /// A store with as many notes, and what is weakly known of a context that is to go.
    private func stack(_ count: Int) throws -> Stack {
        let stack = try HeroModel.stack()
        for _ in 0..<count { stack.context.insert("Note") }
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    @Test("An object fills 56 bytes, which the allocator's next size holds")
    func objectsAreSmall() {
        // The fourth word of a class's metadata begins with the size of its instances.
        #expect(ClassMetadata.word(3, of: NSManagedObject.self) & 0xFFFF_FFFF == 56)
    }

    @Test("Objects of one entity in a context share where they live, and leave it when they are deleted")
    func residencesAreShared() throws {
        let stack = try stack(0)
        let (one, other) = (stack.context.insert("Note"), stack.context.insert("Note"))
        #expect(one.residence === other.residence && one.residence?.binding.isTemporary == true)
        try stack.context.save()
        #expect(one.residence === other.residence && one.residence?.binding.isTemporary == false)
        let inside = one.residence
        stack.context.delete(other)
        try stack.context.save()
        #expect(other.residence === inside?.outside && other.registry == nil && other.managedObjectContext == nil)
        #expect(one.residence === inside && one.managedObjectContext === stack.context)
    }

    @Test("A residence outside of contexts is its own, and keeps neither itself nor the binding alive")
    func outsideEnds() throws {
        let stack = try stack(0)
        let layout = stack.context.insert("Note").layout
        weak var residence: Residence?
        weak var binding: EntityBinding?
        do {
            let made = Residence(EntityBinding(layout: layout, store: nil, storeNumber: 0), nil)
            (residence, binding) = (made, made.binding)
            #expect(made.outside === made && residence != nil && binding != nil)
        }
        #expect(residence == nil && binding == nil)
    }

    @Test(
        "References that were counted together are all let go: rows, registry and residence end with the last object",
        arguments: [true, false])
    func fetchedObjectsLeaveNothing(asFaults: Bool) throws {
        let stack = try stack(2_500)
        var context: NSManagedObjectContext? = stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.returnsObjectsAsFaults = asFaults
        request.includesPropertyValues = !asFaults
        var objects = try context?.fetch(request) ?? []
        weak let registry = objects.first?.registry
        weak let residence = objects.first?.residence
        weak let slab = objects.first?.slab
        #expect(objects.count == 2_500 && registry != nil && residence != nil && (slab == nil) == asFaults)
        // Some are there already when they are fetched again, and some are made.
        objects.removeSubrange(100..<2_400)
        objects = try context?.fetch(request) ?? []
        #expect(Set(objects.map(\.key)).count == 2_500)
        context = nil
        #expect(registry != nil && objects.allSatisfy { $0.managedObjectContext == nil })
        objects = []
        #expect(registry == nil && residence == nil && slab == nil && stack.store.rowCache.count == 0)
    }

    @Test("A class whose initializer is overridden in its plain form is made through it for fetched rows")
    func overriddenInitializersRun() throws {
        let draft = ModelDraft()
        draft.entity("Marked", class: "CoreDataGraphTests.MarkedObject", ["name": .stringAttributeType])
        let stack = try Stack(draft.model)
        (stack.context.insert("Marked") as? MarkedObject)?.setValue("a", forKey: "name")
        try stack.context.save()
        let context = stack.newContext()
        let found = try #require(try context.all("Marked").first as? MarkedObject)
        #expect(found.named == "Marked" && found.value(forKey: "name") as? String == "a")
        withExtendedLifetime(context) {}
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
