import CoreData
import ManagedModel
import ManagedTypes
import StoreContract
import Testing

/// What `@NSManaged` attributes read and write, from a module that is not the classes' own.
@Suite struct ManagedAttributeTests {
    @Test("typed @NSManaged attributes read and write what access by key does (KVC-05)")
    func agreesWithKeys() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        hero.name = "Alpha"
        hero.title = "Dr."
        hero.fee = NSDecimalNumber(string: "1.25")
        hero.score = 7
        hero.picture = Data([1, 2])
        let (token, link) = (UUID(), try #require(URL(string: "https://example.org")))
        (hero.token, hero.link) = (token, link)
        hero.born = Date(timeIntervalSinceReferenceDate: 9)
        #expect(hero.value(forKey: "name") as? String == "Alpha")
        #expect(hero.value(forKey: "title") as? String == "Dr.")
        #expect(hero.value(forKey: "fee") as? NSDecimalNumber == 1.25)
        #expect(hero.value(forKey: "score") as? Int == 7)
        #expect(hero.value(forKey: "picture") as? Data == Data([1, 2]))
        #expect(hero.value(forKey: "token") as? UUID == token && hero.value(forKey: "link") as? URL == link)
        #expect(hero.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 9))
        hero.setValue("Bolt", forKey: "name")
        hero.setValue(8, forKey: "score")
        #expect(hero.name == "Bolt" && hero.score == 8)
        try stack.context.save()
        stack.context.reset()
        let again = try #require(try stack.context.fetch(NSFetchRequest<Knight>(entityName: "Knight")).first)
        #expect(again.name == "Bolt" && again.title == "Dr." && again.token == token && again.picture == Data([1, 2]))
        #expect(!again.hasChanges)
        again.alias = "B"
        #expect(again.changedValues().keys.sorted() == ["alias"])
    }

    @Test("scalars are read and written without an object, and are zero without a value (KVC-07)")
    func scalarsAreReadAndWrittenWithoutObject() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        #expect(hero.age == 0 && hero.total == 0 && !hero.isActive && hero.speed == 0 && hero.title == "")
        (hero.age, hero.count, hero.total) = (-3, 1 << 20, 1 << 40)
        (hero.isActive, hero.speed, hero.weight) = (true, 0.5, 1.5)
        hero.count += 1
        #expect(hero.value(forKey: "age") as? Int16 == -3 && hero.value(forKey: "count") as? Int32 == 1 << 20 + 1)
        #expect(hero.value(forKey: "total") as? Int64 == 1 << 40 && hero.value(forKey: "isActive") as? Bool == true)
        #expect(hero.speed == 0.5 && hero.weight == 1.5)
        hero.setValue(nil, forKey: "speed")
        #expect(hero.speed == 0)
    }

    @Test("enumerations, aliases and collections of another module are attributes (KVC-05)")
    func typesOfAnotherModule() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        hero.grade = .high
        #expect(hero.value(forKey: "grade") as? Int16 == 2 && hero.grade == .high)
        hero.setValue(1, forKey: "grade")
        #expect(hero.grade == .low && hero.shelter == nil)
        hero.shelter = .tower
        #expect(hero.value(forKey: "shelter") as? String == "tower" && hero.shelter == .tower)
        hero.setValue("palace", forKey: "shelter")
        #expect(hero.shelter == nil)
        hero.tags = ["a", "b"]
        hero.settings = ["x": [1, 2]]
        try stack.context.save()
        stack.context.refreshAllObjects()
        #expect(hero.tags == ["a", "b"] && hero.settings == ["x": [1, 2]])
    }

    @Test("private, file-private and package properties and those with private setters are carried out (KVC-05)")
    func privateFilePrivateAndPackagePropertiesAndThoseWithPrivate() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        hero.disclosed = "who"
        #expect(hero.value(forKey: "secret") as? String == "who" && hero.disclosed == "who")
        hero.shared = "all"
        hero.setValue("me", forKey: "readable")
        #expect(hero.value(forKey: "shared") as? String == "all" && hero.readable == "me")
        hero.setPowers([Skill(context: stack.context)])
        #expect((hero.value(forKey: "powers") as? NSSet)?.count == 1 && hero.powerNames.isEmpty)
    }

    @Test("a property between #if and #endif is that of the build (KVC-05)")
    func propertyBetweenIfAndEndifIsThatOfBuild() throws {
        let stack = try ManagedStack.make()
        let hero = Knight(context: stack.context)
        #if DEBUG
            hero.note = "x"
            #expect(
                hero.value(forKey: "note") as? String == "x" && hero.value(forKey: "noteKind") as? String == "debug")
        #else
            #expect(hero.value(forKey: "noteKind") as? Int == 1)
        #endif
    }

    @Test("subclasses number their properties behind those of superclasses in this module and another (KVC-05)")
    func subclassesNumberTheirPropertiesBehindThoseOfSuperclasses() throws {
        let stack = try ManagedStack.make()
        let villain = Villain(context: stack.context)
        (villain.plan, villain.name, villain.alias) = ("p", "n", "a")
        villain.nemesis = Knight(context: stack.context)
        let gadget = Gadget(context: stack.context)
        (gadget.battery, gadget.source, gadget.hero) = (0.5, "s", villain)
        #expect(villain.value(forKey: "plan") as? String == "p" && villain.value(forKey: "alias") as? String == "a")
        #expect(gadget.value(forKey: "battery") as? Double == 0.5 && gadget.hero === villain)
        #expect(PropertyTable.of(Gadget.self).keys == ["source", "hero", "battery"])
        let trophy = Trophy(context: stack.context)
        (trophy.metal, trophy.winner) = ("gold", villain)
        #expect(trophy.value(forKey: "metal") as? String == "gold" && trophy.winner === villain)
    }

    @Test("key paths of @NSManaged properties name their keys (KVC-05)") func keyPaths() throws {
        #expect(PropertyTable.of(Knight.self).key(of: \Knight.title) == "title")
        #expect(PropertyTable.of(Villain.self).key(of: \Villain.title) == "title")
        #expect(PropertyTable.of(Knight.self).key(of: \Knight.name) == "name")
        #expect(PropertyTable.of(Places.Lair.self).key(of: \Places.Lair.depth) == "depth")
    }
}
