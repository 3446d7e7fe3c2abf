import CoreData
import GeneratedModel
import Testing

@Suite struct GeneratedRelationshipTests {
    @Test("the methods of a set do what its mutable proxy does (KVC-19)")
    func setMethodsChangeMembers() throws {
        let stack = try HeroStack()
        let hero = Hero(context: stack.context)
        let (flight, strength) = (Power(context: stack.context), Gadget(context: stack.context))
        hero.addToPowers(flight)
        #expect(hero.powers == NSSet(array: [flight]) && flight.hero === hero)
        hero.addToPowers(NSSet(array: [flight, strength]))
        #expect(hero.mutableSetValue(forKey: "powers").count == 2)
        hero.removeFromPowers(flight)
        #expect(hero.powers == NSSet(array: [strength]) && flight.hero == nil)
        hero.removeFromPowers(NSSet(array: [strength]))
        #expect(hero.powers?.count == 0)
        hero.powers = NSSet(array: [flight])
        #expect(hero.value(forKey: "powers") as? Set<NSManagedObject> == [flight])
    }

    @Test("the methods of an ordered set keep and change the order (KVC-19)")
    func orderedMethodsChangePlaces() throws {
        let stack = try HeroStack()
        let hero = Hero(context: stack.context)
        let all = (0..<5).map { _ in Trophy(context: stack.context) }
        func order() -> [Int] { (hero.trophies?.array as? [Trophy] ?? []).compactMap { all.firstIndex(of: $0) } }
        hero.addToTrophies(all[0])
        hero.addToTrophies(NSOrderedSet(array: [all[1], all[2]]))
        #expect(order() == [0, 1, 2])
        hero.insertIntoTrophies(all[3], at: 1)
        #expect(order() == [0, 3, 1, 2])
        hero.removeFromTrophies(at: 0)
        hero.insertIntoTrophies([all[0], all[4]], at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)))
        #expect(order() == [0, 4, 3, 1, 2])
        hero.replaceTrophies(at: 0, with: all[2])
        #expect(order() == [2, 4, 3, 1])
        hero.replaceTrophies(at: NSIndexSet(index: 3), with: [all[0]])
        #expect(order() == [2, 4, 3, 0])
        hero.removeFromTrophies(at: NSIndexSet(index: 1))
        hero.removeFromTrophies(all[3])
        #expect(order() == [2, 0])
        hero.removeFromTrophies(NSOrderedSet(array: [all[2]]))
        #expect(order() == [0] && all[0].winner === hero && all[2].winner == nil)
        #expect(hero.mutableOrderedSetValue(forKey: "trophies").count == 1)
    }

    @Test("relationships to one and fetched properties have the classes of their entities (KVC-05)")
    func relatedObjectsAreTyped() throws {
        let stack = try HeroStack()
        let (hero, namesake) = (Hero(context: stack.context), Villain(context: stack.context))
        hero.name = "Ann"
        namesake.name = "Ann"
        let lair = Lair(context: stack.context)
        hero.lair = lair
        #expect(lair.owner === hero && hero.value(forKey: "lair") as? Lair === lair)
        try stack.context.save()
        #expect(Set(hero.namesakes) == [hero, namesake])
    }

    @Test("fetchRequest() fetches objects of the class (TOOL-10)")
    func fetchRequestsAreTyped() throws {
        let stack = try HeroStack()
        let hero = Hero(context: stack.context)
        let villain = Villain(context: stack.context)
        try stack.context.save()
        let request: NSFetchRequest<Villain> = Villain.fetchRequest()
        #expect(try stack.context.fetch(request).map(\.plan) == [nil])
        let heroes = try stack.context.fetch(Hero.fetchRequest() as NSFetchRequest<Hero>)
        #expect(Set(heroes.map(\.id)) == [hero.id, villain.id])
    }
}
