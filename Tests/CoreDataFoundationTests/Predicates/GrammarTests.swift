import CoreDataFoundation
import Testing

/// Every construct of Apple's predicate language: how it prints, and that the print is the same predicate.
struct GrammarTests {
    @Test("every construct prints as Apple's and parses back (PRD-01, PRD-08, PRD-13, PRD-18)", arguments: grammar)
    func constructPrintsAndParsesBack(format: String, printed: String) throws {
        let predicate = try NSPredicate(parsing: format)
        #expect(predicate.formatString == printed)
        let again = try NSPredicate(parsing: printed)
        #expect(again == predicate && again.hash == predicate.hash)
        #expect(again.formatString == printed && outline(again) == outline(predicate))
        let copy = try #require(predicate.copy() as? NSPredicate)
        #expect(copy == predicate && copy.hash == predicate.hash)
    }

    @Test("no two constructs of different meaning are equal (PRD-01)")
    func differentConstructsDiffer() throws {
        var known: [String: NSPredicate] = [:]
        for (format, printed) in Self.grammar where known[printed] == nil {
            let predicate = try NSPredicate(parsing: format)
            #expect(known.values.allSatisfy { $0 != predicate }, "\(format)")
            known[printed] = predicate
        }
        #expect(known.count > 100)
    }

    @Test(
        "every token takes its argument (PRD-02)",
        arguments: [
            ("%@", "x" as any Sendable, "\"x\""), ("%d", 5, "5"), ("%i", Int32(-5), "-5"), ("%u", UInt(5), "5"),
            ("%ld", 5, "5"), ("%lu", UInt.max, "18446744073709551615"), ("%lld", Int64.min, "-9223372036854775808"),
            ("%llu", UInt64(7), "7"), ("%f", 1.5, "1.5"), ("%g", 1e30, "1e+30"), ("%x", 255, "255"), ("%X", 10, "10"),
            ("%o", 8, "8"), ("%e", 2.5, "2.5"), ("%c", CChar(65), "65"), ("%s", "it's \"so\"", "\"it's \\\"so\\\"\""),
            ("%hhd", Int8(1), "1"), ("%qi", 1, "1"), ("%zu", UInt(2), "2"),
        ])
    func tokenTakesItsArgument(token: String, argument: any Sendable, printed: String) throws {
        let predicate = try NSPredicate(parsing: "a == \(token) AND b == %@", arguments: [argument, 1])
        #expect(predicate.formatString == "a == \(printed) AND b == 1")
    }

    @Test("%K is a key, %% the remainder; neither is quoted (PRD-03)")
    func keyTokenAndPercentSign() throws {
        let predicate = try NSPredicate(parsing: "%K.%K %% 2 == 1", arguments: ["a.b", "in"])
        #expect(predicate.formatString == "a.b.in %% 2 == 1")
    }

    @Test(
        "an index finds its element (PRD-21, PRD-27)",
        arguments: [
            ("list[0]", "1"), ("list[FIRST]", "1"), ("list[last]", "3"), ("list[SIZE]", "3"), ("list[3]", "nil"),
            ("list[-1]", "nil"), ("list[list[0]]", "2"), ("list[list[SIZE] - 1]", "3"), ("nothing[0]", "nil"),
            ("{}[LAST]", "nil"), ("nested[1][0]", "7"), ("records[0].name", "x"), ("{4, 5}[1]", "5"),
        ])
    func indexFindsItsElement(text: String, expected: String) throws {
        let object: [String: Any] = ["list": [1, 2, 3], "nested": [[6], [7]], "records": [["name": "x"]]]
        #expect(try value(text, on: object).map { "\($0)" } ?? "nil" == expected)
    }
}

extension GrammarTests {
    static let grammar = comparisons + wordComparisons + logic + literals + names + computations

    private static let comparisons = [
        ("=", "=="), ("==", "=="), ("!=", "!="), ("<>", "!="), ("<", "<"), (">", ">"), ("<=", "<="), ("=<", "<="),
        (">=", ">="), ("=>", ">="),
    ].flatMap { sign, printed in
        ["", "[c]", "[d]", "[cd]", "[n]", "[l]", "[cdnl]"].map { options in
            ("a \(sign)\(options) b", "a \(printed)\(options) b")
        }
    }

