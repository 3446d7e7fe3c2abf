/// Visits an expression and all its parts, also the predicates of subqueries and conditionals.
package struct ExpressionWalk {
    /// Receives each expression, outer ones first, with the variables that enclosing subqueries bind.
    private let body: (NSExpression, Set<String>) throws -> Void

    package init(_ body: @escaping (NSExpression, Set<String>) throws -> Void) { self.body = body }

    package func visit(_ expression: NSExpression, bound: Set<String> = []) throws {
        try body(expression, bound)
        switch expression.form {
        case .constant, .evaluatedObject, .variable, .keyPath(nil, _), .anyKey: break
        case .keyPath(let operand?, _): try visit(operand, bound: bound)
        case .function(_, let parts), .aggregate(let parts), .block(_, let parts):
            for part in parts { try visit(part, bound: bound) }
        case .call(let receiver, _, let parts): for part in [receiver] + parts { try visit(part, bound: bound) }
        case .set(_, let left, let right): for part in [left, right] { try visit(part, bound: bound) }
        case .assignment(_, let value): try visit(value, bound: bound)
        case .fetch(let request, let context, _): for part in [request, context] { try visit(part, bound: bound) }
        case .subquery(let collection, let name, let predicate):
            try visit(collection, bound: bound)
            try visit(predicate, bound: bound.union([name]))
        case .conditional(let condition, let whenTrue, let whenFalse):
            try visit(condition, bound: bound)
            for part in [whenTrue, whenFalse] { try visit(part, bound: bound) }
        }
    }

    private func visit(_ predicate: NSPredicate, bound: Set<String>) throws {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            for side in [comparison.leftExpression, comparison.rightExpression] { try visit(side, bound: bound) }
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { try visit(part, bound: bound) }
        default: break
        }
    }
}
