import CoreData
import StoreContract
import TestBasics
import Testing

/// Changes that come from elsewhere than from setters.
@Suite struct ObservedReplacementTests {
    /// A saved hero with a power in one context, and the same in another.
    private struct Pair {
        let stack: Stack
        let other: NSManagedObjectContext
        let mine: Hero
        let theirs: Hero

        init(_ kind: StoreKind, _ name: String = "Ann") throws {
            stack = try HeroModel.stack(kind)
            mine = Hero(context: stack.context)
            mine.name = name
            mine.strength = 1
            let power = Power(context: stack.context)
            power.name = "Flight"
            power.hero = mine
            try stack.context.save()
            other = stack.newContext()
            theirs = try #require(other.object(with: mine.objectID) as? Hero)
        }
    }

    @Test("a refresh that merges notifies of differences alone (KVC-11)", arguments: StoreKind.all)
    func refreshThatMerges(kind: StoreKind) throws {
        let pair = try Pair(kind)
        _ = pair.mine.powers
        let (name, strength, powers) = (
            pair.mine.listen("name", [.old, .new, .prior]), pair.mine.listen("strength"), pair.mine.listen("powers")
        )
        pair.theirs.name = "Bea"
        let power = Power(context: pair.other)
        power.name = "Speed"
        power.hero = pair.theirs
        try pair.other.save()
        #expect(name.heard.isEmpty)
        pair.stack.context.refresh(pair.mine, mergeChanges: true)
        #expect(name.heard == ["name Ann>nil prior", "name Ann>Bea"])
        #expect(strength.heard.isEmpty)
        #expect(powers.heard == ["powers {Flight}>{Flight,Speed}"])
        pair.stack.context.refresh(pair.mine, mergeChanges: true)
        #expect(name.heard.count == 2 && powers.heard.count == 1)
    }

    @Test(
        "an observed object that becomes a fault notifies of the store's present values (KVC-11)",
        arguments: StoreKind.all)
    func refreshToFault(kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (name, strength) = (pair.mine.listen("name"), pair.mine.listen("strength"))
        pair.theirs.name = "Bea"
        try pair.other.save()
        pair.mine.strength = 9
        pair.stack.context.refresh(pair.mine, mergeChanges: false)
        #expect(name.heard == ["name Ann>Bea"])
        #expect(strength.heard == ["strength 1>9", "strength 9>1"])
        pair.mine.name = "Cid"
        #expect(name.heard.last == "name Bea>Cid")
    }

    @Test("an object without observers stays a fault after a refresh (KVC-11)", arguments: StoreKind.all)
    func unobservedStaysFault(kind: StoreKind) throws {
        let pair = try Pair(kind)
        let token = pair.mine.observe(\.name) { _, _ in }
        token.invalidate()
        pair.stack.context.refresh(pair.mine, mergeChanges: false)
        #expect(pair.mine.isFault && pair.stack.context.observedObjectCount == 0)
    }

    @Test("a rollback notifies of each value that it reverts (KVC-11)", arguments: StoreKind.all)
    func rollbackNotifiesOfEachValueThatItReverts(kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (name, strength, powers) = (
            pair.mine.listen("name"), pair.mine.listen("strength"), pair.mine.listen("powers")
        )
        pair.mine.name = "Bea"
        let power = Power(context: pair.stack.context)
        power.name = "Speed"
        power.hero = pair.mine
        _ = pair.mine.powers
        pair.stack.context.rollback()
        #expect(name.heard == ["name Ann>Bea", "name Bea>Ann"])
        #expect(strength.heard.isEmpty)
        #expect(powers.heard == ["powers nil>{Speed}", "powers {Flight,Speed}>{Flight}"])
    }

    @Test("a fetch that refreshes notifies, a save does not (KVC-11)", arguments: StoreKind.all)
    func refreshingFetch(kind: StoreKind) throws {
        let pair = try Pair(kind)
        let name = pair.mine.listen("name")
        pair.mine.name = "Bea"
        try pair.stack.context.save()
        #expect(name.heard == ["name Ann>Bea"])
        _ = pair.theirs.name
        pair.theirs.name = "Cid"
        try pair.other.save()
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        _ = try pair.stack.context.fetch(request)
        #expect(name.heard.count == 1)
        request.shouldRefreshRefetchedObjects = true
        _ = try pair.stack.context.fetch(request)
        #expect(name.heard == ["name Ann>Bea", "name Bea>Cid"])
    }

    @Test("an object whose record was deleted is notified as nil (KVC-11)", arguments: StoreKind.all)
    func recordIsGone(kind: StoreKind) throws {
        let pair = try Pair(kind)
        pair.stack.context.dataErrorHandler = { _, _ in }
        let name = pair.mine.listen("name")
        pair.other.delete(pair.theirs)
        try pair.other.save()
        pair.stack.context.refresh(pair.mine, mergeChanges: false)
        #expect(name.heard == ["name Ann>nil"])
    }

