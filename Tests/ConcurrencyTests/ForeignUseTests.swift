import CoreData
import StoreContract
import TestBasics
import Testing

/// HAZ-57: objects used where or when they do not belong, with the detection off: an error or a message, never more.
@Suite(.timeLimit(.minutes(20))) struct ForeignUseTests {
    enum Mistake: String, CaseIterable, Codable, Sendable {
        case relating, adding, deleting, inserting, refreshing, assigning

        var message: String {
            switch self {
            case .relating, .adding: "Illegal attempt to establish a relationship"
            case .deleting: "An NSManagedObjectContext cannot delete objects in other contexts."
            case .inserting: "An NSManagedObject cannot be inserted into two contexts"
            case .refreshing: "An NSManagedObjectContext cannot refresh objects in other contexts."
            case .assigning: "Only an object that was inserted into the context can be assigned to a store."
            }
        }

        func make(_ stack: Stack, _ foreign: Hero) {
            let own = Hero(context: stack.context)
            switch self {
            case .relating: own.nemesis = foreign
            case .adding: own.mutableSetValue(forKey: "students").add(foreign)
            case .deleting: stack.context.delete(foreign)
            case .inserting: stack.context.insert(foreign)
            case .refreshing: stack.context.refresh(foreign, mergeChanges: true)
            case .assigning: stack.context.assign(foreign, to: stack.store)
            }
        }
    }

    @Test("an object of another context stops with the rule (HAZ-57)", arguments: Mistake.allCases)
    func foreignObject(mistake: Mistake) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            let stack = try HeroModel.stack(.inMemory)
            let other = stack.newContext()
            let foreign = Hero(context: other)
            try other.save()
            mistake.make(stack, foreign)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(mistake.message), "\(text.prefix(400))")
    }

    @Test(
        "the throwing twin refuses an object of another context, and nothing is changed (HAZ-57)",
        arguments: StoreKind.all)
    func foreignObjectIsRefused(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let other = stack.newContext()
        let (own, foreign) = (Hero(context: stack.context), Hero(context: other))
        #expect(throws: ValueRejection.self) { try own.setCodedValue(foreign, forKey: "nemesis") }
        #expect(throws: ValueRejection.self) { try own.setCodedValue(Set([foreign]) as NSSet, forKey: "students") }
        #expect(own.nemesis == nil && own.mutableSetValue(forKey: "students").count == 0)
        try stack.context.save()
        try other.save()
    }

    @Test(
        "a deleted and saved object reads as nil, takes no part, and can be written to harmlessly (HAZ-57)",
        arguments: StoreKind.all)
    func afterDeletion(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let (hero, friend) = (Hero(context: context), Hero(context: context))
        hero.powers = [Power(context: context)]
        try context.save()
        context.delete(hero)
        try context.save()
        #expect(hero.managedObjectContext == nil)
        expectError(133000) { try hero.codedValue(forKey: "name") }
        #expect(hero.powers.isEmpty && hero.nemesis == nil)
        #expect(throws: ValueRejection.self) { try friend.setCodedValue(hero, forKey: "nemesis") }
        hero.setValue("written", forKey: "name")
        expectError(133000) { try context.existingObject(with: hero.objectID) }
        try context.save()
        #expect(try stack.newContext().all("Hero").count == 1)
    }

    @Test(
        "an object of before a reset reads as nil, takes no part, and can be written to harmlessly (HAZ-57)",
        arguments: StoreKind.all)
    func afterReset(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        context.dataErrorHandler = { _, _ in }
        let (hero, unsaved) = (Hero(context: context), Hero(context: context))
        hero.powers = [Power(context: context)]
        try context.save()
        unsaved.name = "changed"
        context.reset()
        for object in [hero, unsaved] {
            expectError(133000) { try object.codedValue(forKey: "name") }
            #expect(object.name == nil && object.powers.isEmpty)
            object.setValue("written", forKey: "name")
            #expect(throws: ValueRejection.self) { try Hero(context: context).setCodedValue(object, forKey: "nemesis") }
        }
        context.reset()
        #expect(!context.hasChanges)
        try context.save()
        #expect(try stack.newContext().all("Hero", NSPredicate(format: "name == 'written'")).isEmpty)
    }

    @Test("a save within a save is an error, and the outer one goes on (HAZ-57)", arguments: StoreKind.all)
    func saveWithinSave(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let context = stack.context
        let codes = Notes<Int>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [weak context] _ in
            do { try context?.save() } catch { codes.add((error as NSError).code) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert("Hero", ["name": "Ann"])
        try context.save()
        #expect(codes.all == [132_001])
        #expect(!context.hasChanges)
        #expect(try stack.newContext().all("Hero").count == 1)
    }

    @Test("objects whose context has gone keep what they know and ask for nothing (HAZ-57)", arguments: StoreKind.all)
    func afterTheContext(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for _ in 0..<50 {
            let hero = Hero(context: stack.context)
            hero.powers = [Power(context: stack.context)]
        }
        try stack.context.save()
        weak var gone: NSManagedObjectContext?
        let heroes = try autoreleasedHeroes(stack) { gone = $0 }
        #expect(gone == nil)
        for (number, hero) in heroes.enumerated() {
            #expect(hero.managedObjectContext == nil)
            _ = (hero.name, hero.powers, hero.nemesis, hero.isFault, hero.hasChanges, hero.description)
            _ = (hero.changedValues(), hero.committedValues(forKeys: nil))
            _ = hero.objectIDs(forRelationshipNamed: "teams")
            hero.name = "changed"
            hero.nemesis = heroes[(number + 1) % heroes.count]
            hero.powers = []
            hero.mutableSetValue(forKey: "students").add(heroes[0])
            #expect(hero.name == "changed")
        }
        #expect(try stack.newContext().all("Hero", NSPredicate(format: "name == 'changed'")).isEmpty)
    }

    /// Objects of a context that is gone afterwards: some read, some faults, some changed, some new.
    private func autoreleasedHeroes(
        _ stack: Stack, _ seen: (NSManagedObjectContext) -> Void
    ) throws -> [Hero] {
        let context = stack.newContext()
        seen(context)
        var heroes = try context.all("Hero").compactMap { $0 as? Hero }
        for hero in heroes.prefix(20) { _ = hero.powers.map(\.name) }
        for hero in heroes.prefix(10) { hero.strength += 1 }
        for hero in heroes.suffix(10) { context.refresh(hero, mergeChanges: false) }
        heroes.append(Hero(context: context))
        return heroes
    }

    @Test("objects released on other threads while their context goes harm nothing (HAZ-57)", arguments: StoreKind.all)
    func releasedWhileTheContextGoes(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for number in 0..<200 { stack.context.insert("Hero", ["strength": number]) }
        try stack.context.save()
        for _ in 0..<20 {
            var context: NSManagedObjectContext? = stack.newContext()
            let parts = try (0..<4).map { part in
                Transfer(Bag(try context?.all("Hero", NSPredicate(format: "strength %% 4 == %@", part)) ?? []))
            }
            let owner = Transfer(Bag([context].compactMap { $0 }))
            context = nil
            onThreads(5) { number in
                if number == 4 { owner.value.empty() } else { parts[number].value.empty() }
            }
        }
        #expect(try stack.newContext().all("Hero").count == 200)
    }

    private final class Bag {
        private var things: [AnyObject]
        init(_ things: [AnyObject]) { self.things = things }
        func empty() { things = [] }
    }
}
