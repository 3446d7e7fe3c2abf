import CoreData
import GeneratedModel
import Testing

@Suite struct GeneratedAttributeTests {
    @Test("typed properties and access by key read and write the same values (KVC-05)")
    func typedPropertiesAgreeWithKeys() throws {
        let stack = try HeroStack()
        let hero = Hero(context: stack.context)
        try stack.context.save()
        let identifier = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        hero.name = "Ann"
        hero.age = 17
        hero.number = -5
        hero.total = 1 << 40
        hero.rank = 3
        hero.default = true
        hero.height = 1.5
        hero.speed = 2.5
        hero.birthDate = date
        hero.lastSeen = 2000
        hero.fee = NSDecimalNumber(string: "12.34")
        hero.identifier = identifier
        hero.home = URL(string: "https://example.org")
        hero.picture = Data([1, 2, 3])
        hero.signals = ["light", "smoke"]
        hero.place = ["street": "Main"]
        #expect(hero.hasChanges && hero.changedValues().count == 16)
        #expect(hero.value(forKey: "name") as? String == "Ann")
        #expect(hero.value(forKey: "age") as? Int16 == 17)
        #expect(hero.value(forKey: "number") as? Int32 == -5)
        #expect(hero.value(forKey: "total") as? Int64 == 1 << 40)
        #expect(hero.value(forKey: "rank") as? Int64 == 3)
        #expect(hero.value(forKey: "default") as? Bool == true)
        #expect(hero.value(forKey: "height") as? Double == 1.5)
        #expect(hero.value(forKey: "speed") as? Float == 2.5)
        #expect(hero.value(forKey: "birthDate") as? Date == date)
        #expect(hero.value(forKey: "lastSeen") as? Date == Date(timeIntervalSinceReferenceDate: 2000))
        #expect(hero.value(forKey: "fee") as? NSDecimalNumber == 12.34)
        #expect(hero.value(forKey: "identifier") as? UUID == identifier)
        #expect(hero.value(forKey: "home") as? URL == URL(string: "https://example.org"))
        #expect(hero.value(forKey: "picture") as? Data == Data([1, 2, 3]))
        #expect(hero.value(forKey: "signals") as? [String] == ["light", "smoke"])
        #expect(hero.value(forKeyPath: "place.street") as? String == "Main")
    }

    @Test("what is set by key is read by typed properties, also after a save (KVC-05)")
    func keysAgreeWithTypedProperties() throws {
        let stack = try HeroStack()
        let hero = Hero(context: stack.context)
        hero.setValue("Bea", forKey: "name")
        hero.setValue(41, forKey: "age")
        hero.setValue(7, forKey: "rank")
        hero.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "lastSeen")
        hero.setValue(["street": "Side"], forKey: "place")
        hero.setValue("suit", forKey: "suit")
        try stack.context.save()
        stack.context.refreshAllObjects()
        #expect(hero.isFault)
        #expect(hero.name == "Bea" && hero.age == 41 && hero.rank == 7 && hero.lastSeen == 5)
        #expect(hero.place?["street"] as? String == "Side")
        #expect(hero.value(forKey: "suit") as? String == "suit")
    }

    @Test("a scalar without a value is zero, and by its key nil (KVC-07)")
    func nilScalarsAreDistinguished() throws {
        let stack = try HeroStack()
        let hero = Hero(context: stack.context)
        #expect(hero.age == 0 && hero.value(forKey: "age") == nil)
        #expect(hero.rank == nil && hero.birthDate == nil && hero.lastSeen == 0)
        hero.age = 0
        #expect(hero.value(forKey: "age") as? Int16 == 0)
    }

    @Test("subclasses number their properties behind those of generated and of hand-written superclasses (KVC-05)")
    func inheritedPropertiesKeepTheirPlaces() throws {
        let stack = try HeroStack()
        let villain = Villain(context: stack.context)
        villain.name = "Zoe"
        villain.plan = "more"
        #expect(villain.value(forKey: "plan") as? String == "more" && villain.name == "Zoe")
        let gadget = Gadget(context: stack.context)
        gadget.weight = 2
        gadget.source = "shop"
        #expect(gadget.value(forKey: "weight") as? Double == 2 && gadget.value(forKey: "shout") as? String == "SHOP")
        #expect(PropertyTable.of(Gadget.self).keys == ["source", "hero", "shout", "weight"])
    }

    @Test func keyPathsAreNamedThroughSubclasses() {
        #expect(Villain.key(of: \Villain.plan) == "plan")
        #expect(Villain.key(of: \Villain.name) == "name")
        #expect(Hero.key(of: \Hero.default) == "default")
        #expect(PropertyTable.of(NSManagedObject.self).keys.isEmpty)
    }

    @Test("a table of the class's own that numbers generated properties otherwise is refused")
    func misnumberedTablesAreRefused() async {
        await #expect(processExitsWith: .failure) { _ = PropertyTable.of(Misnumbered.self) }
    }

    @Test func namesOfTheLibraryWinOverFoundations() {
        let expression: NSExpression = NSExpression(forKeyPath: "name")
        let comparison: NSComparisonPredicate? = nil
        #expect(expression.keyPath == "name" && comparison == nil)
    }
}
