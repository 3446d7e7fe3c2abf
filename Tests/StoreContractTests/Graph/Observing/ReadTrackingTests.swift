import CoreData
import Observation
import StoreContract
import Synchronization
import Testing

@Suite struct ReadTrackingTests {
    /// Counts on any thread.
    private final class Count: Sendable {
        private let number = Atomic(0)
        var value: Int { number.load(ordering: .relaxed) }
        func raise() { number.add(1, ordering: .relaxed) }
    }

    /// How often the reads of a closure were told of as changed.
    private func track(_ read: () -> Void) -> Count {
        let count = Count()
        withObservationTracking(read) { count.raise() }
        return count
    }

    private func stack(_ kind: StoreKind) throws -> (Stack, Hero) {
        let stack = try HeroModel.stack(kind)
        stack.context.tracksObservation = true
        let hero = Hero(context: stack.context)
        hero.name = "Ann"
        try stack.context.save()
        return (stack, hero)
    }

    @Test("a tracked read is notified once when that property changes, and no other (KVC-11)", arguments: StoreKind.all)
    func tracksOneProperty(kind: StoreKind) throws {
        let (_, hero) = try stack(kind)
        let name = track { _ = hero.name }
        let strength = track { _ = hero.strength }
        let byKey = track { _ = hero.value(forKey: "name") }
        let computed = track { _ = hero.title }
        let date = track { _ = hero.birthDate }
        hero.strength = 5
        #expect((name.value, strength.value, byKey.value, computed.value, date.value) == (0, 1, 0, 0, 0))
        hero.name = "Bea"
        hero.name = "Cid"
        #expect((name.value, strength.value, byKey.value, computed.value, date.value) == (1, 1, 1, 1, 0))
        let again = track { _ = hero.name }
        hero.secretIdentity = "x"
        #expect(again.value == 0)
        hero.setValue("Dan", forKey: "name")
        #expect(again.value == 1)
    }

    @Test("tracked relationships are notified from either side (KVC-11)", arguments: StoreKind.all)
    func tracksRelationships(kind: StoreKind) throws {
        let (stack, hero) = try stack(kind)
        let power = Power(context: stack.context)
        let powers = track { _ = hero.powers }
        let owner = track { _ = power.hero }
        let teams = track { _ = hero.value(forKey: "teams") }
        power.hero = hero
        #expect((powers.value, owner.value, teams.value) == (1, 1, 0))
        let members = track { _ = hero.powers.map(\.name) }
        power.name = "Flight"
        #expect(members.value == 1)
        let removal = track { _ = hero.powers }
        hero.powers = []
        #expect(removal.value == 1)
    }

    @Test("refresh, rollback and deletion are changes of tracked properties (KVC-11)", arguments: StoreKind.all)
    func tracksReplacements(kind: StoreKind) throws {
        let (stack, hero) = try stack(kind)
        let other = stack.newContext()
        let theirs = try #require(other.object(with: hero.objectID) as? Hero)
        theirs.name = "Bea"
        try other.save()
        let (name, strength) = (track { _ = hero.name }, track { _ = hero.strength })
        stack.context.refresh(hero, mergeChanges: true)
        #expect((name.value, strength.value) == (1, 0))
        #expect(hero.name == "Bea")
        let faulted = track { _ = hero.name }
        stack.context.refresh(hero, mergeChanges: false)
        #expect(faulted.value == 1 && hero.isFault)
        hero.strength = 7
        let (rolledBack, untouched) = (track { _ = hero.strength }, track { _ = hero.name })
        stack.context.rollback()
        #expect((rolledBack.value, untouched.value) == (1, 0))
        let deleted = track { _ = hero.name }
        stack.context.delete(hero)
        #expect(deleted.value == 1)
        try stack.context.save()
        #expect(deleted.value == 1)
    }

    @Test("reads are tracked as long as the context says so, and never of an object that is gone (KVC-11)")
    func endsOfTracking() throws {
        let (stack, hero) = try stack(.inMemory)
        stack.context.tracksObservation = false
        let off = track { _ = hero.name }
        hero.name = "Bea"
        #expect(off.value == 0)
        stack.context.tracksObservation = true
        let on = track { _ = hero.name }
        hero.name = "Cid"
        #expect(on.value == 1)
        try stack.context.save()
        var gone: Hero? = Hero(context: stack.newContext())
        let later = track { _ = gone?.name }
        gone = nil
        #expect(later.value == 0)
        weak var probe: NSManagedObject?
        var reads: Count?
        try autoreleasepool {
            let own = stack.newContext()
            own.tracksObservation = true
            let object = try #require(try own.all("Hero").first)
            probe = object
            reads = track { _ = object.value(forKey: "name") }
            #expect(own.observedObjectCount == 1)
        }
        #expect(probe == nil && reads?.value == 0)
    }

    @Test("a view context tracks reads, others do not; fetched and inserted objects alike (KVC-11)")
    @MainActor func viewContextTracks() throws {
        let container = NSPersistentContainer(name: "Tracked", managedObjectModel: HeroModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        #expect(container.viewContext.tracksObservation && !container.newBackgroundContext().tracksObservation)
        let background = container.newBackgroundContext()
        try background.performAndWait {
            background.insert("Hero", ["name": "Ann"])
            try background.save()
        }
        let hero = try #require(try container.viewContext.all("Hero").first as? Hero)
        let count = track { _ = hero.name }
        hero.name = "Bea"
        #expect(count.value == 1)
        let fault = container.viewContext.object(with: hero.objectID)
        #expect(fault === hero)
    }

    @Test("10,000 tracked objects are notified once each (KVC-11)", arguments: StoreKind.all)
    func manyObjects(kind: StoreKind) throws {
        let (stack, _) = try stack(kind)
        let heroes = (0..<10_000).map { _ in Hero(context: stack.context) }
        let counts = heroes.map { hero in track { _ = hero.name } }
        let whole = track { for hero in heroes { _ = hero.strength } }
        for hero in heroes { hero.name = "x" }
        for hero in heroes { hero.name = "y" }
        #expect(counts.allSatisfy { $0.value == 1 } && whole.value == 0)
        heroes[9_999].strength = 1
        heroes[0].strength = 1
        #expect(whole.value == 1)
    }
}
