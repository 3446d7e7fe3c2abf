import CoreDataFoundation
import Testing

/// Key paths given by name that begin with a variable.
struct VariablePathTests {
    private let team: [String: Any] = ["members": [["name": "a", "pay": 1], ["name": "b", "pay": 3]]]

    private func subquery(_ left: NSExpression) -> NSExpression {
        let condition = NSComparisonPredicate(
            leftExpression: left, rightExpression: NSExpression(forConstantValue: 2), modifier: .direct,
            type: .greaterThan)
        return NSExpression(
            forSubquery: NSExpression(forKeyPath: "members"), usingIteratorVariable: "x", predicate: condition)
    }

    @Test("$x.name given as a key path is the path from the variable (PRD-27)")
    func pathLeadsFromTheVariable() {
        let expression = subquery(NSExpression(forKeyPath: "$x.pay"))
        #expect((expression.expressionValue(with: team, context: nil) as? [Any])?.count == 1)
        #expect(expression.description == "SUBQUERY(members, $x, $x.pay > 2)")
        #expect(expression == NSExpression(format: "SUBQUERY(members, $x, $x.pay > 2)"))
        #expect(subquery(NSExpression(forKeyPath: "$x")).description == "SUBQUERY(members, $x, $x > 2)")
    }

    @Test("so is the argument of %K (PRD-27)")
    func argumentLeadsFromTheVariable() {
        let format = NSExpression(format: "SUBQUERY(members, $x, %K > 2).@count", "$x.pay")
        #expect(format.expressionValue(with: team, context: nil) as? Int == 1)
        #expect(NSExpression(forKeyPath: "pay").keyPath == "pay" && NSExpression(forKeyPath: "$").keyPath == "$")
    }
}
