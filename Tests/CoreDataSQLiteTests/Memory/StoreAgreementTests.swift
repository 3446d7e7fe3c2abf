import CoreData
import StoreContract
import TestBasics
import Testing

/// What the SQLite store does, the store in memory does too: the same operations, predicates and sort descriptors.
@MainActor
@Suite(.timeLimit(.minutes(20))) struct StoreAgreementTests {
    static let pair: PeoplePair = {
        do {
            var pair = try PeoplePair(seed: 20_260_501)
            try pair.fill(people: 240)
            return pair
        } catch {
            preconditionFailure("the stores of the tests cannot be filled: \(error)")
        }
    }()

    private func numbers(_ request: NSFetchRequest<NSManagedObject>, _ stack: Stack) throws -> [Int] {
        try stack.newContext().fetch(request).map { $0.value(forKey: "number") as? Int ?? -1 }
    }

    private func request(
        _ entity: String, _ predicate: NSPredicate? = nil, _ sorts: [NSSortDescriptor] = []
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = sorts
        return request
    }

    /// What a fetch gives: the objects, or the error's code and message.
    private func outcome(_ request: NSFetchRequest<NSManagedObject>, _ stack: Stack, sorts: Bool = false) -> String {
        do {
            let found = try numbers(request, stack)
            let count = try stack.newContext().count(for: request)
            return "\(sorts ? found : found.sorted()) \(count)"
        } catch let error as NSError {
            return "\(error.code) \(error.localizedDescription)"
        }
    }

    @Test("every predicate of the pool selects the same objects in memory as in SQLite (STO-03, STO-07)")
    func predicatesSelectTheSameObjects() throws {
        var selective = 0
        for (format, arguments) in PredicatePool.formats {
            let request = request("Person", try NSPredicate(parsing: format, arguments: arguments))
            let expected = outcome(request, Self.pair.stacks[0])
            #expect(outcome(request, Self.pair.stacks[1]) == expected, "\(format.prefix(200))")
            if !expected.hasPrefix("[]"), !expected.hasSuffix(" 240") { selective += 1 }
        }
        #expect(selective > PredicatePool.formats.count * 2 / 3)
    }

    @Test("entities without their descendants, and other entities, select the same objects (STO-07)")
    func entitiesSelectTheSameObjects() throws {
        let formats = [
            ("Department", "ANY people.ratio > 1"), ("Department", "ALL people.small >= 0"),
            ("Department", "people.@count == 0"),
            ("Department", "company.name == 'Company 1' AND ANY people.flag == YES"),
            ("Company", "ANY departments.name == nil"), ("Company", "departments.@sum.budget > 1000"),
            ("Company", "SUBQUERY(departments, $d, ANY $d.people.small > 5).@count > 1"),
            ("Skill", "people.@count > 40"), ("Employee", "salary > 0"), ("Manager", "level > 1 OR boss.small > 0"),
            ("Person", "TRUEPREDICATE"),
        ]
        for (entity, format) in formats {
            for includesSubentities in [true, false] {
                let request = request(entity, NSPredicate(format: format))
                request.includesSubentities = includesSubentities
                #expect(outcome(request, Self.pair.stacks[1]) == outcome(request, Self.pair.stacks[0]), "\(format)")
            }
        }
    }

    @Test("objects and identifiers in predicates select the same objects (STO-07)")
    func recordsSelectTheSameObjects() throws {
        let formats = [
            "SELF == %@", "SELF != %@", "objectID == %@", "self IN %@", "NOT self IN %@", "boss == %@", "boss != %@",
            "boss IN %@", "%@ == boss", "ANY reports == %@", "reports CONTAINS %@", "ANY friends == %@",
            "boss == %@ AND small > 0", "SELF == %@ OR small == 5", "boss.boss == %@", "department == %@",
        ]
        for format in formats {
            let outcomes = try Self.pair.stacks.map { stack in
                let people = try stack.context.all("Person", sortedBy: "number")
                let argument: Any = format.contains("IN ") ? [people[3], people[5], people[20]] : people[20].objectID
                let request = request("Person", try NSPredicate(parsing: format, arguments: [argument]))
                return outcome(request, stack)
            }
            #expect(outcomes[0] == outcomes[1], "\(format)")
        }
    }

    @Test("sort descriptors, limits and offsets give the same objects in the same order (STO-07)")
    func sortsGiveTheSameOrder() throws {
        let keys = [
            "name", "nick", "small", "large", "flag", "ratio", "single", "price", "born", "token", "link",
            "department.name", "department.company.city", "boss.small", "boss.boss.price", "skills.@count",
            "reports.@sum.small", "self", "name.length",
        ]
        let selectors = [
            "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedStandardCompare:",
        ]
        for key in keys {
            for selector in key == "name" ? selectors : ["compare:"] {
                for (ascending, limit, offset) in [(true, 0, 0), (false, 0, 0), (true, 17, 5), (false, 500, 230)] {
                    let sorts = [
                        NSSortDescriptor(key: key, ascending: ascending, selector: Selector(selector)),
                        NSSortDescriptor(key: "number", ascending: !ascending),
                    ]
                    let request = request("Person", nil, sorts)
                    request.fetchLimit = limit
                    request.fetchOffset = offset
                    let outcomes = Self.pair.stacks.map { outcome(request, $0, sorts: true) }
                    #expect(outcomes[0] == outcomes[1], "\(key) \(selector) \(ascending) \(limit) \(offset)")
                    #expect(outcomes[0].hasPrefix("["))
                }
            }
        }
    }

    @Test(
        "what a store cannot be asked gives the same error (STO-07)",
        arguments: [
            "nome == 'a'", "department.nam == 'a'", "boss.boss.smal == 1", "age > 5", "reports.name == 'a'",
            "SUBQUERY(reports, $r, $r.smal > 0).@count > 0", "name.size == 3",
        ])
    func refusalsAreTheSame(_ format: String) throws {
        let request = request("Person", NSPredicate(format: format))
        let outcomes = Self.pair.stacks.map { outcome(request, $0) }
        // The SQLite store also quotes the comparison that it has no SQL for.
        #expect(outcomes[0].hasSuffix(outcomes[1].dropFirst("134060 ".count)))
        #expect(outcomes.allSatisfy { $0.hasPrefix("134060") })
    }

    @Test(
        "sort keys that a store cannot sort by give the same error (STO-07)",
        arguments: ["nome", "boss", "reports", "photo", "extra"])
    func unsortableKeysAreTheSame(_ key: String) throws {
        let request = request("Person", nil, [NSSortDescriptor(key: key, ascending: true)])
        let outcomes = Self.pair.stacks.map { outcome(request, $0) }
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0].hasPrefix("134060"))
    }

    /// `CORE_DATA_SEED` replays one run.
    nonisolated private static let seeds = TestSeed.sequences(12)

    @Test(
        "random changes leave the same records and derived values in memory as in SQLite (STO-03, STO-07, MOD-42)",
        arguments: seeds)
    func changesLeaveTheSameRecords(_ seed: UInt64) throws {
        var pair = try PeoplePair(seed: seed)
        try pair.fill(people: 12)
        for _ in 0..<12 {
            for _ in 0..<6 { try pair.change() }
            try pair.save()
            let dumps = try pair.stacks.map(pair.dump)
            for (sqlite, memory) in zip(dumps[0], dumps[1]) { #expect(memory == sqlite, "seed \(seed)") }
            #expect(dumps[0].count == dumps[1].count, "seed \(seed)")
            guard dumps[0] == dumps[1] else { return }
        }
    }
}
