import CoreData
import CoreDataTesting
import Synchronization
import Testing

@Suite struct ExpectationTests {
    private static func stack(_ heroes: Int = 5, _ kind: TestStack.Kind = .sqlite) throws -> TestStack {
        let stack = try TestStack(GuildModel.model, kind)
        try stack.make(heroes, Hero.self)
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    private static func heroes(prefetching keys: [String] = []) -> NSFetchRequest<Hero> {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.relationshipKeyPathsForPrefetching = keys
        return request
    }

    @Test("a fetch is one statement without a fault, and with prefetching two (TEST-02)")
    func fetchIsOneStatement() throws {
        let stack = try Self.stack()
        let heroes = try stack.expect(statements: 1, faults: 0, saves: 0, changes: 0) {
            try stack.context.fetch(Self.heroes())
        }
        #expect(heroes.count == 5)
        stack.context.reset()
        let names = try stack.expect(statements: 2, faults: 0) {
            try stack.context.fetch(Self.heroes(prefetching: ["team"])).compactMap {
                $0.team?.value(forKey: "title") as? String
            }
        }
        #expect(names.count == 5)
    }

    @Test(
        "TEST-02: faults that fire are counted with their relationships, in memory too",
        arguments: TestStack.Kind.allCases)
    func faultsAreCounted(_ kind: TestStack.Kind) throws {
        let stack = try Self.stack(1, kind)
        let activity = try stack.activity {
            let hero = try stack.context.fetch(Self.heroes()).first
            _ = (hero?.value(forKey: "oaths") as? Set<NSManagedObject>)?.count
        }
        #expect(activity.faults.contains { $0.entity == "Hero" && $0.relationship == "oaths" })
        #expect(activity.statements.isEmpty == (kind == .memory))
    }

    @Test("saved changes are counted (TEST-02)", arguments: TestStack.Kind.allCases)
    func savedChangesAreCounted(_ kind: TestStack.Kind) throws {
        let stack = try Self.stack(2, kind)
        let hero = try #require(try stack.context.fetch(Self.heroes()).first)
        let activity = try stack.activity {
            hero.rank = hero.rank == 3 ? 4 : 3
            try stack.make("Team", ["title": "New"])
            try stack.context.save()
        }
        #expect(activity.saves == 1 && activity.inserted == 1 && activity.updated == 1 && activity.deleted == 0)
    }

    @Test("what differs is reported with the statements, at the line of the expectation (TEST-02)")
    func differenceIsReportedWithStatements() throws {
        let stack = try Self.stack()
        let found = Mutex<(text: String, line: Int)>(("", 0))
        let line = #line + 3
        try withKnownIssue {
            // One statement more than expected.
            try stack.expect(statements: 0, faults: 0) { _ = try stack.context.fetch(Self.heroes()) }
        } matching: { issue in
            found.withLock { $0 = (issue.comments.map(\.rawValue).joined(), issue.sourceLocation?.line ?? 0) }
            return true
        }
        let (text, place) = found.withLock { $0 }
        #expect(text.hasPrefix("1 statements instead of 0"), "\(text)")
        #expect(text.contains("statement 1: SELECT") && text.contains("ZHERO") && text.contains("(5 rows)"), "\(text)")
        #expect(place == line)
    }

    @Test("of tests that run in parallel each counts its own store (TEST-02)")
    func parallelTestsCountTheirOwnStores() async throws {
        let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 1...10 {
                group.addTask {
                    let stack = try Self.stack(1)
                    let context = stack.newContext()
                    let (activity, _) = try await stack.container.persistentStoreCoordinator.activity {
                        for _ in 0..<number {
                            try await context.perform { _ = try context.count(for: Self.heroes()) }
                        }
                    }
                    return (number, activity.statements.count)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 10 && counts.allSatisfy { $0.0 == $0.1 }, "\(counts)")
    }

    @Test("an asynchronous block is counted, and an error of a block ends the counting (TEST-02)")
    func asynchronousBlocksAreCounted() async throws {
        let stack = try Self.stack(1)
        let context = stack.newContext()
        let count = try await stack.expect(statements: 1) {
            try await context.perform { try context.count(for: Self.heroes()) }
        }
        #expect(count == 1)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try stack.expect(statements: 7) { throw Stop() } }
    }
}
