import CoreData
import CoreDataTestSupport
import Testing

/// Random sequences of operations, each compared with a naive reference: dictionaries of values.
@Suite(.timeLimit(.minutes(10))) struct ModelBasedTests {
    @Test(arguments: StoreKind.all, 0..<200)
    func graphAgreesWithReference(kind: StoreKind, seed: Int) throws {
        var run = try RandomRun(kind, seed: UInt64(seed))
        for _ in 0..<25 {
            try run.step()
            let differences = try run.differences()
            #expect(differences.isEmpty, "seed \(seed): \(differences) after \(run.log.joined(separator: ", "))")
            guard differences.isEmpty else { return }
        }
    }
}

/// One sequence of operations on heroes and powers.
private struct RandomRun {
    /// What is known of an object: its name, its owner for a power, its teams for a hero.
    struct Record: Equatable {
        var name: String?
        var owner: Int?
        var teams: Set<Int> = []
    }

    struct State {
        var heroes: [Int: Record] = [:]
        var powers: [Int: Record] = [:]
        var teams: Set<Int> = []
    }

    let stack: Stack
    var random: SeededRandom
    var state = State()
    var saved = State()
    var log: [String] = []
    var next = 1

    init(_ kind: StoreKind, seed: UInt64) throws {
        stack = try HeroModel.stack(kind)
        random = SeededRandom(seed: seed)
    }

    mutating func step() throws {
        switch random.next(below: 12) {
        case 0, 1: insertHero()
        case 2, 3: insertPower()
        case 4: insertTeam()
        case 5: try rename()
        case 6, 7: try relate()
        case 8: try join()
        case 9: try delete()
        case 10: try save()
        default: try forget()
        }
    }

    private mutating func number(_ text: String) -> Int {
        next += 1
        log.append("\(text) \(next)")
        return next
    }

    private mutating func insertHero() {
        let number = number("hero")
        stack.context.insert("Hero", ["strength": number, "name": "n\(number)"])
        state.heroes[number] = Record(name: "n\(number)")
    }

    private mutating func insertPower() {
        let number = number("power")
        stack.context.insert("Power", ["level": number])
        state.powers[number] = Record()
    }

    private mutating func insertTeam() {
        let number = number("team")
        stack.context.insert("Team", ["name": "\(number)"])
        state.teams.insert(number)
    }

    private mutating func pick(_ keys: some Sequence<Int>) -> Int? {
        let sorted = keys.sorted()
        return sorted.isEmpty ? nil : sorted[random.next(below: sorted.count)]
    }

    private mutating func rename() throws {
        guard let number = pick(state.heroes.keys) else { return }
        let name = "r\(random.next(below: 1_000))"
        log.append("rename \(number) \(name)")
        try object("Hero", number).setValue(name, forKey: "name")
        state.heroes[number]?.name = name
    }

    private mutating func relate() throws {
        guard let power = pick(state.powers.keys) else { return }
        let hero = random.next(below: 4) == 0 ? nil : pick(state.heroes.keys)
        log.append("relate \(power) to \(hero ?? 0)")
        let target = try hero.map { try object("Hero", $0) }
        state.powers[power]?.owner = hero
        guard random.next(below: 2) == 0, let target else {
            return try object("Power", power).setValue(target, forKey: "hero")
        }
        let powers = NSMutableSet(set: target.value(forKey: "powers") as? NSSet ?? NSSet())
        powers.add(try object("Power", power))
        target.setValue(powers, forKey: "powers")
    }

    private mutating func join() throws {
        guard let team = pick(state.teams), let hero = pick(state.heroes.keys) else { return }
        let isMember = state.heroes[hero]?.teams.contains(team) == true
        log.append("\(isMember ? "leave" : "join") \(hero) \(team)")
        let fromTeam = random.next(below: 2) == 0
        let (owner, key, member) =
            fromTeam
            ? (try object("Team", team), "members", try object("Hero", hero))
            : (try object("Hero", hero), "teams", try object("Team", team))
        let members = NSMutableSet(set: owner.value(forKey: key) as? NSSet ?? NSSet())
        if isMember { members.remove(member) } else { members.add(member) }
        owner.setValue(members, forKey: key)
        if isMember { state.heroes[hero]?.teams.remove(team) } else { state.heroes[hero]?.teams.insert(team) }
    }

