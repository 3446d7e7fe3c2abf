import CoreDataFoundation
import Testing

struct EvaluationTests {
    @Test(
        "boundaries of order on numbers, dates and strings (PRD-08)",
        arguments: [
            ("n < 5", false), ("n <= 5", true), ("n > 5", false), ("n >= 5", true), ("n == 5", true), ("n != 5", false),
            ("n < 5.5", true), ("n BETWEEN {5, 6}", true), ("n BETWEEN {4, 5}", true), ("n BETWEEN {6, 7}", false),
            ("s < 'b'", true), ("s <= 'a'", true), ("s < 'B'", false), ("s == 'a'", true), ("s > ''", true),
            ("d == $now", true),
            ("d < $now", false), ("d <= $now", true), ("d > $past", true), ("d BETWEEN {$past, $now}", true),
            ("s < 5", false),
            ("s == 5", false), ("s != 5", true), ("s > 5", false), ("'ä' > 'z'", true),
            ("'\u{1F600}' > '\u{FFFD}'", true),
        ])
    func boundariesOfOrderOnNumbers(format: String, expected: Bool) throws {
        let now = Date()
        let object: [String: Any] = ["n": 5, "s": "a", "d": now]
        let variables: [String: Any] = ["now": now, "past": now.addingTimeInterval(-1)]
        #expect(try holds(format, on: object, variables: variables) == expected)
    }

    @Test(
        "numbers of all types compare exactly (PRD-06, PRD-08)",
        arguments: [
            ("%@ == 1", true, true), ("%@ == NO", NSNumber(value: false), true), ("%@ == 0", false, true),
            ("%@ == 9007199254740993", 9_007_199_254_740_992.0, false),
            ("%@ < 9007199254740993", 9_007_199_254_740_992.0, true),
            ("%@ == 0.1", Decimal(string: "0.1")!, true), ("%@ == 0.1", NSDecimalNumber(string: "0.10"), true),
            ("%@ > 0.1", Decimal(string: "0.10000000000000000000000001")!, true), ("%@ == -1", UInt64.max, false),
            ("%@ > 9223372036854775807", UInt64.max, true), ("%@ == 18446744073709551615", UInt64.max, true),
            ("%@ < 9223372036854775808.0", Int64.max, true), ("%@ == 3", Int16(3), true),
            ("%@ == 2.5", NSNumber(value: 2.5), true),
            ("%@ == %@", Double.nan, false), ("%@ != 1", Double.nan, true), ("%@ < 1e300", Decimal(5), true),
            ("%@ == 0.5", Float(0.5), true), ("%@ == 2", CGFloat(2), true), ("%@ > -1.5", -1, true),
            ("%@ < -0.5", -1, true),
            ("%@ == 1", NSNumber(value: Int8(1)), true),
        ] as [(String, any Sendable, Bool)])
    func numbersCompareExactly(format: String, number: any Sendable, expected: Bool) throws {
        #expect(try holds(format, number, number, on: nil) == expected)
    }

    @Test(
        "nil is an ordinary value for == and !=, and in no order (PRD-10)",
        arguments: [
            ("gone == nil", true), ("gone != nil", false), ("name == nil", false), ("name != nil", true),
            ("gone == 'x'", false),
            ("gone != 'Male'", true), ("NOT gone == 'Male'", true), ("NOT name == 'x'", true), ("gone < 5", false),
            ("gone > 5", false), ("gone <= nil", false), ("gone >= nil", false), ("5 > gone", false),
            ("gone == gone", true),
            ("gone.name != 'Sales'", true), ("gone.name == nil", true), ("gone.name.length == nil", true),
            ("gone == null", true),
            ("gone BEGINSWITH ''", false), ("gone LIKE '*'", false), ("gone MATCHES '.*'", false),
            ("gone CONTAINS 'x'", false),
            ("gone IN {nil, 1}", true), ("gone IN {1}", false), ("name IN gone", false), ("gone BETWEEN {1, 2}", false),
            ("gone + 1 == nil", true), ("nsnull == nil", true), ("gone == nsnull", true), ("gone.@count == 0", false),
            ("missing == nil", true), ("gone == %@", true), ("uppercase(gone) == nil", true),
        ])
    func nilSemantics(format: String, expected: Bool) throws {
        let object: [String: Any?] = ["gone": nil, "name": "Smith", "nsnull": NSNull()]
        #expect(try holds(format, nil, on: object) == expected)
    }

