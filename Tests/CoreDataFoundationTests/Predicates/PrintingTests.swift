import CoreDataFoundation
import TestBasics
import Testing

struct PrintingTests {
    @Test(
        "the text is Apple's (PRD-01)",
        arguments: [
            ("name = 'Smith' && age>5", "name == \"Smith\" AND age > 5"),
            ("name beginswith[cd] 'x'", "name BEGINSWITH[cd] \"x\""),
            ("!(a=1 or b=2)", "NOT (a == 1 OR b == 2)"), ("(a=1 or b=2) and c=3", "(a == 1 OR b == 2) AND c == 3"),
            ("none a.b > 1", "NOT ANY a.b > 1"), ("a in {1,'x',nil}", "a IN {1, \"x\", nil}"),
            ("a between {1,2}", "a BETWEEN {1, 2}"),
            ("self = $x", "SELF == $x"), ("(x & 4) = 4", "x & 4 == 4"), ("(1+2)*3 = a", "(1 + 2) * 3 == a"),
            ("#in == 1", "#in == 1"), ("truepredicate", "TRUEPREDICATE"), ("$f.a.b = a.@count", "$f.a.b == a.@count"),
        ])
    func textIsApples(format: String, expected: String) throws {
        #expect(try NSPredicate(parsing: format).formatString == expected)
    }

    static let formats = [
        "a == 1 AND (b == 2 OR NOT c == 3)", "NOT NOT a == 1", "(a == 1 AND b == 2) AND c == 3",
        "TRUEPREDICATE OR a == nil",
        "ALL a.b != 'x\\ty\\n\\\\\"'", "a MATCHES[c] '.*\\\\d'", "a - (b - c) - d * (e + f) / g == 1",
        "2 ** (3 ** 2) ** a == -5",
        "(a | b) & c ^ d << 2 == ~e", "a UNION b INTERSECT (c MINUS d) == SELF",
        "SUBQUERY(a.b, $x, $x.c == $y OR $x == SELF).@count > 0",
        "TERNARY(a == 1 OR b == 2, 'x', now()) == CAST(12.5, 'NSDate')", "sum:(a.b) + count(c) == 18446744073709551615",
        "#and.or.#\"odd \\\"key\\\"\" == #\"\"", "a == CAST('1.10', 'NSDecimalNumber')",
        "a == 1e300 OR b == 0.1 OR c == -1.5e-7",
        "ANYKEY CONTAINS 'x'", "a IN {{1, 2}, {}, {nil, YES}}", "$x.y.@max.z >= canonical:(w.v)", "a %% 3 == 2",
        "a == CAST('nan', 'NSNumber')", "größe == 'ÅÄÖ 👩‍👧'", "'a' IN b", "NO == a", "add:to:(a, b) == 1", "-a == - 3",
    ]

    @Test("what is printed parses to the same tree (PRD-01)", arguments: formats)
    func printedTextParsesToTheSameTree(format: String) throws {
        let first = try NSPredicate(parsing: format)
        let second = try NSPredicate(parsing: first.formatString)
        #expect(outline(second) == outline(first), "\(first.formatString)")
        #expect(second == first)
        #expect(second.hash == first.hash)
        #expect(second.formatString == first.formatString)
    }

    @Test("a UUID is printed bare, as Apple's framework prints it, and parses again, in lists too (PRD-01)")
    func uuidIsPrintedBare() throws {
        let uuids = ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "01234567-89AB-CDEF-0123-456789ABCDEF"].compactMap(
            UUID.init)
        #expect(NSPredicate(format: "id == %@", uuids[0]).formatString == "id == \(uuids[0])")
        #expect(NSPredicate(format: "id IN %@", uuids).formatString == "id IN {\(uuids[0]), \(uuids[1])}")
        for uuid in uuids {
            let parsed = try NSPredicate(parsing: "id == \(uuid.uuidString.lowercased()) AND a - b - c == 1")
            #expect(parsed == NSPredicate(format: "id == %@ AND a - b - c == 1", uuid))
            let cast = try NSPredicate(parsing: "id == CAST('\(uuid)', 'NSUUID')")
            #expect(try evaluation(of: cast, on: ["id": uuid]))
            let list = NSPredicate(format: "id IN %@", uuids)
            #expect(try evaluation(of: NSPredicate(parsing: list.formatString), on: ["id": uuid]))
        }
        #expect(try NSPredicate(parsing: "e621e1f8 - c36c == 1").formatString == "e621e1f8 - c36c == 1")
    }

    @Test("values without a literal of their own survive printing (PRD-02, PRD-32)")
    func castsSurvivePrinting() throws {
        let values: [Any] = [
            Date(timeIntervalSinceReferenceDate: 700_000_000.123), UUID(), URL(fileURLWithPath: "/a b"),
            Data([0, 255, 7]),
            Decimal(string: "12345678901234567890.123456789") ?? 0, Int8(-3), UInt64.max, NSNumber(value: true),
            NSNumber(value: 2.5), true, "%@", "NUL \0 and \u{202E}", Double.infinity, -0.0, Double.pi, Float(0.1),
        ]
        for value in values {
            let predicate = NSPredicate(format: "a == %@", value)
            let reparsed = try NSPredicate(parsing: predicate.formatString)
            #expect(reparsed == predicate, "\(predicate.formatString)")
            #expect(try evaluation(of: reparsed, on: ["a": value]), "\(predicate.formatString)")
        }
        let list = NSPredicate(format: "a IN %@", [1, 2])
        #expect(list == NSPredicate(format: "a IN {1, 2}"))
        let set = NSPredicate(format: "a IN %@", Set([3, 1, 2]))
        #expect(set.formatString == "a IN {1, 2, 3}")
    }

    @Test("random trees print and parse to the same tree (PRD-01)")
    func randomTreesPrintAndParse() throws {
        let seed = TestSeed.first
        var random = RandomPredicates(generator: SeededRandom(seed: seed))
        for _ in 0..<4_000 {
            let predicate = random.predicate(depth: 4)
            let reparsed = try PredicateParser.predicateAndWarnings(from: predicate.formatString, arguments: [])
                .predicate
            let failure: Comment = "CORE_DATA_SEED=\(seed): \(predicate.formatString)"
            #expect(outline(reparsed) == outline(predicate), failure)
            #expect(reparsed == predicate && reparsed.hash == predicate.hash, failure)
        }
    }

    @Test func objectsAndBlocksPrintByTypeAndCompareByIdentity() {
        let (one, other) = (Sample([:]), Sample([:]))
        let predicate = NSPredicate(format: "a == %@", one)
        #expect(predicate.formatString == "a == <Sample>")
        #expect(predicate == NSPredicate(format: "a == %@", one))
        #expect(predicate != NSPredicate(format: "a == %@", other))
        #expect(NSPredicate { _, _ in true }.formatString == "BLOCKPREDICATE")
    }

    @Test func compoundsMadeByHandPrintToo() {
        let parts = [NSPredicate(format: "a == 1"), NSPredicate(value: true)]
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: parts).formatString == "a == 1 OR TRUEPREDICATE")
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).formatString == "TRUEPREDICATE")
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: []).formatString == "FALSEPREDICATE")
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: parts[0]).formatString == "NOT a == 1")
    }
}

