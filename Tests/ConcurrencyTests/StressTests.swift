import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Many contexts at one store. `make soak` asks for the long form.
@Suite(.timeLimit(.minutes(20))) struct StressTests {
    private static let saves = TestSeed.isExhaustive ? 1_000 : 40
    private static let queues = 8

    @Test(
        "eight threads insert 1,000 objects each on one coordinator; the total is exact (CTX-28)",
        arguments: StoreKind.all)
    func eightThreadsInsert1000ObjectsEachOnOneCoordinator(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let errors = Notes<String>()
        let contexts = (0..<Self.queues).map { _ in stack.newContext() }
        onThreads(Self.queues) { thread in
            let context = contexts[thread]
            do {
                try context.performAndWait {
                    for number in 0..<1_000 {
                        context.insert("Hero", ["name": "\(thread)", "strength": number])
                        if number % 100 == 99 { try context.save() }
                    }
                }
            } catch { errors.add("\(error)") }
        }
        #expect(errors.all == [])
        let heroes = try stack.reopened().context.all("Hero")
        #expect(heroes.count == 8_000)
        let numbers = Dictionary(grouping: heroes) { $0.value(forKey: "name") as? String }
        #expect(numbers.count == 8 && numbers.values.allSatisfy { Set($0.map(\.objectID)).count == 1_000 })
        try Self.checkFile(stack)
    }

    @Test(
        "eight threads fetch thousands of dictionaries at once; each has all of them (FET-15)", arguments: StoreKind.all
    )
    func eightThreadsFetchThousandsOfDictionariesAtOnce(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let count = 7_000
        for number in 0..<count { stack.context.insert("Hero", ["name": "\(number)", "strength": number]) }
        try stack.context.save()
        let errors = Notes<String>()
        let contexts = (0..<Self.queues).map { _ in stack.newContext() }
        onThreads(Self.queues) { thread in
            contexts[thread].performAndWait {
                let request = NSFetchRequest<NSDictionary>(entityName: "Hero")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["name", "strength"]
                request.sortDescriptors = [NSSortDescriptor(key: "strength", ascending: true)]
                for _ in 0..<3 {
                    let found = (try? contexts[thread].fetch(request)) ?? []
                    let wrong = found.indices.first {
                        found[$0]["name"] as? String != "\($0)" || found[$0]["strength"] as? Int != $0
                    }
                    if found.count != count || wrong != nil { errors.add("\(found.count), \(wrong ?? -1)") }
                }
            }
        }
        #expect(errors.all == [])
    }

    @Test(
        "eight queues count shared objects up, fault and refresh them; no count is lost (CTX-28)",
        arguments: StoreKind.all)
    func eightQueuesCountSharedObjectsUp(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let shared = (0..<4).map { stack.context.insert("Power", ["name": "shared \($0)", "level": 0]) }
        try stack.context.save()
        let identifiers = shared.map(\.objectID)
        // Half of them have a coordinator of their own, as another process would, where the store can be shared.
        let other = kind.capabilities.contains(.shared) ? try stack.another() : stack
        let errors = Notes<String>()
        let contexts = (0..<Self.queues).map { ($0 % 2 == 0 ? stack : other).newContext() }
        onThreads(Self.queues) { number in
            var counter = Counter(contexts[number], identifiers, seed: TestSeed.first &+ UInt64(number))
            do { for _ in 0..<Self.saves { try counter.countUp() } } catch { errors.add("\(error)") }
        }
        #expect(errors.all == [])
        let levels = try stack.reopened().context.all("Power").compactMap { $0.value(forKey: "level") as? Int }
        #expect(levels.reduce(0, +) == Self.queues * Self.saves)
        try Self.checkFile(stack)
    }

    private static func checkFile(_ stack: Stack) throws {
        guard stack.kind.type == NSSQLiteStoreType else { return }
        #expect(try Connection.open(stack.url.path).integrityFaults() == [])
    }
}

/// One of those who count shared objects up, each time by a block on its context's queue.
private struct Counter {
    private let context: NSManagedObjectContext
    private let identifiers: [NSManagedObjectID]
    private var random: SeededRandom
    private var seen: [NSManagedObjectID: Int32] = [:]

    struct WentBack: Error {}

    init(_ context: NSManagedObjectContext, _ identifiers: [NSManagedObjectID], seed: UInt64) {
        self.context = context
        self.identifiers = identifiers
        random = SeededRandom(seed: seed)
    }

    mutating func countUp() throws {
        let target = identifiers[random.next(below: identifiers.count)]
        let watched = identifiers[random.next(below: identifiers.count)]
        let turns = random.next(below: 4) == 0
        let level = try context.performAndWait {
            try look(at: watched, again: turns)
            return try save(target)
        }
        // What this context saw of an object never goes back.
        guard level > seen[target, default: 0] else { throw WentBack() }
        seen[target] = level
    }

    private func look(at identifier: NSManagedObjectID, again: Bool) throws {
        guard let power = context.object(with: identifier) as? Power else { throw WentBack() }
        if again { context.refresh(power, mergeChanges: false) }
        guard power.level >= seen[identifier, default: 0] else { throw WentBack() }
    }

    /// Saves one more; a conflict is met by the store's count and one more. Gives what was saved.
    private func save(_ identifier: NSManagedObjectID) throws -> Int32 {
        guard let power = context.object(with: identifier) as? Power else { throw WentBack() }
        power.level += 1
        while true {
            do {
                try context.save()
                return power.level
            } catch let error as NSError {
                guard error.code == NSManagedObjectMergeError else { throw error }
                context.refresh(power, mergeChanges: true)
                let stored = power.committedValues(forKeys: ["level"])["level"] as? Int32
                power.level = (stored ?? 0) + 1
            }
        }
    }
}
