/// Replaces some expressions in a copy of an expression or predicate.
///
/// Subqueries, whose predicates apply to other objects, fetches and blocks are not changed.
package struct ExpressionRewriting {
    /// Returns the replacement of an expression, or nil to visit the expression's parts instead.
    private let replacement: (NSExpression) throws -> NSExpression?

    package init(_ replacement: @escaping (NSExpression) throws -> NSExpression?) { self.replacement = replacement }

    package func applied(to predicate: NSPredicate) throws -> NSPredicate {
        switch predicate {
        case let comparison as NSComparisonPredicate:
            return NSComparisonPredicate(
                leftExpression: try applied(to: comparison.leftExpression),
                rightExpression: try applied(to: comparison.rightExpression),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
        case let compound as Foundation.NSCompoundPredicate:
            let parts = try compound.subpredicates.map { try applied(to: $0) }
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
        default: return predicate
        }
    }

    package func applied(to expression: NSExpression) throws -> NSExpression {
        if let replacement = try replacement(expression) { return replacement }
        switch expression.form {
        case .keyPath(let operand?, let path):
            return NSExpression(.keyPath(operand: try applied(to: operand), path: path))
        case .function(let function, let arguments):
            return NSExpression(.function(function, arguments: try arguments.map { try applied(to: $0) }))
        case .call(let receiver, let name, let arguments):
            let parts = try arguments.map { try applied(to: $0) }
            return NSExpression(.call(receiver: try applied(to: receiver), name: name, arguments: parts))
        case .aggregate(let elements): return NSExpression(.aggregate(try elements.map { try applied(to: $0) }))
        case .set(let operation, let left, let right):
            return NSExpression(.set(operation, try applied(to: left), try applied(to: right)))
        case .conditional(let condition, let first, let second):
            return NSExpression(
                .conditional(try applied(to: condition), true: try applied(to: first), false: try applied(to: second)))
        case .assignment(let name, let value): return NSExpression(.assignment(variable: name, try applied(to: value)))
        case .constant, .evaluatedObject, .variable, .keyPath, .subquery, .fetch, .anyKey, .block: return expression
        }
    }
}
