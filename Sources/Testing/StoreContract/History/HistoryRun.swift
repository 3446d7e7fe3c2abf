import CoreDataGraph
import TestBasics

/// Random changes of people, teams, clubs and tasks, the same for each stack with the same seed.
package struct HistoryRun {
    private let stack: Stack
    private var random: SeededRandom
    private var objects: [String: [NSManagedObject]] = [:]
    private var context: NSManagedObjectContext { stack.context }

    package init(_ stack: Stack, seed: UInt64) {
        self.stack = stack
        random = SeededRandom(seed: seed)
    }

    private mutating func pick(_ entity: String) -> NSManagedObject? {
        let all = objects[entity]?.filter { !$0.isDeleted && $0.managedObjectContext != nil } ?? []
        return all.isEmpty ? nil : all[random.next(below: all.count)]
    }

    private mutating func several(_ entity: String) -> [NSManagedObject] {
        var picked: [NSManagedObject] = []
        for _ in 0..<random.next(below: 4) {
            if let object = pick(entity), !picked.contains(object) { picked.append(object) }
        }
        return picked
    }

    private mutating func step() {
        let people = "Person"
        switch random.next(below: 11) {
        case 0, 1:
            let entity = random.next(below: 3) == 0 ? "Pilot" : people
            objects[people, default: []].append(
                context.insert(entity, ["name": "p\(random.next(below: 5))", "team": pick("Team")]))
        case 2: objects["Team", default: []].append(context.insert("Team", ["name": "t"]))
        case 3: objects["Club", default: []].append(context.insert("Club", ["name": "c"]))
        case 4: objects["Task", default: []].append(context.insert("Task", ["title": "a", "person": pick(people)]))
        case 5: pick(people)?.setValue(random.next(below: 3), forKey: "age")
        case 6: pick(people)?.setValue(pick("Team"), forKey: "team")
        case 7:
            let members = several(people)
            pick("Club")?.setValue(NSOrderedSet(array: members), forKey: "members")
        case 8:
            let guests = several(people)
            pick("Club")?.setValue(NSSet(array: guests), forKey: "guests")
        case 9:
            let peers = several(people)
            pick(people)?.setValue(NSSet(array: peers), forKey: "peers")
        default:
            let entity = [people, people, "Team", "Club", "Task"][random.next(below: 5)]
            if let object = pick(entity) { context.delete(object) }
        }
    }

    /// Makes and saves random changes; returns one line for each save that lists its changes by entity, key and
    /// properties.
    package mutating func run(saves: Int) throws -> [String] {
        for _ in 0..<saves {
            for _ in 0...random.next(below: 4) { step() }
            try context.save()
        }
        return try context.transactions().map { transaction in
            (transaction.changes ?? []).map { change in
                let names = change.tombstone.map { " " + $0.keys.map { "\($0)" }.sorted().joined(separator: "+") }
                return "\(change.line)\(names ?? "")"
            }.sorted().joined(separator: ", ")
        }
    }
}
