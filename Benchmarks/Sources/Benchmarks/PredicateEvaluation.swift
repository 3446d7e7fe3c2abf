import CRawBaseline
import CoreData

/// Workloads E to H: objects filtered by a predicate, and by a closure that reads the same properties.
struct PredicateEvaluation {
    private typealias People = (context: NSManagedObjectContext, people: [Person])
    private let fetched: People
    private let unsaved: People

    init(store: PeopleStore) throws {
        fetched = try store.fetched()
        unsaved = store.unsaved()
    }

    var workloads: [Workload] {
        [
            workload("E  filter", fetched, "fetched", Self.textual),
            workload("F  filter", fetched, "fetched", Self.numeric),
            workload("G  filter", unsaved, "unsaved", Self.textual),
            workload("H  filter", unsaved, "unsaved", Self.numeric),
            single("I  evaluate", fetched, "fetched", Self.numeric),
            sorting,
        ]
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

    private func workload(_ name: String, _ people: People, _ state: String, _ condition: Condition) -> Workload {
        compared(name, people, state, condition) { $0.filtered(using: condition.predicate) }
    }

    private func single(_ name: String, _ people: People, _ state: String, _ condition: Condition) -> Workload {
        compared(name, people, state, condition) { $0.filter { condition.predicate.evaluate(with: $0) } }
    }

    private func compared(
        _ name: String, _ people: People, _ state: String, _ condition: Condition,
        _ filter: @escaping ([Person]) -> [Person]
    ) -> Workload {
        let expected = people.people.filter(condition.holds)
        return Workload(
            name: "\(name) \(people.people.count) \(state) objects by \(condition.predicate.formatString)", bar: 5,
            ours: { try Self.timed(people, expected: expected, filter) },
            raw: { try Self.timed(people, expected: expected) { $0.filter(condition.holds) } })
    }

    /// Sorting by two keys in a fetch that heeds unsaved changes, beside a sort with a closure.
    private var sorting: Workload {
        let request = NSFetchRequest<Person>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "rank", ascending: true), NSSortDescriptor(key: "name", ascending: false),
        ]
        request.predicate = NSPredicate(format: "age < 0 OR height > 0")
        request.affectedStores = []
        let context = unsaved.context
        let precedes = { (left: Person, right: Person) in
            let (leftRank, rightRank) = (left.rank, right.rank)
            return leftRank == rightRank ? left.name ?? "" > right.name ?? "" : leftRank < rightRank
        }
        let expected = unsaved.people.sorted(by: precedes)
        return Workload(
            name: "J  sort \(expected.count) unsaved objects by two keys in a fetch", bar: 5,
            ours: { try Self.timed(unsaved, expected: expected) { _ in try context.fetch(request) } },
            raw: { try Self.timed(unsaved, expected: expected) { $0.sorted(by: precedes) } })
    }

    private static func timed(
        _ people: People, expected: [Person], _ work: ([Person]) throws -> [Person]
    ) throws -> Sample {
        try people.context.performAndWait {
            let start = raw_now()
            let result = try work(people.people)
            let seconds = raw_now() - start
            guard result == expected else { throw Failure("the result has \(result.count) wrong objects") }
            return Sample(seconds: seconds, bytesPerObject: 0)
        }
    }
}
