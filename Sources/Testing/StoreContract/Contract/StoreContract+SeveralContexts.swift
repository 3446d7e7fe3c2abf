import CoreDataGraph
import Testing

extension StoreContract {
    static let severalContexts = [
        Clause("CTX-06: other contexts keep what they loaded until refreshed", keepWhatTheyLoaded),
        Clause("CTX-06: what is not saved is in its own context only", unsavedIsTheirOwn),
        Clause("CTX-28: contexts that take turns lose nothing", takingTurns),
        Clause("CTX-28: eight contexts on threads of their own lose nothing", onThreads),
        Clause("OBJ-16: coordinators of one store see each other's saves", needs: [.durable, .shared], coordinators),
        Clause("STO-01: a store outlives its coordinator, again and again", needs: .durable, outlives),
    ]

    @Sendable private static func keepWhatTheyLoaded(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let other = stack.newContext()
        let theirs = try other.named("Ann", "Hero")
        #expect(theirs.nameValue == "Ann")
        hero.setValue("Bob", forKey: "name")
        #expect(try other.texts("Hero") == ["Ann"])
        try stack.context.save()
        #expect(theirs.nameValue == "Ann")
        #expect(try other.all("Hero") == [theirs] && theirs.nameValue == "Ann")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.shouldRefreshRefetchedObjects = true
        _ = try other.fetch(request)
        #expect(theirs.nameValue == "Bob")
        #expect(try stack.newContext().texts("Hero") == ["Bob"])
    }

    @Sendable private static func unsavedIsTheirOwn(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let other = stack.newContext()
        stack.context.insert("Hero", ["name": "mine"])
        other.insert("Hero", ["name": "theirs"])
        #expect(try stack.context.texts("Hero") == ["mine"] && other.texts("Hero") == ["theirs"])
        try other.save()
        #expect(try stack.context.texts("Hero") == ["mine", "theirs"])
        stack.context.reset()
        #expect(try stack.context.texts("Hero") == ["theirs"])
    }

    @Sendable private static func takingTurns(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let contexts = (0..<4).map { _ in stack.newContext() }
        for round in 0..<10 {
            for (number, context) in contexts.enumerated() {
                let former = try context.all("Hero", NSPredicate(format: "name == 'H\(round - 1).\(number)'")).first
                former?.setValue(round, forKey: "strength")
                context.insert("Hero", ["name": "H\(round).\(number)", "nemesis": former])
                try context.save()
            }
        }
        let heroes = try stack.reopened().context.all("Hero")
        #expect(heroes.count == 40 && Set(heroes.map(\.objectID)).count == 40)
        #expect(heroes.filter { $0.value(forKey: "nemesis") != nil }.count == 36)
        #expect(heroes.filter { $0.value(forKey: "strength") != nil }.count == 36)
    }

    @Sendable private static func onThreads(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let contexts = (0..<8).map { _ in stack.newContext() }
        let group = DispatchGroup()
        for (number, context) in contexts.enumerated() {
            group.enter()
            context.perform {
                for place in 0..<100 {
                    context.insert("Power", ["name": "\(number)", "level": place])
                    // If a save fails, its objects are missing, and the count below does not match.
                    if place % 20 == 19 { try? context.save() }
                }
                group.leave()
            }
        }
        #expect(group.wait(timeout: .now() + 60) == .success)
        let powers = try stack.reopened().context.all("Power")
        #expect(powers.count == 800 && Set(powers.map(\.objectID)).count == 800)
        let counts = Dictionary(grouping: powers) { $0.nameValue }.mapValues(\.count)
        #expect(counts.count == 8 && counts.values.allSatisfy { $0 == 100 })
    }

    @Sendable private static func coordinators(_ store: ContractStore) throws {
        let stack = try store.open(HeroModel.make())
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        let other = try stack.another()
        let theirs = try other.context.named("Ann", "Hero")
        theirs.setValue("Bob", forKey: "name")
        other.context.insert("Power", ["name": "P", "hero": theirs])
        try other.context.save()
        #expect(try stack.context.texts("Power") == ["P"])
        stack.context.refresh(hero, mergeChanges: false)
        #expect(hero.nameValue == "Bob" && hero.related("powers").count == 1)
        stack.context.insert("Hero", ["name": "Cid"])
        try stack.context.save()
        #expect(try other.context.texts("Hero") == ["Bob", "Cid"])
    }

    @Sendable private static func outlives(_ store: ContractStore) throws {
        var stack = try store.open(HeroModel.make())
        for round in 0..<5 {
            #expect(try stack.context.all("Hero").count == round)
            stack.context.insert("Hero", ["name": "H\(round)"])
            try stack.context.save()
            stack = try stack.reopened()
        }
        #expect(try stack.context.texts("Hero") == (0..<5).map { "H\($0)" })
    }
}
