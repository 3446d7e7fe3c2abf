import CoreDataModeling
import Testing

@Suite struct ArchivedPredicateTests {
    /// The model of one fetch, written and read again.
    private func fetch(_ format: String) throws -> (template: FetchRequestTemplate?, archive: KeyedArchive) {
        let model = PeopleModel().model
        model.templatesByName["fetch"] = FetchRequestTemplate(entityName: "Person", predicateFormat: format)
        let data = try model.compiledData()
        return (try NSManagedObjectModel(compiled: data).templatesByName["fetch"], try KeyedArchive(data))
    }

    @Test(
        "a fetch's predicate is the same after writing and reading (MOD-31, PRD-01)",
        arguments: [
            "TRUEPREDICATE", "FALSEPREDICATE", "name == nil", "name != \"a\\\"b\\\\c\\n\"", "rank > 3 AND rank <= 4.5",
            "NOT (rank < 1 OR rank >= 9)", "name MATCHES[cd] \".*x\"", "name LIKE \"?a*\"", "name BEGINSWITH[c] $START",
            "name ENDSWITH \"z\"", "name CONTAINS[cd] \"é\"", "rank IN {1, 2, 3}", "rank BETWEEN {$LOW, 10}",
            "ALL powers.strength > 1", "ANY powers.name == \"fly\"", "NONE powers.name == \"fly\"",
            "SUBQUERY(powers, $p, $p.strength > 2 AND $p.name != nil).@count > 1", "powers.@count == 0",
            "uppercase:(name) == \"X\"", "rank + 1 == 2 * rank", "birthday < CAST(12.5, \"NSDate\")", "isOpen == TRUE",
            "(a == 1 AND b == 2) OR (c == 3 AND NOT (d == 4))", "SELF == $FETCH_SOURCE.owner.name", "#size == 1",
        ])
    func predicatesAreKept(format: String) throws {
        let template = try fetch(format).template
        let expected = try NSPredicate(parsing: format)
        let read = try NSPredicate(parsing: try #require(template?.predicateFormat))
        #expect(read.formatString == expected.formatString)
        #expect(template?.hasUnreadablePredicate == false)
    }

    @Test(
        "operators are archived with the classes of Apple's archives (MOD-04)",
        arguments: [
            ("a == 1", ["NSEqualityPredicateOperator", "NSPredicateOperator", "NSObject"]),
            ("a < 1", ["NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject"]),
            ("a CONTAINS \"x\"", ["NSInPredicateOperator", "NSPredicateOperator", "NSObject"]),
            (
                "a LIKE \"x\"",
                [
                    "NSLikePredicateOperator", "NSMatchingPredicateOperator", "NSStringPredicateOperator",
                    "NSPredicateOperator", "NSObject",
                ]
            ),
        ])
    func operatorsHaveApplesClasses(format: String, classes: [String]) throws {
        let archive = try fetch(format).archive
        let objects = archive.objects.indices.compactMap { archive.object(PropertyList.uid($0)) }
        let operators = objects.filter { $0.className.hasSuffix("Operator") }
        #expect(operators.map(\.classNames) == [classes])
        #expect(operators.first?.fields["NSModifier"] == .integer(0))
    }
}