    @Test("bitwise and (PRD-11)")
    func bitwiseAnd() throws {
        for (number, expected) in [(4, true), (5, true), (3, false), (0, false), (-1, true)] {
            #expect(try holds("(integerValue & %i) == %i", 1 << 2, 1 << 2, on: ["integerValue": number]) == expected)
        }
    }

    @Test("key paths over to-one (PRD-12, PRD-10)")
    func keyPathsOverToOne() throws {
        let sales = Sample(["name": "Sales"])
        let (inside, outside) = (Sample(["department": sales]), Sample(["department": nil]))
        #expect(try holds("department.name == 'Sales'", on: inside))
        #expect(try !holds("department.name == 'Sales'", on: outside))
        #expect(try holds("department.name != 'Sales'", on: outside))
        #expect(try holds("department == %@", sales, on: inside))
        #expect(try !holds("department == %@", Sample(["name": "Sales"]), on: inside))
        #expect(try holds("SELF == %@", sales, on: sales))
    }

    @Test("records are equal by identity, also to their identifiers (PRD-09, PRD-21)")
    func recordsAreEqualByIdentity() throws {
        let (one, same, other) = (Record(1), Record(1), Record(2))
        #expect(try holds("doctor == %@", same, on: ["doctor": one]))
        #expect(try !holds("doctor == %@", other, on: ["doctor": one]))
        #expect(try holds("SELF IN %@", [other, same], on: one))
        #expect(try holds("doctor != %@", other, on: ["doctor": one]))
    }

    @Test(
        "quantifiers, on empty sets too (PRD-13)",
        arguments: [
            ("ANY e.salary > 50000", true), ("ANY e.salary > 90000", false), ("ALL e.salary >= 10000", true),
            ("ALL e.salary > 10000", false), ("NONE e.salary < 10000", true), ("NONE e.salary > 50000", false),
            ("SOME e.name == 'a'", true), ("ANY e.name == nil", true), ("ALL e.name == 'a'", false),
            ("ANY empty.salary > 0", false),
            ("ALL empty.salary > 0", true), ("NONE empty.salary > 0", true), ("ANY gone.salary > 0", false),
            ("ALL gone.salary > 0", true), ("ANY e.tags == 'y'", true), ("ANY e.tags == 'w'", false),
            ("ANY e.name IN {'a', 'q'}", true),
            ("ANY e.name BEGINSWITH[c] 'A'", true), ("ANY {1, 2} == 2", true), ("ANY e.salary != 60000", true),
        ])
    func quantifiersOnEmptySetsToo(format: String, expected: Bool) throws {
        let employees = [
            Sample(["salary": 60000, "name": "a", "tags": ["x", "y"]]),
            Sample(["salary": 10000, "name": nil, "tags": ["z"]]),
        ]
        let object: [String: Any?] = ["e": employees, "empty": NSSet(), "gone": nil]
        #expect(try holds(format, on: object) == expected)
    }

