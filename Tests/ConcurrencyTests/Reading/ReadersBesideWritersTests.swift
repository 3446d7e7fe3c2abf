import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Threads that write records of their own and read those of all, beside a reference of what each has saved.
@Suite(.timeLimit(.minutes(20))) struct ReadersBesideWritersTests {
    private static let rounds = TestSeed.isExhaustive ? 600 : 25
    private static let threads = 6

    @Test(
        "readers beside writers: who saved sees exactly that, and what others saved never goes back (CTX-28)",
        arguments: [1, 2, 4], TestSeed.sequences(2))
    func readersBesideWritersWhoSavedSeesExactly(readers: Int, seed: UInt64) throws {
        let scene = try ReadingScene([NSPersistentStoreConnectionPoolMaxSizeKey: readers], heroes: 0)
        // Half of the threads have a coordinator of their own, as another process would.
        let other = NSPersistentStoreCoordinator(managedObjectModel: scene.coordinator.managedObjectModel)
        try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: scene.url,
            options: [NSPersistentStoreConnectionPoolMaxSizeKey: readers])
        try run(seed, in: scene) { $0 % 3 == 2 ? other : scene.coordinator }
        #expect(try Connection.open(scene.url.path).integrityFaults() == [])
    }

    @Test(
        "the same of stores whose records are in memory (CTX-28)",
        arguments: [NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType], TestSeed.sequences(2))
    func inMemory(kind: String, seed: UInt64) throws {
        let scene = try ReadingScene(of: kind, heroes: 0)
        try scene.meetAtStore()
        try run(seed, in: scene) { _ in scene.coordinator }
    }

    private func run(
        _ seed: UInt64, in scene: ReadingScene, coordinator: (Int) -> NSPersistentStoreCoordinator
    ) throws {
        let errors = Notes<String>()
        let actors = (0..<Self.threads).map { number in
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator(number)
            context.automaticallyMergesChangesFromParent = number % 2 == 0
            return Transfer(Actor(number, context, seed: seed &* 100 &+ UInt64(number)))
        }
        onThreads(Self.threads) { number in
            for round in 0..<Self.rounds {
                do {
                    try actors[number].value.act()
                } catch {
                    return errors.add("seed \(seed), thread \(number), round \(round): \(error)")
                }
            }
        }
        #expect(errors.all == [])
        let expected = actors.reduce(into: [:]) { $0.merge($1.value.saved) { first, _ in first } }
        let context = scene.newContext()
        let stored = try context.performAndWait { try Actor.levels(context.all("Power")) }
        #expect(stored == expected)
    }
}

/// One thread's context, the records that it alone writes, and what it has seen of the others'.
private final class Actor {
    /// What the records of this thread have in the store.
    private(set) var saved: [String: Int] = [:]
    private let number: Int
    private let context: NSManagedObjectContext
    private var random: SeededRandom
    private var made = 0
    private var seen: [String: Int] = [:]
    private var gone: Set<String> = []

    struct Mistake: Error {
        let text: String
    }

    init(_ number: Int, _ context: NSManagedObjectContext, seed: UInt64) {
        self.number = number
        self.context = context
        random = SeededRandom(seed: seed)
    }

    /// Name and level of records; those that are gone have neither.
    static func levels(_ powers: [NSManagedObject]) -> [String: Int] {
        var levels: [String: Int] = [:]
        for power in powers {
            guard let name = power.value(forKey: "name") as? String else { continue }
            levels[name] = power.value(forKey: "level") as? Int
        }
        return levels
    }

    private var ownCondition: NSPredicate { NSPredicate(format: "name BEGINSWITH %@", "\(number)-") }

    func act() throws {
        try context.performAndWait {
            try write()
            if random.next(below: 3) == 0 { context.reset() }
            try look()
            if random.next(below: 2) == 0 { context.refreshAllObjects() }
            try watch()
        }
    }

    private func write() throws {
        var next = saved
        let own = try context.all("Power", ownCondition)
        for power in own.shuffled(using: &random).prefix(4) {
            guard let name = power.value(forKey: "name") as? String, let level = saved[name] else {
                throw Mistake(text: "a record of one's own is not known")
            }
            if random.next(below: 4) == 0 {
                context.delete(power)
                next[name] = nil
            } else {
                power.setValue(level + 1, forKey: "level")
                next[name] = level + 1
            }
        }
        for _ in 0..<random.next(below: 4) {
            made += 1
            context.insert("Power", ["name": "\(number)-\(made)", "level": 1])
            next["\(number)-\(made)"] = 1
        }
        try context.save()
        saved = next
    }

    /// What this context saved, it finds, however it asks.
    private func look() throws {
        let found: [String: Int]
        switch random.next(below: 5) {
        case 0:
            let request = NSFetchRequest<NSDictionary>(entityName: "Power")
            request.predicate = ownCondition
            request.resultType = .dictionaryResultType
            found = try context.fetch(request).reduce(into: [:]) {
                $0[$1["name"] as? String ?? ""] = $1["level"] as? Int
            }
        case 1:
            var walked: [NSManagedObject] = []
            let request = NSFetchRequest<NSManagedObject>(entityName: "Power")
            request.predicate = ownCondition
            try context.objects(of: request, batchSize: 2).enumerateObjects { walked.append($0) }
            found = Self.levels(walked)
        case 2:
            let request = NSFetchRequest<NSManagedObject>(entityName: "Power")
            request.predicate = ownCondition
            request.relationshipKeyPathsForPrefetching = ["hero"]
            found = Self.levels(try context.fetch(request))
        case 3:
            let request = NSFetchRequest<NSManagedObject>(entityName: "Power")
            request.predicate = ownCondition
            guard try context.count(for: request) == saved.count else { throw Mistake(text: "another count") }
            found = saved
        default: found = Self.levels(try context.all("Power", ownCondition))
        }
        guard found == saved else { throw Mistake(text: "\(found) instead of \(saved)") }
    }

    /// What was seen of the others' records never goes back, and what is gone does not return.
    private func watch() throws {
        let levels = Self.levels(try context.all("Power"))
        for (name, level) in levels where saved[name] == nil {
            guard !gone.contains(name) else { throw Mistake(text: "\(name) has returned") }
            guard level >= seen[name, default: 0] else {
                throw Mistake(text: "\(name) went back from \(seen[name, default: 0]) to \(level)")
            }
        }
        // A record whose values could not be read any more is gone by the next time.
        gone.formUnion(seen.keys.filter { levels[$0] == nil })
        seen = levels.filter { saved[$0.key] == nil }
    }
}
