import CoreData
import StoreContract
import Testing

/// Arrays whose values are read in batches, and results whose objects are made in batches.
@Suite struct LazyFetchTests {
    @Test(
        "an array of a fetch with a batch size has faults, which give their values (FET-06)", arguments: StoreKind.all)
    func arrayOfFaults(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill((0..<95).map { $0 * 37 % 95 })
        for context in [shelves.context(isChild: false), shelves.context(isChild: true)] {
            let heroes = try context.fetch(Shelves.request(20, by: "strength"))
            #expect(heroes.count == 95 && heroes.allSatisfy(\.isFault))
            #expect(heroes.map(\.strength) == Array(0..<95))
            let plain = Shelves.request(20, by: "strength")
            plain.returnsObjectsAsFaults = false
            #expect(try context.fetch(plain).allSatisfy { !$0.isFault })
        }
    }

    @Test("a lazy result holds few objects while all are seen (FET-06, FET-08)", arguments: StoreKind.all)
    func lazyResultHoldsFew(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill((0..<1_000).map { $0 * 37 % 1_000 })
        let context = shelves.context(isChild: false)
        let result = try context.fetchLazily(Shelves.request(20, by: "strength"))
        #expect(result.count == 1_000 && context.registeredObjects.isEmpty)
        var most = 0
        for (place, hero) in result.enumerated() {
            #expect(Int(hero.strength) == place)
            most = max(most, context.registeredObjects.count)
        }
        #expect(most <= 4 * 20)
        #expect(result[999].strength == 999 && result[0].strength == 0 && result[500].strength == 500)
        #expect(result.map(\.objectID) == result.indices.map(result.objectID))
        let held = result[17]
        #expect(result[18 - 1] === held)
    }

    @Test("unsaved changes stand at their places in a lazy result (FET-05, FET-06)", arguments: StoreKind.all)
    func lazyResultHeedsChanges(kind: StoreKind) throws {
        let shelves = try Shelves(kind, stores: 2)
        try shelves.fill(stride(from: 0, to: 600, by: 2))
        for context in [shelves.context(isChild: false), shelves.context(isChild: true)] {
            let heroes = try context.fetch(Shelves.request(by: "strength"))
            heroes[10].strength = 301
            context.delete(heroes[20])
            context.insert("Hero", ["name": "new", "strength": 41])
            var expected = heroes.map { Int($0.strength) }.enumerated().filter { $0.offset != 20 }.map(\.element) + [41]
            expected.sort()
            for size in [1, 7, 1_000] {
                #expect(
                    try context.fetchLazily(Shelves.request(size, by: "strength")).map { Int($0.strength) } == expected)
                #expect(try context.fetch(Shelves.request(size, by: "strength")).map { Int($0.strength) } == expected)
            }
            let page = Shelves.request(3, by: "strength")
            (page.fetchOffset, page.fetchLimit) = (148, 6)
            #expect(try context.fetchLazily(page).map { Int($0.strength) } == Array(expected[148..<154]))
            #expect(try context.fetch(page).map { Int($0.strength) } == Array(expected[148..<154]))
        }
    }

    @Test("registered objects take over what batches read, if the request says so (FET-06)", arguments: StoreKind.all)
    func batchesRefresh(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<30)
        let context = shelves.context(isChild: false)
        let heroes = try context.fetch(Shelves.request(by: "strength"))
        #expect(heroes[3].name == Shelves.name(3) && heroes[4].name == Shelves.name(4))
        heroes[4].name = "mine"
        let other = shelves.stack.newContext()
        for hero in try other.fetch(Shelves.request()) { hero.name = "other" }
        try other.save()
        let request = Shelves.request(10, by: "strength")
        _ = try context.fetch(request)
        #expect(heroes[3].name == Shelves.name(3))
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
        #expect(heroes[3].name == "other" && heroes[4].name == "mine")
        context.refresh(heroes[3], mergeChanges: true)
        for hero in try other.fetch(Shelves.request()) { hero.name = "third" }
        try other.save()
        _ = try context.fetchLazily(request)[0]
        #expect(heroes[3].name == "third" && heroes[4].name == "mine")
    }

    @Test(
        "a record that goes is an inaccessible fault, and other result types are refused (FET-06)",
        arguments: StoreKind.all)
    func recordsThatGo(kind: StoreKind) throws {
        let shelves = try Shelves(kind)
        try shelves.fill(0..<50)
        let context = shelves.context(isChild: false)
        context.dataErrorHandler = { _, _ in }
        let result = try context.fetchLazily(Shelves.request(5, by: "strength"))
        let other = shelves.stack.newContext()
        try other.fetch(Shelves.request()).filter { $0.strength == 31 }.forEach(other.delete)
        try other.save()
        #expect(result.count == 50 && result[30].strength == 30)
        #expect(result[31].isFault && result[31].name == nil && result[32].strength == 32)
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
        identifiers.resultType = .managedObjectIDResultType
        let error = #expect(throws: NSError.self) { try context.fetchLazily(identifiers) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("batches mix entities, and sub-entities can be left out (FET-02, FET-06)", arguments: StoreKind.all)
    func entitiesMix(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        for number in 0..<60 {
            stack.context.insert(number % 3 == 0 ? "SuperHero" : "Hero", ["name": "x", "strength": number])
        }
        try stack.context.save()
        let context = stack.newContext()
        let request = Shelves.request(7, by: "strength")
        let names = try context.fetchLazily(request).map { $0.entity.name ?? "" }
        #expect(names == (0..<60).map { $0 % 3 == 0 ? "SuperHero" : "Hero" })
        #expect(try context.fetch(request).map { Int($0.strength) } == Array(0..<60))
        request.includesSubentities = false
        #expect(try context.fetchLazily(request).map { Int($0.strength) } == (0..<60).filter { $0 % 3 != 0 })
    }
}
