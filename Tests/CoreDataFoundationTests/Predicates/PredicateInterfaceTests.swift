import CoreDataFoundation
import Testing

/// Every name of Apple's four predicate classes, used as an app would.
struct PredicateInterfaceTests {
    private let people: [[String: Any]] = [
        ["name": "Ann", "age": 30, "tags": ["a", "b"]], ["name": "Bob", "age": 20, "tags": [String]()],
    ]

    /// A value in words, without the layers of Optional in lists.
    private func shown(_ value: Any?) -> String {
        "\(value ?? "nil")".replacing("Optional(", with: "").replacing(")", with: "")
    }

    private func names(_ predicate: NSPredicate) -> [String] {
        people.filter { predicate.evaluate(with: $0) }.compactMap { $0["name"] as? String }
    }

    @Test("every name of NSPredicate (PRD-01, PRD-02, PRD-05, PRD-07)")
    func everyNameOfPredicate() {
        let adults: NSPredicate = NSPredicate(format: "age > %d AND name BEGINSWITH[c] %@", 25, "a")
        #expect(names(adults) == ["Ann"])
        #expect(names(NSPredicate(format: "%K == %@", argumentArray: ["name", "Bob"])) == ["Bob"])
        #expect(names(NSPredicate(format: "name == 'Bob'", argumentArray: nil)) == ["Bob"])
        let list: [any CVarArg] = [25, 35]
        #expect(names(NSPredicate(format: "age BETWEEN {%d, %d}", arguments: getVaList(list))) == ["Ann"])
        #expect(withVaList(list) { names(NSPredicate(format: "age > %d AND age < %d", arguments: $0)) } == ["Ann"])
        #expect(names(NSPredicate(value: true)).count == 2 && names(NSPredicate(value: false)).isEmpty)
        let block = NSPredicate { object, bindings in
            (object as? [String: Any])?["age"] as? Int == bindings?["AGE"] as? Int
        }
        #expect(block.evaluate(with: people[0], substitutionVariables: ["AGE": 30]))
        #expect(!block.evaluate(with: people[1], substitutionVariables: ["AGE": 30]))
        #expect(adults.predicateFormat == "age > 25 AND name BEGINSWITH[c] \"a\"")
        let template = NSPredicate(format: "age == $AGE")
        #expect(names(template.withSubstitutionVariables(["AGE": 20])) == ["Bob"])
        #expect(template.evaluate(with: people[0], substitutionVariables: ["AGE": 30]))
        #expect((adults.copy() as? NSPredicate) == adults)
    }

    @Test("every name of NSComparisonPredicate (PRD-08, PRD-13, PRD-17)")
    func everyNameOfComparison() throws {
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "tags"), rightExpression: NSExpression(forConstantValue: "B"),
            modifier: .any, type: .equalTo, options: [.caseInsensitive, .diacriticInsensitive])
        #expect(names(comparison) == ["Ann"])
        #expect(comparison.leftExpression.keyPath == "tags")
        #expect(comparison.rightExpression.constantValue as? String == "B")
        #expect(comparison.comparisonPredicateModifier == .any && comparison.predicateOperatorType == .equalTo)
        #expect(comparison.options == NSComparisonPredicate.Options(rawValue: 3))
        #expect(comparison.predicateFormat == "ANY tags ==[cd] \"B\"")
        let operators: [(NSComparisonPredicate.Operator, UInt)] = [
            (.lessThan, 0), (.lessThanOrEqualTo, 1), (.greaterThan, 2), (.greaterThanOrEqualTo, 3), (.equalTo, 4),
            (.notEqualTo, 5), (.matches, 6), (.like, 7), (.beginsWith, 8), (.endsWith, 9), (.in, 10),
            (.customSelector, 11), (.contains, 99), (.between, 100),
        ]
        #expect(operators.allSatisfy { $0.rawValue == $1 })
        let modifiers: [NSComparisonPredicate.Modifier] = [.direct, .all, .any]
        #expect(modifiers.map(\.rawValue) == [0, 1, 2])
        let options: [NSComparisonPredicate.Options] = [.caseInsensitive, .diacriticInsensitive, .normalized]
        #expect(options.map(\.rawValue) == [1, 2, 4])
        for (operation, _) in operators where operation != .customSelector {
            for modifier in modifiers {
                for option in options {
                    let made = NSComparisonPredicate(
                        leftExpression: comparison.leftExpression, rightExpression: comparison.rightExpression,
                        modifier: modifier, type: operation, options: option)
                    #expect(try NSPredicate(parsing: made.formatString) == made)
                }
            }
        }
    }

    @Test("a custom selector is refused by name (PRD-08, HAZ-51)")
    func customSelectorIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let path = NSExpression(forKeyPath: "a")
            _ = NSComparisonPredicate(
                leftExpression: path, rightExpression: path, modifier: .direct, type: .customSelector)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("custom selectors"))
    }

    @Test("every name of NSCompoundPredicate (PRD-19, PRD-20)")
    func everyNameOfCompound() throws {
        let parts = [NSPredicate(format: "age > 25"), NSPredicate(format: "name == 'Bob'")]
        let and = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        let or = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: parts[0])
        let typed = NSCompoundPredicate(type: .or, subpredicates: parts)
        #expect(names(and).isEmpty && names(or) == ["Ann", "Bob"] && names(not) == ["Bob"])
        #expect(names(typed) == names(or) && typed.compoundPredicateType == NSCompoundPredicate.LogicalType.or)
        #expect(typed.subpredicates == parts)
        for predicate in [and, or, not, typed] {
            let parsed = try NSPredicate(parsing: predicate.formatString)
            #expect(parsed == predicate && parsed.formatString == predicate.formatString)
        }
    }
}

