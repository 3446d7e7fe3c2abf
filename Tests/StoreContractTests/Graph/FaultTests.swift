import CoreData
import StoreContract
import Testing

@Suite struct FaultTests {
    private static func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try HeroModel.stack(kind)
        let context = stack.newContext()
        let hero = context.insert("Hero", ["name": "Ann", "strength": 7])
        context.insert("Power", ["name": "Flight", "hero": hero])
        context.insert("Power", ["name": "Sight", "hero": hero])
        try context.save()
        return stack
    }

    @Test("objects fetched without being faults are awake (OBJ-20)", arguments: StoreKind.all)
    func fetchWithoutFaultsFillsObjects(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.returnsObjectsAsFaults = false
        let hero = try #require(try stack.context.fetch(request).first)
        #expect(!hero.isFault)
        #expect(hero.log == ["fetch"])
    }

    @Test(
        "a description shows lazy relationships as faults and values as they are (OBJ-15)", arguments: StoreKind.all)
    func descriptionShowsValues(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let hero = try #require(try stack.context.all("Hero").first)
        _ = hero.value(forKey: "name")
        #expect(hero.description.contains("name = Ann"))
        #expect(hero.description.contains("<relationship fault"))
        _ = hero.value(forKey: "powers")
        #expect(hero.description.contains("/Power/p"))
    }

    @Test(
        "a description shows dates beyond the calendar, and those that are not finite, as seconds (OBJ-15)",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e13, 1e18])
    func descriptionShowsAnyDate(seconds: Double) throws {
        let stack = try Self.stack(.inMemory)
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let hero = stack.context.insert("Hero", ["birthDate": date])
        #expect(hero.description.contains("birthDate = \(seconds) seconds since 2001-01-01"))
    }

    @Test("refreshing makes a fault and forgets changes (OBJ-16)", arguments: StoreKind.all)
    func refreshMakesFault(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        hero.name = "Bob"
        weak var power: Power?
        power = hero.powers.first
        #expect(power != nil)
        hero.log = []
        stack.context.refresh(hero, mergeChanges: false)
        #expect(hero.isFault && !hero.hasChanges)
        #expect(hero.log == ["willTurnIntoFault", "didTurnIntoFault"])
        #expect(power == nil)
        #expect(!stack.context.hasChanges)
        #expect(hero.name == "Ann")
    }

    @Test("an object refreshed with merging gets a snapshot event (OBJ-17)", arguments: StoreKind.all)
    func refreshKeepsChanges(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let hero = try #require(try stack.context.all("Hero").first as? Hero)
        hero.strength = 99
        let other = stack.newContext()
        let theirs = try #require(try other.all("Hero").first as? Hero)
        theirs.name = "Cid"
        theirs.strength = 1
        try other.save()
        hero.log = []
        stack.context.refresh(hero, mergeChanges: true)
        #expect(hero.name == "Cid")
        #expect(hero.strength == 99)
        #expect(hero.log == ["snapshot \(NSSnapshotEventType.refresh.rawValue)"])
    }

    @Test("an object of a reset context says that it is invalid (OBJ-27)", arguments: StoreKind.all)
    func resetContextInvalidatesObjects(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let hero = try #require(try stack.context.all("Hero").first)
        #expect(hero.value(forKey: "name") as? String == "Ann")
        stack.context.reset()
        #expect(stack.context.registeredObjects.isEmpty)
        #expect(hero.managedObjectContext == nil)
        let error = #expect(throws: NSError.self) { try hero.codedValue(forKey: "name") }
        #expect(error?.localizedDescription.contains("has been invalidated") == true)
        #expect(error?.localizedDescription.contains("/Hero/p") == true)
        #expect(hero.value(forKey: "name") == nil)
        #expect(try stack.context.all("Hero").first !== hero)
    }
}
