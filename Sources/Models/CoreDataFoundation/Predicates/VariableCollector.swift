/// Finds the variables for which a predicate needs values; variables that subqueries bind are left out.
struct VariableCollector {
    private(set) var names: Set<String> = []
    private var bound: [String] = []

    mutating func visit(_ predicate: NSPredicate) {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            visit(comparison.leftExpression)
            visit(comparison.rightExpression)
        case let compound as Foundation.NSCompoundPredicate: for part in compound.subpredicates { visit(part) }
        default: break
        }
    }

    mutating func visit(_ expression: NSExpression) {
        switch expression.form {
        case .variable(let name): if !bound.contains(name) { names.insert(name) }
        case .constant, .evaluatedObject, .keyPath(nil, _), .anyKey: break
        case .keyPath(let operand?, _): visit(operand)
        case .function(_, let parts), .aggregate(let parts), .block(_, let parts): for part in parts { visit(part) }
        case .call(let receiver, _, let parts): for part in [receiver] + parts { visit(part) }
        case .set(_, let left, let right):
            visit(left)
            visit(right)
        case .assignment(_, let value): visit(value)
        case .fetch(let request, let context, _):
            visit(request)
            visit(context)
        case .subquery(let collection, let name, let predicate):
            visit(collection)
            bound.append(name)
            visit(predicate)
            bound.removeLast()
        case .conditional(let condition, let whenTrue, let whenFalse):
            visit(condition)
            visit(whenTrue)
            visit(whenFalse)
        }
    }
}