/// Every name of `NSExpression`.
extension PredicateInterfaceTests {
    @Test("every way to make an NSExpression (PRD-27)")
    func everyWayToMakeAnExpression() throws {
        let path = NSExpression(forKeyPath: "age")
        let one = NSExpression(forConstantValue: 1)
        let list = NSExpression(forAggregate: [one, NSExpression(forConstantValue: 2)])
        let twos = NSExpression(forAggregate: [NSExpression(forConstantValue: 2)])
        let isOld = NSPredicate(format: "$x > 1")
        let made: [(NSExpression, NSExpression.ExpressionType, String, String)] = [
            (NSExpression(format: "age + %d", 1), .function, "age + 1", "31"),
            (NSExpression(format: "%K", argumentArray: ["age"]), .keyPath, "age", "30"),
            (NSExpression(format: "%K * %d", arguments: getVaList(["age", 2])), .function, "age * 2", "60"),
            (one, .constantValue, "1", "1"), (path, .keyPath, "age", "30"),
            (NSExpression(forVariable: "limit"), .variable, "$limit", "7"),
            (NSExpression(forFunction: "add:to:", arguments: [path, one]), .function, "age + 1", "31"),
            (
                NSExpression(forFunction: path, selectorName: "multiply:by:", arguments: [3]), .function, "age * 3",
                "90"
            ),
            (list, .aggregate, "{1, 2}", "[1, 2]"),
            (NSExpression(forUnionSet: list, with: twos), .unionSet, "{1, 2} UNION {2}", "[1, 2]"),
            (NSExpression(forIntersectSet: list, with: twos), .intersectSet, "{1, 2} INTERSECT {2}", "[2]"),
            (NSExpression(forMinusSet: list, with: twos), .minusSet, "{1, 2} MINUS {2}", "[1]"),
            (
                NSExpression(forSubquery: list, usingIteratorVariable: "x", predicate: isOld), .subquery,
                "SUBQUERY({1, 2}, $x, $x > 1)", "[2]"
            ),
            (
                NSExpression(
                    forConditional: NSPredicate(format: "age > 18"), trueExpression: one, falseExpression: path),
                .conditional, "TERNARY(age > 18, 1, age)", "1"
            ),
        ]
        for (expression, type, text, value) in made {
            #expect(expression.expressionType == type && expression.formatString == text)
            #expect(try NSExpression(parsing: text) == expression)
            let context: NSMutableDictionary = ["limit": 7]
            let found = expression.expressionValue(with: people[0], context: context)
            #expect(shown(found) == value)
        }
        #expect(NSExpression.expressionForEvaluatedObject().expressionValue(with: 5, context: nil) as? Int == 5)
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
        let block = NSExpression(
            block: { object, arguments, _ in [object, arguments[0], arguments[1]] }, arguments: [one, path])
        #expect(block.expressionType == .block && block.arguments == [one, path])
        #expect((block.expressionValue(with: ["age": 3], context: nil) as? [Any?])?.last as? Int == 3)
    }

    @Test("every part of an NSExpression (PRD-27)")
    func everyPartOfAnExpression() throws {
        let call = NSExpression(format: "sum:(a.b)")
        #expect(call.function == "sum:" && call.arguments?.first?.keyPath == "a.b")
        let path = NSExpression(format: "$v.a.b")
        #expect(path.keyPath == "a.b" && path.operand.variable == "v")
        #expect(NSExpression(forConstantValue: 5).constantValue as? Int == 5)
        let subquery = NSExpression(format: "SUBQUERY(list, $x, $x == 1)")
        #expect((subquery.collection as? NSExpression)?.keyPath == "list" && subquery.variable == "x")
        #expect(subquery.predicate.formatString == "$x == 1")
        let union = NSExpression(format: "a UNION b")
        #expect(union.left.keyPath == "a" && union.right.keyPath == "b")
        let choice = NSExpression(format: "TERNARY(a == 1, b, c)")
        #expect(choice.true.keyPath == "b" && choice.false.keyPath == "c" && choice.predicate.formatString == "a == 1")
        #expect((NSExpression(format: "{1, a}").collection as? [NSExpression])?.count == 2)
        let raw: [NSExpression.ExpressionType] = [
            .constantValue, .evaluatedObject, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet,
            .subquery, .aggregate, .anyKey, .block, .conditional, NSFetchRequestExpressionType,
        ]
        #expect(raw.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 19, 20, 50])
    }

    @Test("a target and a selector name call the closed list only (PRD-27, HAZ-51)")
    func selectorNameIsOfTheClosedList() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(
                forFunction: .expressionForEvaluatedObject(), selectorName: "performSelector:", arguments: ["exit"])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("unknown function"))
    }
}
