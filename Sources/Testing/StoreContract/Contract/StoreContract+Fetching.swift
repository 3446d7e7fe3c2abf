import CoreDataGraph
import Testing

extension StoreContract {
    static let fetching = [
        Clause("FET-01, STO-07: a fetch gives all objects of an entity, and none of an empty one", wholeEntity),
        Clause("FET-02: sub-entities are fetched with their parent unless left out", subentities),
        Clause("FET-05: inserted, changed and deleted objects count before the save", unsavedChanges),
        Clause("FET-05, FET-07: limit, offset and sort follow unsaved changes", limitsFollowChanges),
        Clause("FET-07: pages enumerate all records once", pages),
        Clause("FET-10: a fetch gives identifiers", identifierResults),
        Clause("FET-11: a count is the number of objects that a fetch gives", counts),
        Clause("FET-04: several sort descriptors, both ways", sorting),
        Clause("a fetch sees relationships that are not saved", unsavedRelationships),
    ]

    /// Saves heroes H0…H9, whose strength is the number in the name, and then a super hero.
    private static func heroes(_ store: ContractStore) throws -> Stack {
        let stack = try store.open(HeroModel.make())
        for number in [7, 3, 9, 0, 5, 1, 8, 2, 6, 4] {
            stack.context.insert("Hero", ["name": "H\(number)", "strength": number])
        }
        stack.context.insert("SuperHero", ["name": "S", "strength": 50, "cape": true])
        try stack.context.save()
        return try stack.reopened()
    }

    private static func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: true)]
        return request
    }

    private static func names(_ stack: Stack, _ request: NSFetchRequest<NSManagedObject>) throws -> [String] {
        try stack.context.fetch(request).map { $0.nameValue ?? "nil" }
    }

    @Sendable private static func wholeEntity(_ store: ContractStore) throws {
        let stack = try heroes(store)
        #expect(try names(stack, request()) == (0..<10).map { "H\($0)" } + ["S"])
        #expect(try stack.context.all("Power").isEmpty && stack.context.all("SuperHero").count == 1)
    }

    @Sendable private static func subentities(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let last = try #require(try stack.context.fetch(request()).last)
        #expect(last.entity.name == "SuperHero" && last.value(forKey: "cape") as? Bool == true)
        let own = request()
        own.includesSubentities = false
        #expect(try stack.context.count(for: own) == 10 && stack.context.fetch(own).count == 10)
        stack.context.insert("SuperHero", ["strength": 60])
        #expect(try stack.context.count(for: own) == 10 && stack.context.fetch(own).count == 10)
        #expect(try stack.context.count(for: request()) == 12)
        #expect(try stack.context.all("SuperHero").count == 2)
    }

    @Sendable private static func unsavedChanges(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let all = try stack.context.fetch(request())
        all[0].setValue(100, forKey: "strength")
        all[9].setValue(1, forKey: "strength")
        stack.context.delete(all[8])
        stack.context.insert("Hero", ["name": "New", "strength": 60])
        #expect(try names(stack, request("strength >= 50")) == ["S", "New", "H0"])
        #expect(Set(try names(stack, request("strength BETWEEN {0, 2}"))) == ["H1", "H9", "H2"])
        #expect(try names(stack, request("name == 'H8'")).isEmpty)
        #expect(try stack.context.count(for: request()) == 11)
        let stored = request("strength >= 50")
        stored.includesPendingChanges = false
        #expect(try stack.context.count(for: stored) == 1)
        #expect(try stack.newContext().all("Hero").count == 11)
    }

    @Sendable private static func limitsFollowChanges(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let all = try stack.context.fetch(request())
        all[5].setValue(-1, forKey: "strength")
        stack.context.delete(all[0])
        let page = request()
        page.fetchLimit = 3
        page.fetchOffset = 1
        #expect(try names(stack, page) == ["H1", "H2", "H3"])
        page.fetchOffset = 9
        #expect(try names(stack, page) == ["S"])
        page.fetchOffset = 99
        #expect(try names(stack, page).isEmpty)
    }

    @Sendable private static func pages(_ store: ContractStore) throws {
        let stack = try heroes(store)
        var seen: [String] = []
        for page in 0..<5 {
            let request = request()
            request.fetchLimit = 3
            request.fetchOffset = page * 3
            seen += try names(stack, request)
        }
        #expect(seen == (0..<10).map { "H\($0)" } + ["S"])
        let rest = request("strength > 2")
        rest.fetchOffset = 6
        #expect(try names(stack, rest) == ["H9", "S"])
    }

    @Sendable private static func identifierResults(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
        request.resultType = .managedObjectIDResultType
        request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: false)]
        let ids = try stack.context.fetch(request)
        #expect(ids.count == 11 && Set(ids).count == 11 && ids.allSatisfy { !$0.isTemporaryID })
        #expect(ids.first?.entity.name == "SuperHero")
        #expect(try ids.map { try stack.context.existingObject(with: $0).nameValue }.prefix(2) == ["S", "H9"])
    }

    @Sendable private static func counts(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let expected = ["strength < 4": 4, "name BEGINSWITH 'H'": 10, "strength > 1000": 0, "TRUEPREDICATE": 11]
        for (format, count) in expected {
            let request = request(format)
            #expect(try stack.context.count(for: request) == count, "\(format)")
            #expect(try stack.context.fetch(request).count == count, "\(format)")
        }
        let count = NSFetchRequest<NSNumber>(entityName: "Hero")
        count.resultType = .countResultType
        #expect(try stack.context.fetch(count) == [11])
    }

    @Sendable private static func sorting(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let pairs = [("b", 1), ("a", 2), ("b", 2), ("a", 1), ("c", 0)]
        for (name, strength) in pairs { stack.context.insert("Hero", ["name": name, "strength": strength]) }
        stack.context.insert("Hero", ["name": "a"])
        try stack.context.save()
        let again = try stack.reopened()
        let sorted = request()
        sorted.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: false), NSSortDescriptor(key: "strength", ascending: true),
        ]
        let found = try again.context.fetch(sorted).map {
            ($0.nameValue ?? "") + ($0.value(forKey: "strength").map { "\($0)" } ?? "-")
        }
        #expect(found == ["c0", "b1", "b2", "a-", "a1", "a2"])
    }

    @Sendable private static func unsavedRelationships(_ store: ContractStore) throws {
        let stack = try heroes(store)
        let hero = try stack.context.named("H3", "Hero")
        let power = stack.context.insert("Power", ["name": "P", "hero": hero])
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            #expect(try stack.context.all("Power", NSPredicate(format: "hero == %@", hero)) == [power])
            #expect(try stack.context.all("Power", NSPredicate(format: "hero.name == 'H3'")) == [power])
            #expect(try stack.context.all("Hero", NSPredicate(format: "powers.@count > 0")) == [hero])
        }
        power.setValue("pending", forKey: "name")
        #expect(try stack.context.all("Power", NSPredicate(format: "hero.name == 'H3'")) == [power])
    }
}
