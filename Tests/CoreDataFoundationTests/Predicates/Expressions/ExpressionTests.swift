import CoreDataFoundation
import Testing

struct ExpressionTests {
    @Test(
        "arithmetic and functions (PRD-27)",
        arguments: [
            ("2 + 3 * 4", "14"), ("7 / 2", "3"), ("7 / 2.0", "3.5"), ("-7 / 2", "-3"), ("7 %% 4", "3"),
            ("-7 %% 4", "-3"),
            ("1 / 0", "nil"), ("1 %% 0", "nil"), ("2 ** 10", "1024.0"),
            ("9223372036854775807 + 1", "9.223372036854776e+18"),
            ("CAST('0.1', 'NSDecimalNumber') + 0.2", "0.3"), ("6 & 3", "2"), ("6 | 3", "7"), ("6 ^ 3", "5"),
            ("~0", "-1"),
            ("1 << 4", "16"), ("256 >> 4", "16"), ("sum({1, 2, 3})", "6"), ("sum({})", "0"), ("average({1, 2})", "1.5"),
            ("average({})", "nil"), ("min({3, 1, nil})", "1"), ("max({3, 1})", "3"), ("count({1, nil, 2})", "2"),
            ("median({3, 1, 2})", "2"), ("median({1, 2})", "1.5"), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", "2.0"),
            ("sqrt(9)", "3.0"),
            ("abs(-5)", "5"), ("floor(-1.5)", "-2.0"), ("ceiling(1.2)", "2.0"), ("trunc(-1.7)", "-1.0"),
            ("log(100)", "2.0"),
            ("uppercase('é')", "É"), ("lowercase('ÀB')", "àb"), ("length('abc')", "3"), ("canonical('Élan')", "elan"),
            ("TERNARY(1 < 2, 'yes', 'no')", "yes"), ("noindex(5)", "5"), ("1 << 70", "0"),
            ("9223372036854775807 * 9", "8.301034833169298e+19"),
            ("-9223372036854775808 / -1", "9.223372036854776e+18"), ("-9223372036854775808 %% -1", "0"),
            ("nil + 1", "nil"),
            ("add:to:(1, 2)", "3"), ("sum({1, 2.5})", "3.5"), ("'x'", "x"), ("exp(0)", "1.0"), ("ln(1)", "0.0"),
        ])
    func functionsHaveValues(text: String, expected: String) throws {
        #expect(try value(text).map { "\($0)" } ?? "nil" == expected)
    }

    @Test("a list is one argument of a format, several values are several (PRD-27)") func formatArguments() throws {
        let list: [Any?] = [1, nil, 4]
        #expect(NSExpression(format: "sum(%@)", list).expressionValue(with: nil, context: nil) as? Int == 5)
        #expect(NSExpression(format: "%@ - %@", 9, 4).expressionValue(with: nil, context: nil) as? Int == 5)
    }

    @Test("a format's arguments are keys and values (PRD-27)") func formatsHaveArguments() {
        let expression = NSExpression(format: "%K * 2 + %d", "age", 3)
        #expect(expression.expressionValue(with: ["age": 20], context: nil) as? Int == 43)
        #expect(NSExpression(format: "%@", "a * 2").constantValue as? String == "a * 2")
    }

    @Test("set expressions and mode (PRD-27)")
    func setExpressions() throws {
        #expect(try value("{1, 2} UNION {2, 3}") as? [Int] == [1, 2, 3])
        #expect(try value("{1, 2} INTERSECT {2, 3}") as? [Int] == [2])
        #expect(try value("{1, 2} MINUS {2, 3}") as? [Int] == [1])
        #expect(try value("mode({1, 2, 2, 3, 3})") as? [Int] == [2, 3])
        #expect(try holds("(a UNION {5}) CONTAINS 5", on: ["a": [1]]))
        #expect(throws: ExpressionError.self) { try value("1 UNION {2}") }
    }

    @Test(
        "wrong types are errors (PRD-27)",
        arguments: ["'a' + 1", "sum({'a'})", "uppercase(5)", "SUBQUERY(5, $x, $x == 1)", "abs('x')"])
    func wrongTypesAreErrors(text: String) {
        #expect(throws: ExpressionError.self) { try value(text) }
    }

    @Test("constructors are Apple's and have their parts (PRD-27)")
    func constructorsHaveTheirParts() {
        let path = NSExpression(forKeyPath: "a.b")
        #expect(
            path.expressionType == .keyPath && path.keyPath == "a.b" && path.operand.expressionType == .evaluatedObject)
        #expect(NSExpression(forConstantValue: Int?.none).constantValue == nil)
        #expect(NSExpression(forConstantValue: Optional(5) as Any).constantValue as? Int == 5)
        #expect(NSExpression(forVariable: "x").variable == "x")
        let sum = NSExpression(forFunction: "sum:", arguments: [path])
        #expect(sum.function == "sum:" && sum.arguments == [path])
        let list = NSExpression(forAggregate: [path, sum])
        #expect((list.collection as? [NSExpression])?.count == 2)
        let union = NSExpression(forUnionSet: list, with: path)
        #expect(union.expressionType == .unionSet && union.left == list && union.right == path)
        #expect(NSExpression(forIntersectSet: list, with: path).expressionType == .intersectSet)
        #expect(NSExpression(forMinusSet: list, with: path).expressionType == .minusSet)
        let subquery = NSExpression(
            forSubquery: path, usingIteratorVariable: "$x", predicate: NSPredicate(value: true))
        #expect(subquery.variable == "x" && subquery.predicate.formatString == "TRUEPREDICATE")
        let condition = NSExpression(
            forConditional: NSPredicate(format: "SELF > 1"), trueExpression: path, falseExpression: sum)
        #expect(condition.expressionType == .conditional && condition.true == path && condition.false == sum)
        let block = NSExpression(
            block: { object, arguments, _ in (object as? Int ?? 0) + arguments.count }, arguments: [path])
        #expect(block.expressionType == .block && block.arguments?.count == 1)
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
        #expect(NSExpression.ExpressionType.conditional.rawValue == 20)
    }

    @Test func expressionsHaveValuesAndVariables() {
        let context: NSMutableDictionary = ["x": 5]
        let expression = NSExpression(format: "$x + %K * %d", "n", 2)
        #expect(expression.expressionValue(with: ["n": 3], context: context) as? Int == 11)
        let block = NSExpression(
            block: { object, arguments, _ in [object, arguments[0]] }, arguments: [NSExpression(format: "1 + 1")])
        #expect(block.expressionValue(with: 7, context: nil) as? [Int] == [7, 2])
    }

    @Test func equalExpressionsAreEqualAndHashAlike() throws {
        let (one, two) = (NSExpression(format: "a + 1"), NSExpression(format: "a+ 1"))
        #expect(one == two && one.hash == two.hash && one.copy() as? NSExpression == one)
        #expect(one != NSExpression(format: "a + 2"))
    }

    @Test func aWrongPartOrFunctionStops() async {
        await #expect(processExitsWith: .failure) { _ = NSExpression(forConstantValue: 1).keyPath }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forFunction: "system:", arguments: []) }
        await #expect(processExitsWith: .failure) { _ = NSExpression(format: "1 +") }
    }
}
