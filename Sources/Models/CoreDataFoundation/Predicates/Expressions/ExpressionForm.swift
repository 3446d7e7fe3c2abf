/// The kind and the parts of an expression, for code that evaluates, prints or translates it.
package indirect enum ExpressionForm {
    case constant(Any?)
    case evaluatedObject
    case variable(String)
    /// A dotted path from `operand`; nil means from the evaluated object.
    case keyPath(operand: NSExpression?, path: String)
    case function(ExpressionFunction, arguments: [NSExpression])
    /// `FUNCTION($manager, "name:", argument, …)`: a call that an object of a migration evaluates; see `CallAnswering`.
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

/// How a set expression combines two collections.
package enum SetOperation: String, Sendable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
}

/// A closure of a block expression, which cannot be printed, archived or run inside a store.
package typealias ExpressionBlock = (Any?, [Any?], NSMutableDictionary?) -> Any?