    @Test("a quantifier on a single value is an error (PRD-13)")
    func quantifierNeedsACollection() {
        #expect(throws: ExpressionError.quantifierNeedsCollection(type: "Int")) {
            try holds("ANY n == 1", on: ["n": 1])
        }
    }

    @Test("IN a list, a set, a dictionary's values, a string (PRD-21)")
    func inListSetDictionarysValues() throws {
        let object: [String: Any] = ["name": "James", "n": 3, "tags": ["a", "b"], "map": ["k": "v"]]
        #expect(try holds("name IN %@", ["James", "Jim"], on: object))
        #expect(try !holds("name IN %@", ["Jim"], on: object))
        #expect(try holds("name IN[c] %@", ["JAMES"], on: object))
        #expect(try holds("n IN %@", Set([1, 3]), on: object))
        #expect(try holds("n IN %@", NSOrderedSet(array: [3.0]), on: object))
        #expect(try holds("name IN %@", ["key": "James"], on: object))
        #expect(try !holds("name IN %@", ["James": "value"], on: object))
        #expect(try holds("name IN 'St James Park'", on: object))
        #expect(try holds("tags CONTAINS 'b'", on: object))
        #expect(try !holds("tags CONTAINS 'c'", on: object))
        #expect(try holds("map CONTAINS 'v'", on: object))
        #expect(try holds("tags == %@", NSArray(array: ["a", "b"]), on: object))
        #expect(throws: ExpressionError.unsuitableRightSide(operation: "IN")) { try holds("n IN 5", on: object) }
        #expect(throws: ExpressionError.unsuitableRightSide(operation: "BETWEEN")) {
            try holds("n BETWEEN {1}", on: object)
        }
    }

    @Test("$FETCH_SOURCE with key paths and SELF (PRD-22, PRD-23)")
    func fetchSource() throws {
        let (owner, other) = (Sample(["sex": "F", "born": 1]), Sample(["sex": "F", "born": 2]))
        let format = "($FETCH_SOURCE.sex == sex) AND ($FETCH_SOURCE != SELF)"
        #expect(try !holds(format, on: owner, variables: ["FETCH_SOURCE": owner]))
        #expect(try holds(format, on: other, variables: ["FETCH_SOURCE": owner]))
        #expect(try holds("$FETCH_SOURCE.born > born", on: owner, variables: ["FETCH_SOURCE": other]))
    }

    @Test("a sexless owner lists the other sexless heroes (PRD-10, PRD-22)")
    func sexlessOwner() throws {
        let (owner, other) = (Sample(["sex": nil]), Sample(["sex": nil]))
        let format = "($FETCH_SOURCE.sex == sex) AND ($FETCH_SOURCE != SELF)"
        #expect(try holds(format, on: other, variables: ["FETCH_SOURCE": owner]))
    }

    @Test("AND and OR stop at the first condition that decides, in written order (PRD-24)")
    func shortCircuit() throws {
        for (format, expected) in [
            ("a == 2 AND b == 1", ["a"]), ("a == 1 AND b == 1", ["a", "b"]), ("a == 1 OR b == 1", ["a"]),
            ("b == 2 OR a == 1 OR b == 1", ["b", "a"]), ("a == 2 AND unknown == 1", ["a"]),
        ] {
            let sample = Sample(["a": 1, "b": 1])
            _ = try holds(format, on: sample)
            #expect(sample.reads == expected)
        }
    }

    @Test("compounds made by hand equal the parsed ones (PRD-20)")
    func compoundsMadeByHand() {
        let parts = ["James", "Jim"].map { NSPredicate(format: "firstName == %@", $0) }
        let byHand = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        let parsed = NSPredicate(format: "firstName == 'James' OR firstName == 'Jim'")
        #expect(PredicateNode(byHand) == PredicateNode(parsed))
        #expect(parsed == byHand)
        for (name, expected) in [("James", true), ("Jim", true), ("Jimmy", false)] {
            #expect(byHand.evaluate(with: ["firstName": name]) == expected)
            #expect(
                NSPredicate(format: "firstName IN %@", ["James", "Jim"]).evaluate(with: ["firstName": name]) == expected
            )
        }
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: byHand)
        #expect(not.evaluate(with: ["firstName": "Jimmy"]))
    }

    @Test("any predicate has a tree (PRD-20)")
    func anyPredicateHasATree() {
        let block = NSPredicate { object, _ in object as? Int == 5 }
        #expect(outline(NSPredicate(value: true)) == "true")
        #expect(outline(NSPredicate(value: false)) == "false")
        #expect(outline(block) == "opaque")
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "SELF > 1"), block])
        #expect(outline(compound) == "and(direct.greaterThan.0(self,constant<Int:1>),opaque)")
        #expect(compound.evaluate(with: 5))
        #expect(!compound.evaluate(with: 6))
        #expect(outline(NSCompoundPredicate(andPredicateWithSubpredicates: [])) == "true")
        #expect(outline(NSCompoundPredicate(orPredicateWithSubpredicates: [])) == "false")
        #expect(outline(NSCompoundPredicate(orPredicateWithSubpredicates: [block])) == "opaque")
        let node = PredicateNode(NSPredicate(format: "a == 1 AND NOT (b == 2 OR TRUEPREDICATE)"))
        #expect(PredicateNode(node.predicate) == node)
    }

    @Test("variables become values in a copy, the template stays (PRD-07)")
    func variablesBecomeValues() throws {
        let template = NSPredicate(format: "lastName == $LAST_NAME AND age > $AGE")
        let smith = template.withSubstitutionVariables(["LAST_NAME": "Smith", "AGE": 5])
        let jones = template.withSubstitutionVariables(["LAST_NAME": "Jones", "AGE": NSNull()])
        #expect(smith.formatString == "lastName == \"Smith\" AND age > 5")
        #expect(jones.formatString == "lastName == \"Jones\" AND age > <null>")
        #expect(template.formatString == "lastName == $LAST_NAME AND age > $AGE")
        #expect(template.variableNames == ["LAST_NAME", "AGE"])
        #expect(smith.variableNames.isEmpty)
        #expect(smith.evaluate(with: ["lastName": "Smith", "age": 6] as [String: Any]))
        let object: [String: Any] = ["lastName": "Smith", "age": 6]
        #expect(template.evaluate(with: object, substitutionVariables: ["LAST_NAME": "Smith", "AGE": 1]))
        #expect(throws: ExpressionError.unboundVariable("LAST_NAME")) { try evaluation(of: template, on: object) }
    }

    @Test("a subquery's own variable is neither needed nor replaced (PRD-07)")
    func subqueryKeepsItsVariable() throws {
        let predicate = NSPredicate(format: "SUBQUERY(list, $x, $x.n > $limit).@count > $x")
        #expect(predicate.variableNames == ["limit", "x"])
        let bound = predicate.withSubstitutionVariables(["x": 1, "limit": 5])
        #expect(bound.formatString == "SUBQUERY(list, $x, $x.n > 5).@count > 1")
        let object = ["list": [["n": 6], ["n": 7], ["n": 1]]]
        #expect(bound.evaluate(with: object))
        #expect(NSPredicate(format: "SUBQUERY(list, $x, $x.n > 5).@count == 2").evaluate(with: object))
    }

    @Test("lists and sets of objects and dictionaries are filtered (PRD-25)")
    func collectionsAreFiltered() {
        let people = ["Ann", "Bob"].map { Sample(["name": $0]) }
        #expect(
            people.filtered(using: NSPredicate(format: "name == %@", "Bob")).map { $0.values["name"] as? String } == [
                "Bob"
            ])
        #expect([["name": "a"], ["name": "b"]].filtered(using: NSPredicate(format: "name == 'a'")) == [["name": "a"]])
        #expect(Set([1, 2, 3]).filtered(using: NSPredicate(format: "SELF > 1")) == [2, 3])
        let list: NSArray = ["apple", "pear"]
        #expect(list.filtered(using: NSPredicate(format: "SELF BEGINSWITH 'p'")) as? [String] == ["pear"])
        let set = NSSet(array: [1, 2, 3])
        #expect(set.filtered(using: NSPredicate(format: "SELF < 2")).map { $0.base as? Int } == [1])
    }

    @Test("an unknown key is an error with a suggestion (KVC-02, HAZ-54)")
    func unknownKeyIsAnError() throws {
        let sample = Sample(["timeStamp": 1])
        let error = try #require(throws: UnknownKeyError.self) { try holds("timestamp == 1", on: sample) }
        #expect(error.suggestion == "timeStamp")
        #expect(error.description.contains("Sample is not key value coding-compliant for the key \"timestamp\""))
        #expect(throws: UnknownKeyError.self) { try holds("_storage == 1", on: sample) }
        #expect(throws: UnknownKeyError.self) { try holds("name == 1", on: 5) }
        let deep = String(repeating: "self.", count: 10_000) + "timeStamp == 1"
        #expect(try holds(deep, on: sample))
    }

    @Test func evaluatingAnUnknownKeyStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "nmae == 1").evaluate(with: Sample(["name": 1]))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("did you mean \"name\"?"))
    }

    @Test func copiesAndEqualityOfPredicates() throws {
        let comparison = NSPredicate(format: "a == 1")
        #expect(comparison.copy() as? NSPredicate == comparison)
        let compound = NSPredicate(format: "a == 1 AND b == 2")
        let copy = try #require(compound.copy() as? NSCompoundPredicate)
        #expect(copy == compound)
        #expect(copy.evaluate(with: ["a": 1, "b": 2]))
        #expect(compound != NSPredicate(format: "b == 2 AND a == 1"))
        #expect(compound != NSPredicate(format: "a == 1 OR b == 2"))
        #expect(comparison != NSPredicate(format: "a == 1.0"))
        #expect(Set([comparison, NSPredicate(format: "a = 1"), compound]).count == 2)
    }

    @Test("dates, identifiers, addresses and bytes compare (PRD-08)")
    func otherKindsCompare() throws {
        let (uuid, url, data) = (UUID(), URL(fileURLWithPath: "/a"), Data([1, 2]))
        let object: [String: Any] = ["u": uuid, "l": url, "d": data]
        #expect(
            try holds("u == %@ AND l == %@ AND d == %@", NSUUID(uuidString: uuid.uuidString), url, data, on: object))
        #expect(try !holds("u == %@ OR l == %@ OR d == %@", UUID(), URL(fileURLWithPath: "/b"), Data(), on: object))
        #expect(try holds("d < %@ AND d > %@ AND l ENDSWITH 'a'", Data([1, 3]), Data([1]), on: object))
        #expect(try holds("u == %@", uuid, on: object))
        #expect(try !holds("u == %@", uuid.uuidString, on: object))
    }
}

private final class Record: RecordReference {
    let recordIdentity: AnyHashable

    init(_ identity: Int) {
        recordIdentity = identity
    }
}
