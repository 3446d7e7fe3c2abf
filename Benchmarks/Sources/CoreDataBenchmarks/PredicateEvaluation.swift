import CRawBaseline
import CoreData

/// Objects filtered by a predicate, beside a closure that reads the same properties, and sorted in a fetch.
enum PredicateEvaluation {
    private typealias People = (context: NSManagedObjectContext, people: [Person])

    static let all = [
        filtering("E", .fetched, .textual) { $0.filtered(using: $1) },
        filtering("F", .fetched, .numeric) { $0.filtered(using: $1) },
        filtering("G", .unsaved, .textual) { $0.filtered(using: $1) },
        filtering("H", .unsaved, .numeric) { $0.filtered(using: $1) },
        filtering("I", .fetched, .numeric) { people, predicate in people.filter { predicate.evaluate(with: $0) } },
        Benchmark("J", "sort # unsaved objects by two keys in a fetch", size: 200_000, bar: 5) { count, bench in
            try sorting(people(.unsaved, count, bench))
        },
    ]

    private enum State: String { case fetched, unsaved }

    private static func people(_ state: State, _ count: Int, _ bench: Workbench) throws -> People {
        try bench.meanwhile("\(state) \(count)") {
            let saved = state == .fetched ? count : 0
            let store = try bench.once("people \(saved)") { try PeopleStore(count: saved, at: bench.place("People")) }
            return state == .fetched ? try store.fetched() : store.unsaved(count)
        }
    }

    /// The condition is made when the benchmark runs.
    private static func filtering(
        _ code: String, _ state: State, _ question: Question,
        _ filter: @escaping @Sendable ([Person], NSPredicate) -> [Person]
    ) -> Benchmark {
        Benchmark(
            code, "filter # \(state) objects by \(question.condition.predicate.formatString)", size: 200_000, bar: 5
        ) { count, bench in
            let (condition, people) = (question.condition, try people(state, count, bench))
            let expected = people.people.filter(condition.holds)
            return Sides(
                ours: { try timed(people, expected: expected) { filter($0, condition.predicate) } },
                raw: { try timed(people, expected: expected) { $0.filter(condition.holds) } })
        }
    }

    private enum Question {
        case textual, numeric

        var condition: Condition {
            switch self {
            case .textual: PredicateEvaluation.textual
            case .numeric: PredicateEvaluation.numeric
            }
        }
    }

    private struct Condition {
        let predicate: NSPredicate
        let holds: (Person) -> Bool
    }

    private static var textual: Condition {
        Condition(predicate: NSPredicate(format: "age >= 30 AND name BEGINSWITH 'A'")) { person in
            person.age >= 30 && person.name?.hasPrefix("A") ?? false
        }
    }

    private static var numeric: Condition {
        Condition(predicate: NSPredicate(format: "height > 1.5 AND rank < 100")) { $0.height > 1.5 && $0.rank < 100 }
    }

    /// Sorting by two keys in a fetch that heeds unsaved changes, beside a sort with a closure.
    private static func sorting(_ unsaved: People) -> Sides {
        let request = NSFetchRequest<Person>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "rank", ascending: true), NSSortDescriptor(key: "name", ascending: false),
        ]
        request.predicate = NSPredicate(format: "age < 0 OR height > 0")
        let context = unsaved.context
        let precedes = { (left: Person, right: Person) in
            let (leftRank, rightRank) = (left.rank, right.rank)
            return leftRank == rightRank ? left.name ?? "" > right.name ?? "" : leftRank < rightRank
        }
        let expected = unsaved.people.sorted(by: precedes)
        return Sides(
            ours: { try timed(unsaved, expected: expected) { _ in try context.fetch(request) } },
            raw: { try timed(unsaved, expected: expected) { $0.sorted(by: precedes) } })
    }

    private static func timed(
        _ people: People, expected: [Person], _ work: ([Person]) throws -> [Person]
    ) throws -> Sample {
        try people.context.performAndWait {
            let start = raw_now()
            let result = try work(people.people)
            let seconds = raw_now() - start
            guard result == expected else { throw Failure("the result has \(result.count) wrong objects") }
            return Sample(seconds: seconds)
        }
    }
}