    private static let wordComparisons = ["CONTAINS", "IN", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"].flatMap {
        word in
        ["", "[c]", "[d]", "[cd]", "[n]", "[l]"].flatMap { options in
            [word, word.lowercased(), word.capitalized].map { written in
                ("a \(written)\(options) 'x'", "a \(word)\(options) \"x\"")
            }
        }
    }

    private static let logic = [
        ("a BETWEEN[c] {'x', 'y'}", "a BETWEEN[c] {\"x\", \"y\"}"), ("a between [ cd ] $b", "a BETWEEN[cd] $b"),
        ("NONE a.b BETWEEN {1, 2}", "NOT ANY a.b BETWEEN {1, 2}"),
        ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"), ("a between { b , $c }", "a BETWEEN {b, $c}"),
        ("ANY a.b > 1", "ANY a.b > 1"), ("some a.b > 1", "ANY a.b > 1"), ("All a.b > 1", "ALL a.b > 1"),
        ("NONE a.b > 1", "NOT ANY a.b > 1"), ("a=1 && b=2", "a == 1 AND b == 2"), ("a=1 And b=2", "a == 1 AND b == 2"),
        ("a=1 || b=2", "a == 1 OR b == 2"), ("!(a=1)", "NOT a == 1"), ("not a=1", "NOT a == 1"),
        ("a=1 OR b=2 AND c=3", "a == 1 OR (b == 2 AND c == 3)"),
        ("(a=1 OR b=2) AND c=3", "(a == 1 OR b == 2) AND c == 3"),
        ("TruePredicate", "TRUEPREDICATE"), ("FALSEPREDICATE", "FALSEPREDICATE"),
        ("NOT TRUEPREDICATE", "NOT TRUEPREDICATE"),
    ]

    private static let literals = [
        ("a = 'it\\'s'", "a == \"it's\""), ("a = \"q\\\"\"", "a == \"q\\\"\""),
        ("a = '\\\\\\n\\t\\r'", "a == \"\\\\\\n\\t\\r\""),
        ("a = '\\u00e9'", "a == \"é\""), ("a = '%@'", "a == \"%@\""), ("a = 10", "a == 10"), ("a = -10", "a == -10"),
        ("a = 0x1f", "a == 31"), ("a = 0o17", "a == 15"), ("a = 0b11", "a == 3"), ("a = 1.25", "a == 1.25"),
        ("a = 1e3", "a == 1000.0"), ("a = 1.5E-3", "a == 0.0015"), ("a = yes", "a == YES"), ("a = NO", "a == NO"),
        ("a = true", "a == YES"), ("a = FALSE", "a == NO"), ("a = NULL", "a == nil"), ("a = nil", "a == nil"),
        ("a IN {}", "a IN {}"), ("a IN {1,'x',{b}}", "a IN {1, \"x\", {b}}"),
        ("a = CAST(5, 'NSDate')", "a == CAST(5.0, \"NSDate\")"),
    ]

    private static let names = [
        ("SELF = 1", "SELF == 1"), ("self.a = 1", "a == 1"), ("$v.a = $w", "$v.a == $w"), ("#any = 1", "#any == 1"),
        ("#a = 2", "a == 2"), ("a.#between = 1", "a.between == 1"), ("a.@sum.b = 1", "a.@sum.b == 1"),
        ("ANYKEY = 1", "ANYKEY == 1"), ("a[0] = 1", "a[0] == 1"), ("a [ FIRST ].b = 1", "a[FIRST].b == 1"),
        ("a[last] = 1", "a[LAST] == 1"), ("a[Size] = 1", "a[SIZE] == 1"), ("a[#first] = 1", "a[#first] == 1"),
        ("a[b[$i + 1]][2] = 1", "a[b[$i + 1]][2] == 1"), ("(a UNION b)[0] = 1", "(a UNION b)[0] == 1"),
        ("objectFrom:withIndex:(a, 3) = 1", "a[3] == 1"), ("{1, 2}[0] = 1", "{1, 2}[0] == 1"),
        ("first = 1", "#first == 1"), ("size > LAST", "#size > #LAST"), ("a.first = 1", "a.first == 1"),
        ("$\"odd x\".b = 1", "$\"odd x\".b == 1"), ("$\"plain\" = 1", "$plain == 1"),
        ("'x'.length = 1", "\"x\".length == 1"),
        ("{1, 2}.@count = 2", "{1, 2}.@count == 2"), ("(5).a = 2", "(5).a == 2"),
        ("objectFrom:withIndex:(a, FIRST) = 1", "a[FIRST] == 1"),
        ("FUNCTION(a, 'objectFrom:withIndex:', size) = 1", "a[SIZE] == 1"),
        ("objectFrom:withIndex:(a, #first) = 1", "a[#first] == 1"),
    ]

