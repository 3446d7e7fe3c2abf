import CoreDataFoundation
import Testing

/// `$x := value` and `FETCH(request, context, …)`.
struct AssignmentAndFetchTests {
    @Test("an assignment has the value of its right side, which the context keeps (PRD-27)")
    func assignmentHasItsValue() throws {
        let expression = NSExpression(format: "$total := price * 2")
        #expect(expression.expressionType == .variableAssignment && expression.variable == "total")
        let context: NSMutableDictionary = ["other": 1]
        #expect(expression.expressionValue(with: ["price": 4], context: context) as? Int == 8)
        #expect(context["total"] as? Int == 8 && context["other"] as? Int == 1)
        #expect(expression.expressionValue(with: ["price": 4], context: nil) as? Int == 8)
        let nothing = NSMutableDictionary()
        #expect(NSExpression(format: "$x := nil").expressionValue(with: nil, context: nothing) == nil)
        #expect(nothing["x"] is NSNull)
        #expect(try holds("($x := a) + 1 == 3", on: ["a": 2]))
    }

    @Test("values replace the variables on the right of an assignment, never the assigned name (PRD-07, PRD-27)")
    func assignedNameIsNotReplaced() {
        let predicate = NSPredicate(format: "($x := $y + 1) == $x")
        #expect(predicate.variableNames == ["x", "y"])
        #expect(predicate.withSubstitutionVariables(["x": 5, "y": 4]).formatString == "($x := 4 + 1) == 5")
        let fetch = NSPredicate(format: "FETCH($r, $c, NO) == $r").withSubstitutionVariables(["r": "a"])
        #expect(fetch.formatString == "FETCH(\"a\", $c, NO) == \"a\"")
    }

    @Test("FETCH has the parts of Apple's class, in a predicate and from its constructor (PRD-27)")
    func fetchHasItsParts() throws {
        let made = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forVariable: "r"), context: NSExpression(forVariable: "c"), countOnly: true)
        let comparison = try NSComparisonPredicate(parsing: "FETCH($r, $c, YES) > 5")
        let bound = try #require(
            comparison.withSubstitutionVariables([:]).leftExpression as? NSFetchRequestExpression)
        for expression in [try #require(made as? NSFetchRequestExpression), bound] {
            #expect(expression.requestExpression.variable == "r" && expression.contextExpression.variable == "c")
            #expect(expression.isCountOnlyRequest && expression.expressionType == NSFetchRequestExpressionType)
            #expect(expression == made && expression.hash == made.hash && expression.copy() as? NSExpression == made)
        }
        #expect(made != (try NSExpression(parsing: "FETCH($r, $c, NO)")))
    }

    @Test("FETCH asks the context for its request; without a context there is an error that says so (PRD-27)")
    func fetchAsksTheContext() throws {
        let context = Requests()
        let variables: [String: Any] = ["c": context, "r": "people"]
        #expect(try holds("FETCH($r, $c, NO).name CONTAINS 'Ann'", on: nil, variables: variables))
        #expect(try holds("FETCH($r, $c, YES) == 2", on: nil, variables: variables))
        #expect(context.asked == ["people false", "people true"])
        for format in ["FETCH($r, $r, NO) == 1", "FETCH($r, nil, NO) == 1"] {
            let error = #expect(throws: ExpressionError.self) { try holds(format, on: nil, variables: variables) }
            #expect(error?.description.contains("FETCH without a managed object context") == true)
        }
    }

    private final class Requests: FetchRequestExecution {
        var asked: [String] = []

        func result(ofRequest request: Any?, isCountOnly: Bool) throws -> Any {
            asked.append("\(request ?? "nil") \(isCountOnly)")
            return isCountOnly ? 2 : [["name": "Ann"], ["name": "Bob"]]
        }
    }
}
