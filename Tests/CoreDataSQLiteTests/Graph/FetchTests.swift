import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

@Suite struct FetchTests {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }
    init() throws {
        stack = try HeroModel.stack()
        for number in 0..<10 { context.insert("Hero", ["name": "H\(number)", "strength": number]) }
        context.insert("SuperHero", ["name": "S", "strength": 50, "cape": true])
        try context.save()
    }

    private func request(_ format: String? = nil, _ arguments: Any?...) -> NSFetchRequest<Hero> {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        if let format { request.predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 as Any }) }
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: true)]
        return request
    }

    private func names(_ request: NSFetchRequest<Hero>) throws -> [String?] { try context.fetch(request).map(\.name) }

    @Test("FET-05: inserted, changed and deleted objects count before the save")
    func fetchSeesUnsavedChanges() throws {
        let all = try context.fetch(request())
        all[0].strength = 100
        all[9].strength = 1
        context.delete(all[8])
        context.insert("Hero", ["name": "New", "strength": 60])
        #expect(try names(request("strength >= 50")) == ["S", "New", "H0"])
        #expect(try names(request("strength BETWEEN {0, 2}")) == ["H1", "H9", "H2"])
        #expect(try names(request("name == 'H8'")).isEmpty)
        #expect(try context.count(for: request()) == 11)
        let stored = request("strength >= 50")
        stored.includesPendingChanges = false
        #expect(try context.count(for: stored) == 1)
        #expect(try stack.integer("SELECT count(*) FROM ZHERO") == 11)
    }

    @Test("FET-05, FET-07: limit, offset and sort heed unsaved changes")
    func limitAndOffsetHeedChanges() throws {
        let all = try context.fetch(request())
        all[5].strength = -1
        context.delete(all[0])
        let page = request()
        page.fetchLimit = 3
        page.fetchOffset = 1
        #expect(try names(page) == ["H1", "H2", "H3"])
        page.fetchOffset = 9
        #expect(try names(page) == ["S"])
        page.fetchOffset = 99
        #expect(try names(page).isEmpty)
    }

    @Test("FET-07: pages enumerate all rows once")
    func pagesEnumerateAllRows() throws {
        var seen: [String?] = []
        for page in 0..<4 {
            let request = request()
            request.fetchLimit = 3
            request.fetchOffset = page * 3
            seen += try names(request)
        }
        #expect(seen == (0..<10).map { "H\($0)" } + ["S"])
    }

    @Test("FET-02: sub-entities are fetched with their parent unless left out")
    func subentities() throws {
        let all = try context.fetch(request())
        #expect(all.last?.entity.name == "SuperHero")
        #expect(all.last?.value(forKey: "cape") as? Bool == true)
        let own = request()
        own.includesSubentities = false
        #expect(try context.count(for: own) == 10)
        _ = context.insert("SuperHero")
        #expect(try context.count(for: own) == 10)
        #expect(try context.count(for: request()) == 12)
        #expect(try context.all("SuperHero").count == 2)
    }

    @Test func resultsAsIdentifiersAndCounts() throws {
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
        ids.resultType = .managedObjectIDResultType
        ids.predicate = NSPredicate(format: "strength < 2")
        #expect(Set(try context.fetch(ids).map(\.key)).count == 2)
        let count = NSFetchRequest<NSNumber>(entityName: "Hero")
        count.resultType = .countResultType
        #expect(try context.fetch(count) == [11])
    }

    @Test func unknownEntityThrowsWithSuggestion() {
        let error = #expect(throws: NSError.self) {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Heroo"))
        }
        #expect(error?.localizedDescription.contains("Heroo") == true)
        #expect(error?.localizedRecoverySuggestion?.contains("Hero") == true)
    }

    @Test("CTX-01: a context without a coordinator refuses a fetch with an error")
    func fetchWithoutCoordinatorThrows() {
        let lost = NSManagedObjectContext(.privateQueue)
        #expect(throws: NSError.self) { try lost.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")) }
    }

    @Test("CTX-35: a fetch before any store is added gives nothing")
    func fetchWithoutStoreIsEmpty() throws {
        let lost = NSManagedObjectContext(.privateQueue)
        lost.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        #expect(try lost.all("Hero").isEmpty)
        lost.insert("Hero")
        #expect(try lost.all("Hero").count == 1)
        #expect(throws: NSError.self) { try lost.save() }
        #expect(lost.hasChanges)
    }

    @Test("FET-03: only matching rows are read")
    func onlyMatchingRowsAreRead() throws {
        let found = try context.fetch(request("name == %@", "H3"))
        #expect(found.map(\.strength) == [3])
    }

    @Test("FET-15: a predicate over a relationship")
    func predicateOverRelationship() throws {
        let hero = try #require(try context.fetch(request("name == 'H3'")).first)
        let power = Power(context: context)
        power.hero = hero
        try context.save()
        #expect(try context.all("Power", NSPredicate(format: "hero.name == 'H3'")) == [power])
        #expect(try context.all("Power", NSPredicate(format: "hero == %@", hero)) == [power])
        #expect(try context.all("Hero", NSPredicate(format: "powers.@count > 0")) == [hero])
        power.name = "pending"
        #expect(try context.all("Power", NSPredicate(format: "hero.name == 'H3'")) == [power])
    }
}
