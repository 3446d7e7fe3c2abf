import CoreData
import StoreContract
import Testing

@testable import CoreDataGraph
@testable import CoreDataSQLite

/// What batch sizes, several stores and unsaved changes cost in statements and rows.
@Suite struct BatchSizeTests {
    private func stack(_ count: Int, powers: Bool = false) throws -> Stack {
        let stack = try HeroModel.stack()
        for number in 0..<count {
            let hero = stack.context.insert("Hero", ["name": "x", "strength": number * 37 % count])
            if powers { stack.context.insert("Power", ["name": "p"]).setValue(hero, forKey: "hero") }
        }
        try stack.context.save()
        return try stack.reopened()
    }

    private func request(_ size: Int) -> NSFetchRequest<Hero> {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: true)]
        request.fetchBatchSize = size
        return request
    }

    @Test("keys first, then the rows of a batch with one statement, and no others (FET-06)")
    func keysThenBatches() throws {
        let stack = try stack(1_000)
        var heroes: [Hero] = []
        let texts = try stack.statements { heroes = try stack.context.fetch(request(20)) }
        #expect(texts.count == 1 && texts[0].hasPrefix("SELECT t0.Z_PK, t0.Z_ENT FROM ZHERO t0"))
        #expect(heroes.allSatisfy { $0.slab == nil } && stack.store.rowCache.count == 0)
        stack.expectStatements(1) { #expect(heroes[25].strength == 25) }
        #expect(heroes.indices.filter { heroes[$0].slab != nil } == Array(20..<40) && stack.store.rowCache.count == 20)
        #expect(heroes[26].isFault && !heroes[25].isFault)
        stack.expectStatements(49) { #expect(heroes.map(\.strength) == Array(0..<1_000)) }
    }

    @Test("relationships that were read by the way do not make a batch forgotten (FET-06)")
    func batchesStayKnown() throws {
        let stack = try stack(200, powers: true)
        let heroes = try stack.context.fetch(request(10))
        for hero in heroes.prefix(30) { #expect(hero.powers.count == 1) }
        stack.expectStatements(17) { #expect(heroes.map(\.strength) == Array(0..<200)) }
    }

    @Test("what is to be prefetched is read with each batch (FET-06, FET-09)") func batchesPrefetch() throws {
        let stack = try stack(100, powers: true)
        let request = request(10)
        request.relationshipKeyPathsForPrefetching = ["powers"]
        var heroes: [Hero] = []
        try stack.expectStatements(1) { heroes = try stack.context.fetch(request) }
        stack.expectStatements(2) { #expect(heroes[15].strength == 15) }
        stack.expectStatements(0) {
            for hero in heroes[10..<20] { #expect(hero.powers.first?.name == "p") }
        }
        let result = try stack.reopened().context.fetchLazily(request)
        #expect(result[3].powers.first?.name == "p")
    }

    @Test("a lazy result reads keys, and a batch with one statement (FET-06)") func lazyStatements() throws {
        let stack = try stack(1_000)
        let result = try stack.context.fetchLazily(request(50))
        stack.expectStatements(1) { #expect(result[70].strength == 70 && result[99].strength == 99) }
        #expect(stack.store.rowCache.count == 50)
        stack.expectStatements(19) { #expect(result.map { Int($0.strength) } == Array(0..<1_000)) }
        #expect(stack.store.rowCache.count == 200)
    }

    @Test("limit and offset bound what is read of each of several stores (FET-28)") func storesAreReadAsFarAsNeeded()
        throws
    {
        let stack = try HeroModel.stack()
        let other = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: stack.url.deletingLastPathComponent().appendingPathComponent("Other.sqlite"))
        for number in 0..<400 {
            let hero = stack.context.insert("Hero", ["name": "x", "strength": number])
            stack.context.assign(hero, to: number % 2 == 0 ? stack.store : other)
        }
        try stack.context.save()
        stack.context.reset()
        let request = request(0)
        (request.fetchOffset, request.fetchLimit) = (15, 10)
        let context = stack.newContext()
        let found = try context.fetch(request)
        #expect(found.map(\.strength) == Array(15..<25))
        #expect(context.registeredObjects.count == 10)
        for store in [stack.store, other] { #expect(store.rowCache.count <= 25) }
        var counted = 0
        try stack.expectStatements(1) { counted = try context.count(for: self.request(0)) }
        #expect(counted == 400)
        withExtendedLifetime(found) { #expect(context.registeredObjects.count == 10) }
    }

    @Test("with unsaved changes a page reads no more rows than it and they are, and a count none (FET-05)")
    func changesReadLittle() throws {
        let stack = try stack(1_000)
        let context = stack.context
        let few = try context.fetch(request(100)).prefix(3)
        for hero in few { hero.strength += 2_000 }
        context.insert("Hero", ["name": "new", "strength": 4])
        context.insert("Hero", ["name": "other", "strength": 3_000])
        let before = context.registeredObjects.count
        let request = request(0)
        request.fetchLimit = 10
        var found: [Hero] = []
        let former = stack.store.rowCache.count
        try stack.expectStatements(1) { found = try context.fetch(request) }
        #expect(found.map(\.strength) == [3, 4, 4, 5, 6, 7, 8, 9, 10, 11])
        #expect(stack.store.rowCache.count - former <= 15)
        found = []
        let counting = NSFetchRequest<Hero>(entityName: "Hero")
        counting.predicate = NSPredicate(format: "strength < 1000")
        var counted = 0
        try stack.expectStatements(2) { counted = try context.count(for: counting) }
        #expect(counted == 998)
        #expect(context.registeredObjects.count <= before)
    }
}
