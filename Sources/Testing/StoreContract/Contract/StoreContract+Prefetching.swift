import CoreDataGraph
import TestBasics
import Testing

extension StoreContract {
    static let prefetching = [
        Clause("FET-09: prefetched relationships hold what reading them one by one gives", prefetchedEqualsRead),
        Clause("FET-09: prefetching heeds what the context has not saved", prefetchingKeepsChanges),
        Clause("FET-09: what another context saves is seen after a refresh", prefetchedIsRefreshed),
    ]

    private static let seeds: [UInt64] = TestSeed.isExhaustive ? [1, 20_26, 7_777] : [20_26]

    @Sendable private static func prefetchedEqualsRead(_ store: ContractStore) throws {
        for seed in seeds {
            let stack = try store.open(CompanyModel.make(), named: "Company\(seed)")
            try CompanyModel.fill(stack.newContext(), employees: 60, seed: seed)
            for entity in stack.model.entities {
                let name = entity.name ?? ""
                let keys = entity.relationshipsByName.keys.sorted()
                let plain = stack.newContext()
                let expected = Dictionary(
                    uniqueKeysWithValues: try plain.all(name).map { ($0.objectID, outline($0, keys)) })
                let context = stack.newContext()
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.relationshipKeyPathsForPrefetching = keys
                let found = try context.fetch(request)
                #expect(found.count == expected.count, "seed \(seed), \(name)")
                #expect(found.allSatisfy { $0.isFault })
                for object in found {
                    #expect(outline(object, keys) == expected[object.objectID], "seed \(seed), \(object.objectID)")
                }
                withExtendedLifetime((plain, context)) {}
            }
        }
    }

    /// The related objects of an object as texts, keyed by relationship: in their order if it is ordered, otherwise
    /// sorted.
    private static func outline(_ object: NSManagedObject, _ keys: [String]) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let texts = object.related(key).map { "\($0.objectID) \($0.nameValue ?? "nil")" }
                let isOrdered = object.entity.relationshipsByName[key]?.isOrdered == true
                return (key, isOrdered ? texts : texts.sorted())
            })
    }

    @Sendable private static func prefetchingKeepsChanges(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let context = stack.context
        let heroes = ["Ann", "Bob"].map { context.insert("Hero", ["name": $0]) }
        let powers = ["Flight", "Sight"].map { context.insert("Power", ["name": $0, "hero": heroes[0]]) }
        try context.save()
        let other = stack.newContext()
        let ids = (heroes + powers).map(\.objectID)
        let objects = ids.map { other.object(with: $0) }
        objects[2].setValue(objects[1], forKey: "hero")
        other.insert("Power", ["name": "New", "hero": objects[0]])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.relationshipKeyPathsForPrefetching = ["powers.hero", "nemesis"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let found = try other.fetch(request)
        #expect(found == [objects[0], objects[1]])
        #expect(Set(found[0].related("powers").map(\.nameValue)) == ["Sight", "New"])
        #expect(found[1].related("powers").map(\.nameValue) == ["Flight"])
        try other.save()
        #expect(Set(found[0].related("powers").map(\.nameValue)) == ["Sight", "New"])
        let fresh = stack.newContext()
        #expect(try fresh.named("Bob", "Hero").related("powers").count == 1)
    }

    @Sendable private static func prefetchedIsRefreshed(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        let nemesis = stack.context.insert("Hero", ["name": "Bob", "hunter": hero])
        stack.context.insert("Power", ["name": "Flight", "hero": hero])
        try stack.context.save()
        let other = stack.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "name == 'Ann'")
        request.relationshipKeyPathsForPrefetching = ["powers", "nemesis"]
        let theirs = try #require(try other.fetch(request).first)
        hero.setValue(nil, forKey: "nemesis")
        stack.context.insert("Power", ["name": "Sight", "hero": hero])
        try stack.context.save()
        // The cached row is newer than the prefetched relationship; the values of the newer row apply.
        #expect(theirs.isFault && theirs.nameValue == "Ann" && theirs.value(forKey: "nemesis") == nil)
        other.refresh(theirs, mergeChanges: false)
        #expect(theirs.related("powers").count == 2)
        #expect(nemesis.value(forKey: "hunter") == nil)
    }
}
