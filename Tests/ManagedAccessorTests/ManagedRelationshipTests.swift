import CoreData
import ManagedModel
import ManagedTypes
import StoreContract
import Testing

@Suite struct ManagedRelationshipTests {
    @Test("@NSManaged relationships are typed, keep their inverses and agree with access by key (KVC-05)")
    func nsManagedRelationshipsAreTyped() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        let lair = Places.Lair(context: stack.context)
        hero.lair = lair
        #expect(lair.owner === hero && hero.value(forKey: "lair") as? NSManagedObject === lair)
        lair.owner = nil
        #expect(hero.lair == nil && lair.rooms == [])
        let room = Places.Lair.Room(context: stack.context)
        lair.addToRooms(room)
        #expect(lair.rooms == [room])
        lair.rooms = nil
        #expect((lair.value(forKey: "rooms") as? NSSet)?.count == 0)
    }

    @Test("the @NSManaged methods of unordered relationships add and remove one object and many (KVC-19)")
    func nsManagedMethodsOfUnorderedRelationshipsAddAndRemove() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        let powers = (0..<3).map { _ in Skill(context: stack.context) }
        hero.addToPowers(powers[0])
        hero.addToPowers(NSSet(array: Array(powers[1...])))
        #expect(hero.mutableSetValue(forKey: "powers").count == 3 && powers[2].hero === hero)
        hero.removeFromPowers(powers[1])
        #expect(Set((hero.value(forKey: "powers") as? Set<Skill>) ?? []) == [powers[0], powers[2]])
        let friend = Creature(context: stack.context)
        hero.addToFriends(friend)
        hero.friends.insert(hero)
        #expect(hero.friends == [friend, hero])
        hero.removeFromFriends([friend])
        #expect(hero.value(forKey: "friends") as? Set<Creature> == [hero])
    }

    @Test("the @NSManaged methods of ordered relationships insert, remove and replace by index (KVC-19)")
    func nsManagedMethodsOfOrderedRelationshipsInsert() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        let items = (0..<6).map { number in
            let item = Item(context: stack.context)
            item.text = "\(number)"
            return item
        }
        func texts() -> String { (hero.items?.array as? [Item] ?? []).compactMap(\.text).joined() }
        hero.addToItems(items[0])
        hero.insertIntoItems(items[1], at: 0)
        #expect(texts() == "10")
        hero.insertIntoItems([items[2], items[3]], at: NSIndexSet(indexSet: [0, 2]))
        #expect(texts() == "2130")
        hero.replaceItems(at: 1, with: items[4])
        #expect(texts() == "2430")
        hero.replaceItems(at: NSIndexSet(indexSet: [0]), with: [items[5]])
        hero.removeFromItems(at: 1)
        #expect(texts() == "530")
        hero.removeFromItems(at: NSIndexSet(indexSet: [0, 1]))
        #expect(texts() == "0")
        hero.removeFromItems(NSOrderedSet(array: [items[0]]))
        #expect(hero.items?.count == 0)
        hero.items = NSOrderedSet(array: [items[3], items[2]])
        #expect(texts() == "32")
    }

    @Test("an @NSManaged array is a fetched property (KVC-05)") func nsManagedArrayIsFetchedProperty() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        let fan = Knight(context: stack.context)
        fan.motto = "fan"
        try stack.context.save()
        #expect(hero.fans == [fan])
    }
}
