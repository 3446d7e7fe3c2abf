/// What an expression is, for those that walk the tree: evaluation, printing and translation to SQL.
package indirect enum ExpressionForm {
    case constant(Any?)
    case evaluatedObject
    case variable(String)
    /// A dotted path from `operand`; nil means from the evaluated object.
    case keyPath(operand: NSExpression?, path: String)
    case function(ExpressionFunction, arguments: [NSExpression])
    /// `FUNCTION($manager, "name:", argument, …)`: what one of the objects of a migration answers under a name.
    case call(receiver: NSExpression, name: String, arguments: [NSExpression])
    case aggregate([NSExpression])
    case set(SetOperation, NSExpression, NSExpression)
    case subquery(collection: NSExpression, variable: String, predicate: NSPredicate)
    case conditional(NSPredicate, true: NSExpression, false: NSExpression)
    case anyKey
    /// `$variable := value`; its value is that of the right side.
    case assignment(variable: String, NSExpression)
    /// `FETCH(request, context, isCountOnly)`; such an expression is an `NSFetchRequestExpression`.
    case fetch(request: NSExpression, context: NSExpression, isCountOnly: Bool)
    case block(ExpressionBlock, arguments: [NSExpression])
}

/// How two collections become one.
package enum SetOperation: String, Sendable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
}

/// A computation in Swift that stands in an expression; it cannot be printed, archived or run inside a store.
package typealias ExpressionBlock = (Any?, [Any?], NSMutableDictionary?) -> Any?
