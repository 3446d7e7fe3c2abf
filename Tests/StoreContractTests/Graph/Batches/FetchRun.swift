import CoreData
import StoreContract
import TestBasics

/// What a hero is to the reference.
struct PlainHero: Equatable {
    let name: String
    var strength: Int
    let isSuper: Bool
    let store: Int
}

/// Stores with heroes, unsaved changes in a context and perhaps its child, and requests of that.
struct FetchRun {
    private let shelves: Shelves
    private let parent: NSManagedObjectContext
    /// The context that fetches: the one with the stores, or its child.
    private let context: NSManagedObjectContext
    private var random: SeededRandom
    private var heroes: [String: PlainHero] = [:]
    private var made = 0

    init(_ kind: StoreKind, _ seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        shelves = try Shelves(kind, stores: 1 + random.next(below: 3))
        parent = shelves.stack.context
        context = random.next(below: 3) == 0 ? shelves.context(isChild: true) : parent
        for _ in 0..<random.next(below: 60) { insert(parent) }
        try parent.save()
    }

    /// Changes something, and fetches; what was wrong, if anything was.
    ///
    /// Both contexts are used on their queues, where what a parent tells its child arrives too.
    mutating func step() throws -> String? {
        try context.performAndWait { try parent.performAndWait { try takeStep() } }
    }

    private mutating func takeStep() throws -> String? {
        for _ in 0..<random.next(below: 4) { try change() }
        if random.next(below: 8) == 0 {
            try context.save()
            if random.next(below: 2) == 0 { try parent.save() }
        }
        if random.next(below: 5) == 0, !context.hasChanges, !parent.hasChanges { context.reset() }
        return try fetch()
    }

    // MARK: Changes

    private mutating func change() throws {
        // What the child has changed is not changed in the parent too: the child would not see that.
        let place = context.hasChanges || context !== parent && random.next(below: 2) == 0 ? context : parent
        let all = try place.all("Hero", sortedBy: "name")
        switch random.next(below: 4) {
        case 0: insert(place)
        case 1 where !all.isEmpty:
            let gone = all[random.next(below: all.count)]
            heroes[gone.value(forKey: "name") as? String ?? ""] = nil
            place.delete(gone)
        case _ where !all.isEmpty:
            let changed = all[random.next(below: all.count)]
            let strength = random.next(below: 12)
            changed.setValue(strength, forKey: "strength")
            heroes[changed.value(forKey: "name") as? String ?? ""]?.strength = strength
        default: return
        }
    }

    private mutating func insert(_ place: NSManagedObjectContext) {
        made += 1
        let hero = PlainHero(
            name: Shelves.name(made * 7_919 % 50_000), strength: random.next(below: 12),
            isSuper: random.next(below: 3) == 0, store: random.next(below: shelves.stores.count))
        let object = place.insert(
            hero.isSuper ? "SuperHero" : "Hero", ["name": hero.name, "strength": hero.strength])
        place.assign(object, to: shelves.stores[hero.store])
        heroes[hero.name] = hero
    }

    // MARK: Requests

    private struct Question {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        var isWanted: [(PlainHero) -> Bool] = []
        var isBefore: ((PlainHero, PlainHero) -> Bool)?
    }

    private mutating func question() -> Question {
        var question = Question()
        let request = question.request
        let bound = random.next(below: 12)
        switch random.next(below: 4) {
        case 0:
            request.predicate = NSPredicate(format: "strength > %d", bound)
            question.isWanted.append { $0.strength > bound }
        case 1:
            request.predicate = NSPredicate(format: "strength == %d OR name ENDSWITH '3'", bound)
            question.isWanted.append { $0.strength == bound || $0.name.hasSuffix("3") }
        default: break
        }
        let (ascending, named) = (random.next(below: 2) == 0, random.next(below: 2) == 0)
        if random.next(below: 4) > 0 {
            request.sortDescriptors = [
                NSSortDescriptor(key: "strength", ascending: ascending),
                NSSortDescriptor(key: "name", ascending: named),
            ]
            question.isBefore = { left, right in
                if left.strength != right.strength { return (left.strength < right.strength) == ascending }
                return (left.name < right.name) == named
            }
            if random.next(below: 2) == 0 { request.fetchLimit = random.next(below: 30) }
            if random.next(below: 2) == 0 { request.fetchOffset = random.next(below: 40) }
        }
        if random.next(below: 4) == 0 {
            request.includesSubentities = false
            question.isWanted.append { !$0.isSuper }
        }
        if random.next(below: 3) == 0 {
            let numbers = Set((0..<2).map { _ in random.next(below: shelves.stores.count) })
            request.affectedStores = numbers.map { shelves.stores[$0] }
            question.isWanted.append { numbers.contains($0.store) }
        }
        request.returnsObjectsAsFaults = random.next(below: 4) > 0
        request.includesPropertyValues = random.next(below: 4) > 0
        request.fetchBatchSize = random.next(below: 2) * (1 + random.next(below: 9))
        return question
    }

    private mutating func fetch() throws -> String? {
        let question = question()
        let request = question.request
        var expected = heroes.values.filter { hero in question.isWanted.allSatisfy { $0(hero) } }.map { $0 }
        if let isBefore = question.isBefore {
            expected.sort(by: isBefore)
            expected = Array(expected.dropFirst(request.fetchOffset))
            if request.fetchLimit > 0 { expected = Array(expected.prefix(request.fetchLimit)) }
        }
        let names = expected.map(\.name)
        var streamed: [NSManagedObject] = []
        let counted = try context.count(for: request)
        if counted != names.count { return "count gave \(counted), not \(names.count), of \(request.text)" }
        let identifiers = try context.performAndWait { try request.identifiers().execute() }
        try context.objects(of: request, batchSize: 1 + random.next(below: 20)).enumerateObjects { streamed.append($0) }
        let forms: [(String, [NSManagedObject])] = [
            ("stream", streamed), ("lazy", Array(try context.fetchLazily(request))),
            ("fetch", try context.fetch(request)), ("identifiers", identifiers.map(context.object(with:))),
        ]
        for (form, objects) in forms {
            let found = objects.map { $0.value(forKey: "name") as? String ?? "?" }
            let isRight = question.isBefore == nil ? found.sorted() == names.sorted() : found == names
            guard isRight else { return "\(form) gave \(found), not \(names), of \(request.text)" }
        }
        return nil
    }
}

extension NSFetchRequest<NSManagedObject> {
    fileprivate var text: String {
        "limit \(fetchLimit), offset \(fetchOffset), batch \(fetchBatchSize), sorts \(sortDescriptors?.count ?? 0), "
            + "stores \(affectedStores?.count ?? -1), subentities \(includesSubentities), "
            + "predicate \(predicate.map { "\($0)" } ?? "none")"
    }

    fileprivate func identifiers() -> NSFetchRequest<NSManagedObjectID> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
        request.resultType = .managedObjectIDResultType
        request.predicate = predicate
        request.sortDescriptors = sortDescriptors
        request.fetchLimit = fetchLimit
        request.fetchOffset = fetchOffset
        request.affectedStores = affectedStores
        request.includesSubentities = includesSubentities
        return request
    }
}
