import StoreContract
import TestBasics
import Testing

@testable import CoreDataFoundation
@testable import CoreDataGraph
@testable import CoreDataRecordStores

/// Random predicates on managed objects and on stored rows: slots give what reading by key gives.
///
/// `CORE_DATA_SEED` replays a run, `CORE_DATA_EXHAUSTIVE=1` makes it 20,000 predicates.
@MainActor
struct PreparedPredicateTests {
    private static let count = TestSeed.isExhaustive ? 20_000 : 1_000

    @Test(
        "generated predicates answer the same from slots as by key (PRD-08, PRD-14, PRD-17, PRD-25)",
        .timeLimit(.minutes(60)))
    func generatedPredicatesAgree() throws {
        print("PRD-25: CORE_DATA_SEED=\(TestSeed.first), \(Self.count) predicates on objects and rows")
        var generator = PredicateGenerator(seed: TestSeed.first)
        let stack = try Stack(QueryModel.make(), kind: .inMemory)
        let people = try Self.people(in: stack, &generator)
        var (fromSlots, asked) = (0, 0)
        for number in 0..<Self.count {
            let predicate = try number.isMultiple(of: 2) ? generator.predicate() : Self.plain(&generator)
            var prepared = PreparedPredicate(predicate)
            for person in people.objects {
                let answer = Self.answer { try prepared.holds(for: person) }
                let expected = Self.answer { try Evaluator(object: person, variables: [:]).holds(predicate) }
                #expect(
                    answer == expected,
                    "CORE_DATA_SEED=\(TestSeed.first), number \(number): \(predicate.formatString) on \(person)")
            }
            var ofAny = PreparedPredicate(predicate)
            for person in people.objects {
                let expected = Self.answer { try Evaluator(object: person, variables: [:]).holds(predicate) }
                let answer = Self.answer { try ofAny.holds(forAny: person) }
                // What the evaluator refuses would end the process here.
                let isPlain = expected == "true" || expected == "false"
                let direct = isPlain ? "\(predicate.evaluate(with: person))" : expected
                #expect(
                    answer == expected && direct == expected,
                    "CORE_DATA_SEED=\(TestSeed.first), number \(number): \(predicate.formatString) on \(person) as any")
            }
            var onRows = PreparedPredicate(predicate)
            for row in people.rows {
                let answer = Self.answer { try onRows.holds(for: row) }
                let expected = Self.answer {
                    try Evaluator(object: row.evaluatedObject, variables: [:]).holds(predicate)
                }
                #expect(
                    answer == expected,
                    "CORE_DATA_SEED=\(TestSeed.first), number \(number): \(predicate.formatString) on row \(row.row.key)"
                )
            }
            let plan = SlotPlan(predicate, for: people.objects[0])
            asked += plan.steps.count
            fromSlots += plan.steps.count { if case .unknown = $0.test.subject { false } else { true } }
        }
        print("  \(fromSlots) of \(asked) conditions look at slots, on \(people.objects.count) objects")
        #expect(fromSlots * 3 > asked)
    }

    @Test("a predicate asked about objects of many models in turn knows each of them without a lock (PRD-25)")
    func manyKindsOfObjects() throws {
        let predicate = NSPredicate(format: "name == %@ AND medium > 4", "even")
        let stacks = try (0..<20).map { _ in try Stack(QueryModel.make(), kind: .inMemory) }
        let objects = stacks.flatMap { stack in
            (0..<2).map { stack.context.insert("Person", ["name": $0 == 0 ? "even" : "odd", "medium": 5]) }
        }
        let plans = SlotPlanCache.plans(of: predicate)
        for _ in 0..<3 {
            for (number, object) in objects.enumerated() {
                #expect(predicate.evaluate(with: object) == (number % 2 == 0))
            }
        }
        #expect(objects.filter { plans.answer(for: $0) != nil }.count == 32)
        for (number, object) in objects.enumerated() {
            #expect(plans.answer(for: object) ?? (number % 2 == 0) == (number % 2 == 0))
        }
        #expect(plans.answer(for: nil) == nil && plans.answer(for: "text") == nil && plans.answer(for: 5) == nil)
        // Asked by hand, all of one kind and then of another.
        var prepared = PreparedPredicate(predicate)
        for (number, object) in objects.enumerated().reversed() {
            #expect(try prepared.holds(forAny: object) == (number % 2 == 0))
        }
        withExtendedLifetime(stacks) {}
    }

    /// Conditions on plain attributes with constants, most of them of the attribute's type.
    private static func plain(_ generator: inout PredicateGenerator) throws -> NSPredicate {
        let subjects: [AttributeSubject] = [.name, .small, .medium, .large, .flag, .ratio, .single, .born]
        let parts = try (0..<1 + generator.random.next(below: 4)).map { _ in
            let subject = generator.pick(subjects)
            let isText = subject == .name && generator.chance(2, in: 3)
            let operation = generator.pick(
                isText ? PredicateGenerator.searches.dropLast() : ["==", "!=", "<", "<=", ">", ">="])
            let options = isText ? generator.pick(["", "[c]", "[d]", "[cd]"]) : ""
            let constant = generator.value(generator.chance(5, in: 6) || isText ? subject : generator.pick(subjects))
            let sides = generator.chance(1, in: 5) && !isText ? "%@ \(operation) \(subject.rawValue)" : nil
            return try NSPredicate(
                parsing: sides ?? "\(subject.rawValue) \(operation)\(options) %@", arguments: [constant])
        }
        return NSCompoundPredicate(type: generator.chance(1, in: 2) ? .and : .or, subpredicates: parts)
    }

    private static func answer(_ body: () throws -> Bool) -> String {
        do { return try "\(body())" } catch { return "\(error)" }
    }

    private struct People {
        var objects: [NSManagedObject] = []
        var rows: [StoredRow] = []
        /// Objects do not keep their context.
        let contexts: [NSManagedObjectContext]
    }

    /// Saved people in rows, the same as faults, changed ones, and ones that were never saved.
    private static func people(in stack: Stack, _ generator: inout PredicateGenerator) throws -> People {
        for _ in 0..<24 { fill(stack.context.insert("Person"), &generator) }
        try stack.context.save()
        let (read, changed) = (stack.newContext(), stack.newContext())
        var people = People(contexts: [read, changed])
        people.objects = try read.all("Person", sortedBy: "objectID")
        let others = try changed.all("Person", sortedBy: "objectID")
        for person in others.prefix(12) { fill(person, &generator) }
        people.objects += others
        for _ in 0..<12 {
            let person = changed.insert("Person")
            fill(person, &generator)
            people.objects.append(person)
        }
        people.rows = try rows(of: read, stack)
        return people
    }

    private static func rows(of context: NSManagedObjectContext, _ stack: Stack) throws -> [StoredRow] {
        let records = try #require(stack.store.objects as? MemoryStore)
        return try context.all("Person").map { person in
            _ = person.value(forKey: "name")
            let row = try #require(person.slab.map { RowSnapshot(slab: $0, index: Int(person.rowIndex)) })
            return StoredRow(row, of: records.tables)
        }
    }

    private static func fill(_ person: NSManagedObject, _ generator: inout PredicateGenerator) {
        for subject in AttributeSubject.allCases where subject != .extra {
            guard generator.chance(4, in: 5) else {
                person.setValue(nil, forKey: subject.rawValue)
                continue
            }
            person.setValue(generator.value(subject), forKey: subject.rawValue)
        }
    }
}