/// Trees of predicates as the parser would make them.
struct RandomPredicates {
    var generator: SeededRandom

    mutating func predicate(depth: Int) -> NSPredicate {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
        case 0, 1, 2: comparison(depth: depth)
        case 3: NSCompoundPredicate(type: .not, subpredicates: [predicate(depth: depth - 1)])
        case 4: NSCompoundPredicate(type: .and, subpredicates: parts(depth))
        default: NSCompoundPredicate(type: .or, subpredicates: parts(depth))
        }
    }

    private mutating func parts(_ depth: Int) -> [NSPredicate] {
        (0..<Int.random(in: 2...3, using: &generator)).map { _ in predicate(depth: depth - 1) }
    }

    private mutating func comparison(depth: Int) -> NSPredicate {
        let types = NSComparisonPredicate.Operator.allCases.filter { $0 != .customSelector }
        let type = types.randomElement(using: &generator) ?? .equalTo
        return NSComparisonPredicate(
            leftExpression: expression(depth: depth), rightExpression: expression(depth: depth),
            modifier: [.direct, .any, .all].randomElement(using: &generator) ?? .direct, type: type,
            options: .init(rawValue: UInt.random(in: 0..<16, using: &generator)))
    }

    private static let keys = [
        "a", "b.c", "in", "x y", "d.@count", "@sum.a", "first", "SIZE.last", "", "1a", "a:b", "größe", "and.OR", "#x",
        "fetch.CAST", "%@", "q\"'\\",
    ]

    private static let constants: [(any Sendable)?] = [
        "s", "\"\\'", nil, "\0\r\n", true, 2.5e-9, Double.nan, -Double.infinity, Decimal.nan, Decimal(-7), UInt64.max,
        Date(timeIntervalSinceReferenceDate: -0.25), Date(timeIntervalSinceReferenceDate: .infinity), Data(),
        UUID(uuidString: "00000000-0000-0000-0000-00000000000F"), URL(string: "https://example.org/%20?q=1"),
    ]

    mutating func expression(depth: Int) -> NSExpression {
        switch Int.random(in: 0..<(depth > 0 ? 16 : 5), using: &generator) {
        case 0: NSExpression(forConstantValue: Int.random(in: -9...9, using: &generator))
        case 1: NSExpression(forKeyPath: Self.keys.randomElement(using: &generator) ?? "a")
        case 2: NSExpression(forVariable: ["v", "odd v", "", "1"].randomElement(using: &generator) ?? "v")
        case 3: NSExpression(forConstantValue: Self.constants.randomElement(using: &generator) ?? nil)
        case 4: NSExpression.expressionForEvaluatedObject()
        case 5: NSExpression(forAggregate: [expression(depth: depth - 1), expression(depth: depth - 1)])
        case 6: NSExpression(forUnionSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 7:
            NSExpression(
                forSubquery: expression(depth: depth - 1), usingIteratorVariable: "x",
                predicate: predicate(depth: depth - 1))
        case 8:
            NSExpression(
                forConditional: predicate(depth: depth - 1), trueExpression: expression(depth: depth - 1),
                falseExpression: expression(depth: depth - 1))
        case 9: NSExpression(.assignment(variable: "w", expression(depth: depth - 1)))
        case 10:
            NSFetchRequestExpression.expression(
                forFetch: expression(depth: depth - 1), context: expression(depth: depth - 1),
                countOnly: Bool.random(using: &generator))
        case 11: element(depth: depth)
        case 12: NSExpression(forMinusSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 13: NSExpression.expressionForAnyKey()
        default:
            NSExpression(
                forFunction: ExpressionFunction.allCases.filter { $0.arity == 2 }.randomElement(using: &generator)?
                    .rawValue ?? "",
                arguments: [expression(depth: depth - 1), expression(depth: depth - 1)])
        }
    }

    private mutating func element(depth: Int) -> NSExpression {
        let index = NSExpression(
            .constant(([.first, .last, .size] as [CollectionIndex]).randomElement(using: &generator)))
        let collection = expression(depth: depth - 1)
        return NSExpression(.function(.element, arguments: [collection, index]))
    }
}
