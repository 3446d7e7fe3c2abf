import CoreDataFoundation
import Testing

/// `MATCHES` with a pattern that is none: a server survives it.
struct BadPatternTests {
    private let people: [[String: Any]] = [["name": "Ann"], ["name": "Bob"]]

    @Test(
        "evaluation in memory takes a bad pattern for one that nothing matches (PRD-16)",
        arguments: ["(", "[", "a{2,1}", "*"])
    func badPatternMatchesNothing(pattern: String) {
        let predicate = NSPredicate(format: "name MATCHES %@", pattern)
        #expect(!predicate.evaluate(with: people[0]))
        #expect(people.filtered(using: predicate).isEmpty)
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [
            predicate, NSPredicate(format: "name == 'Bob'"),
        ])
        #expect(people.filtered(using: either).count == 1)
        #expect(NSPredicate(format: "NOT name MATCHES %@", pattern).evaluate(with: people[0]))
        #expect(!NSPredicate(format: "ANY names MATCHES %@", pattern).evaluate(with: ["names": ["a"]]))
        #expect(
            NSPredicate(format: "SUBQUERY(names, $n, $n MATCHES %@).@count == 0", pattern).evaluate(with: [
                "names": ["a"]
            ]))
    }

    @Test("the throwing twin says what is wrong with the pattern (PRD-16)")
    func twinThrows() {
        for format in ["name MATCHES '('", "name == 'x' OR name MATCHES '('"] {
            let error = #expect(throws: ExpressionError.self) {
                try NSPredicate(format: format).evaluation(with: people[0])
            }
            guard case .invalidPattern = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("MATCHES of a number is still a programmer's mistake (PRD-16)")
    func otherErrorsAreThrown() {
        #expect(throws: ExpressionError.self) {
            try NSPredicate(format: "age MATCHES 'a'").evaluation(with: ["age": 3])
        }
    }
}