    @Test(
        "10,000 members one by one are notified in time that grows with their number (KVC-11)", arguments: StoreKind.all
    )
    func manyMembers(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let hero = Hero(context: stack.context)
        var members: Set<NSManagedObject> = []
        let token = hero.observe(\.powers, options: [.old, .new]) { _, change in
            members.formUnion(change.newValue ?? [])
            members.subtract(change.oldValue ?? [])
        }
        let powers = (0..<10_000).map { _ in Power(context: stack.context) }
        for power in powers { power.hero = hero }
        #expect(members.count == 10_000)
        for power in powers.dropFirst() { power.hero = nil }
        #expect(members == [powers[0]])
        withExtendedLifetime(token) {}
    }

    @Test(
        "the changes that observers received add up to the object, whatever happened to it (KVC-11)",
        arguments: StoreKind.all)
    func observedChangesAddUpToObject(kind: StoreKind) throws {
        print("KVC-11: CORE_DATA_SEED=\(TestSeed.first), 8 series of 150 steps")
        for series in 0..<8 { try Mirror(kind, seed: TestSeed.first &+ UInt64(series)).run(steps: 150) }
    }
}

/// Copies of a hero's values that are kept by its observers alone, beside random changes of all sorts.
private final class Mirror {
    private let seed: UInt64
    private var random: SeededRandom
    private let stack: Stack
    private let other: NSManagedObjectContext
    private let hero: Hero
    private var powers: [Power] = []
    private var name: String?
    private var strength: Int16 = 0
    private var members: Set<Power> = []
    private var tokens: [NSKeyValueObservation] = []

    init(_ kind: StoreKind, seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        stack = try HeroModel.stack(kind)
        other = stack.newContext()
        hero = Hero(context: stack.context)
        for index in 0..<6 {
            let power = Power(context: stack.context)
            power.name = "\(index)"
            powers.append(power)
        }
        try stack.context.save()
        _ = hero.powers
        observe()
    }

    private func observe() {
        tokens = [
            hero.observe(\.name, options: [.initial, .old, .new]) { [unowned self] _, change in
                if let old = change.oldValue { #expect(old == name, "seed \(seed)") }
                name = change.newValue ?? nil
            },
            hero.observe(\.strength, options: [.initial, .old, .new]) { [unowned self] _, change in
                if let old = change.oldValue { #expect(old == strength, "seed \(seed)") }
                strength = change.newValue ?? 0
            },
            hero.observe(\.powers, options: [.initial, .old, .new]) { [unowned self] _, change in
                if change.kind == .setting {
                    members = change.newValue ?? []
                } else {
                    members.subtract(change.oldValue ?? [])
                    members.formUnion(change.newValue ?? [])
                }
            },
        ]
    }

    func run(steps: Int) throws {
        for step in 0..<steps {
            let action = try act()
            #expect(name == hero.name, "seed \(seed) step \(step) \(action)")
            #expect(strength == hero.strength, "seed \(seed) step \(step) \(action)")
            #expect(members == hero.powers, "seed \(seed) step \(step) \(action)")
        }
    }

    private func act() throws -> String {
        let power = powers[Int.random(in: 0..<powers.count, using: &random)]
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
            hero.name = String(Int.random(in: 0..<5, using: &random))
            return "name"
        case 2:
            hero.strength = Int16.random(in: 0..<5, using: &random)
            return "strength"
        case 3, 4:
            power.hero = hero
            return "add"
        case 5:
            power.hero = nil
            return "remove"
        case 6:
            hero.powers = Set(powers.filter { _ in Bool.random(using: &random) })
            return "assign"
        case 7:
            stack.context.rollback()
            return "rollback"
        case 8:
            try stack.context.save()
            return "save"
        case 9:
            try stack.context.save()
            try changeElsewhere()
            stack.context.refresh(hero, mergeChanges: true)
            return "merge"
        case 10:
            try stack.context.save()
            try changeElsewhere()
            for object in powers { stack.context.refresh(object, mergeChanges: false) }
            stack.context.refresh(hero, mergeChanges: false)
            return "refresh"
        default:
            _ = (hero.name, power.hero)
            return "read"
        }
    }

    private func changeElsewhere() throws {
        other.reset()
        let theirs = try #require(other.object(with: hero.objectID) as? Hero)
        theirs.name = String(Int.random(in: 0..<5, using: &random))
        theirs.strength = Int16.random(in: 0..<5, using: &random)
        try other.save()
    }
}