    private mutating func delete() throws {
        switch random.next(below: 3) {
        case 0:
            guard let number = pick(state.heroes.keys) else { return }
            log.append("delete hero \(number)")
            stack.context.delete(try object("Hero", number))
            state.heroes[number] = nil
            state.powers = state.powers.filter { $0.value.owner != number }
        case 1:
            guard let number = pick(state.powers.keys) else { return }
            log.append("delete power \(number)")
            stack.context.delete(try object("Power", number))
            state.powers[number] = nil
        default:
            guard let number = pick(state.teams) else { return }
            log.append("delete team \(number)")
            stack.context.delete(try object("Team", number))
            state.teams.remove(number)
            for hero in state.heroes.keys { state.heroes[hero]?.teams.remove(number) }
        }
        stack.context.processPendingChanges()
    }

    private mutating func save() throws {
        log.append("save")
        try stack.context.save()
        saved = state
        let other = try stack.kind.capabilities.contains(.shared) ? stack.another() : nil
        let read = try Self.read(other?.context ?? stack.newContext())
        if read.heroes != state.heroes || read.powers != state.powers || read.teams != state.teams {
            log.append("(the store differs)")
            state.heroes[-1] = Record(name: "store differs")
        }
    }

    private mutating func forget() throws {
        switch random.next(below: 4) {
        case 0:
            log.append("rollback")
            stack.context.rollback()
            state = saved
        case 1:
            log.append("reset")
            stack.context.reset()
            state = saved
        case 2:
            log.append("refresh all")
            stack.context.refreshAllObjects()
        default:
            try save()
            log.append("refault")
            for object in stack.context.registeredObjects { stack.context.refresh(object, mergeChanges: false) }
        }
    }

    private func object(_ entity: String, _ number: Int) throws -> NSManagedObject {
        let key = entity == "Hero" ? "strength" : entity == "Power" ? "level" : "name"
        let predicate =
            entity == "Team"
            ? NSPredicate(format: "name == %@", "\(number)") : NSPredicate(format: "%K == %@", key, number)
        let found = try stack.context.all(entity, predicate)
        return try #require(found.count == 1 ? found[0] : nil, "\(entity) \(number): \(found.count) found; \(log)")
    }

    /// How what the context shows differs from the reference.
    func differences() throws -> [String] {
        let read = try Self.read(stack.context)
        var differences: [String] = []
        if read.heroes != state.heroes { differences.append("heroes \(read.heroes) for \(state.heroes)") }
        if read.powers != state.powers { differences.append("powers \(read.powers) for \(state.powers)") }
        if read.teams != state.teams { differences.append("teams \(read.teams) for \(state.teams)") }
        return differences
    }

    /// What a context shows, each relationship read from both sides.
    private static func read(_ context: NSManagedObjectContext) throws -> State {
        var state = State()
        for object in try context.all("Hero") {
            let teams = (object.value(forKey: "teams") as? NSSet)?.allObjects ?? []
            state.heroes[integer(object, "strength")] = Record(
                name: object.value(forKey: "name") as? String,
                teams: Set(teams.compactMap { ($0 as? NSManagedObject).flatMap(team) }))
        }
        for object in try context.all("Power") {
            let owner = object.value(forKey: "hero") as? NSManagedObject
            state.powers[integer(object, "level")] = Record(owner: owner.map { integer($0, "strength") })
            let back = owner?.value(forKey: "powers") as? NSSet
            if owner != nil, back?.contains(object) != true { state.powers[-2] = Record(name: "one side only") }
        }
        for object in try context.all("Hero") {
            for power in (object.value(forKey: "powers") as? NSSet)?.allObjects ?? [] {
                let power = power as? NSManagedObject
                if power?.value(forKey: "hero") as? NSManagedObject !== object {
                    state.powers[-3] = Record(name: "other side only")
                }
            }
        }
        for object in try context.all("Team") {
            if let number = team(object) { state.teams.insert(number) }
            for member in (object.value(forKey: "members") as? NSSet)?.allObjects ?? [] {
                let teams = (member as? NSManagedObject)?.value(forKey: "teams") as? NSSet
                if teams?.contains(object) != true { state.teams.insert(-1) }
            }
        }
        return state
    }

    private static func integer(_ object: NSManagedObject, _ key: String) -> Int {
        object.value(forKey: key) as? Int ?? -9
    }

    private static func team(_ object: NSManagedObject) -> Int? {
        (object.value(forKey: "name") as? String).flatMap { Int($0) }
    }
}
