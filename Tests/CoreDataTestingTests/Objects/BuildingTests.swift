import CoreData
import CoreDataTesting
import Testing

@Suite struct BuildingTests {
    @Test(
        "TEST-03: what the test leaves out is filled by the model's rules, and can be saved",
        arguments: TestStack.Kind.allCases)
    func missingValuesAreFilledByRules(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(GuildModel.model, kind)
        let hero = try stack.make(Hero.self)
        #expect((5...12).contains(hero.name?.count ?? 0))
        #expect((1...9).contains(hero.rank))
        #expect(hero.team != nil && (hero.value(forKey: "oaths") as? Set<NSManagedObject>)?.count == 2)
        #expect(hero.joined == nil && hero.value(forKey: "grade") as? Int == 3)
        try stack.context.save()
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Oath")) == 2)
    }

    @Test("what the test sets stays, and relationships to objects that it gives are kept (TEST-03)")
    func givenValuesStay() throws {
        let stack = try TestStack(GuildModel.model)
        let team = try stack.make("Team", ["title": "Owls"])
        let heroes = try stack.make(3, Hero.self) { hero, index in
            hero.name = "Hero \(index)"
            hero.team = team as? Team
        }
        #expect(heroes.map(\.name) == ["Hero 0", "Hero 1", "Hero 2"])
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team")) == 1)
        try stack.context.save()
    }

    @Test("200 objects of an entity with a unique attribute differ, and a second run makes the same ones (TEST-03)")
    func uniqueValuesDifferAndAreSameInEachRun() throws {
        func codes() throws -> [String?] {
            let stack = try TestStack(GuildModel.model)
            let heroes = try stack.make(200, Hero.self)
            try stack.context.save()
            return heroes.map(\.code)
        }
        let first = try codes()
        #expect(Set(first).count == 200)
        #expect(try codes() == first)
    }

    @Test("an oath brings the hero whom it requires, and no third one (TEST-03)")
    func requiredOwnersAreMade() throws {
        let stack = try TestStack(GuildModel.model)
        let oath = try stack.make("Oath", ["text": "I swear"])
        let hero = try #require(oath.value(forKey: "hero") as? Hero)
        #expect((hero.value(forKey: "oaths") as? Set<NSManagedObject>)?.contains(oath) == true)
        #expect((hero.value(forKey: "oaths") as? Set<NSManagedObject>)?.count == 2)
    }

    @Test("a value that a rule refuses is named, and nothing stays inserted (TEST-03)")
    func refusedValueIsNamed() throws {
        let stack = try TestStack(GuildModel.model)
        let error = #expect(throws: TestingError.self) { try stack.make(Hero.self) { $0.name = "Ann" } }
        #expect(error?.code == .notBuilt && error?.reason.contains("name") == true, "\(error?.reason ?? "")")
        #expect(!stack.context.hasChanges && stack.context.insertedObjects.isEmpty)
    }

    @Test("a model that requires objects without end, unknown entities and keys are refused (TEST-03)")
    func impossibleObjectsAreRefused() throws {
        let endless = try TestStack(GuildModel.endless)
        let error = #expect(throws: TestingError.self) { try endless.make("Link") }
        #expect(error?.reason.contains("Link.next") == true)
        #expect(endless.context.insertedObjects.isEmpty)
        let stack = try TestStack(GuildModel.model)
        #expect(throws: TestingError.self) { try stack.make("Nobody") }
        let key = #expect(throws: TestingError.self) { try stack.make("Team", ["titel": "Owls"]) }
        #expect(key?.reason.contains("title") == true)
    }

    @Test("an error of the block takes the objects back (TEST-03)")
    func errorOfBlockTakesObjectsBack() throws {
        let stack = try TestStack(GuildModel.model)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try stack.make(5, Hero.self) { _, index in if index == 3 { throw Stop() } }
        }
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero")) == 0)
    }
}