    private static let computations = [
        ("($x := a) = 1", "($x := a) == 1"), ("$x := a + 1 = b", "($x := a + 1) == b"),
        ("$x:=$y := 2 = 2", "($x := $y := 2) == 2"), ("1 + ($x := 2) = 3", "1 + ($x := 2) == 3"),
        ("sum($x := a) = 1", "sum:($x := a) == 1"), ("-($x := a) = 1", "0 - ($x := a) == 1"),
        ("a[$i := 0] = 1", "a[$i := 0] == 1"), ("($x := a).b = 1", "($x := a).b == 1"),
        ("{$x := 1} = a", "{$x := 1} == a"),
        ("FETCH($request, $context, NO) = a", "FETCH($request, $context, NO) == a"),
        ("fetch(a.b, self, true) > 5", "FETCH(a.b, SELF, YES) > 5"),
        ("FETCH(a, b, NO).@count = 1", "FETCH(a, b, NO).@count == 1"), ("randomn(5) < a", "random:(5) < a"),
        ("a = CAST('NaN', 'NSDecimalNumber')", "a == CAST(\"NaN\", \"NSDecimalNumber\")"),
        ("a = CAST('-inf', 'NSDate')", "a == CAST(\"-inf\", \"NSDate\")"),
        ("castObject:toType:({1}, 'NSDate') = b", "CAST({1}, \"NSDate\") == b"),
        ("a + b * c - d / e = 1", "a + b * c - d / e == 1"), ("(a + b) * c = 1", "(a + b) * c == 1"),
        ("a ** b ** c = 1", "a ** b ** c == 1"), ("(a ** b) ** c = 1", "(a ** b) ** c == 1"),
        ("a %% 2 = 1", "a %% 2 == 1"), ("a & b | c ^ d = 1", "a & b | c ^ d == 1"),
        ("a << 1 >> 2 = 1", "a << 1 >> 2 == 1"),
        ("-a = 1", "0 - a == 1"), ("~a = 1", "onesComplement:(a) == 1"), ("sum(a, b) = 1", "sum:(a, b) == 1"),
        ("add:to:(a, b) = 2", "a + b == 2"), ("now() > a", "now() > a"), ("random() < a", "random() < a"),
        ("random(5) < a", "random:(5) < a"), ("distinct(a) = b", "distinct:(a) == b"),
        ("SUBQUERY(a, $x, $x.b = 1).@count = 1", "SUBQUERY(a, $x, $x.b == 1).@count == 1"),
        ("ternary(a = 1, b, c) = 1", "TERNARY(a == 1, b, c) == 1"),
        ("CAST(a + 1, 'NSDate') = b", "CAST(a + 1, \"NSDate\") == b"),
        ("castObject:toType:(a, 'NSString') = b", "CAST(a, \"NSString\") == b"),
        ("castObject:toType:(1, 'NSString') = b", "castObject:toType:(1, \"NSString\") == b"),
        ("FUNCTION(a, 'uppercase:') = b", "uppercase:(a) == b"), ("function(a, 'add:to:', 1) = b", "a + 1 == b"),
        ("a UNION b = c", "a UNION b == c"), ("a intersect b = c", "a INTERSECT b == c"),
        ("a Minus b = c", "a MINUS b == c"),
    ]
}
