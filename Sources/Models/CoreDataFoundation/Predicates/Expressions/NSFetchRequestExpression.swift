/// The type of expressions that stand for the result of a fetch.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// The result of a fetch request on a context, written `FETCH(request, context, NO)`.
///
/// Its value is the list of results of the request, or their number where only the count is requested. Without a
/// managed object context, evaluation stops the process, as for any wrong type.
/// Inside a predicate that was read from a text it has this class; the text of an expression alone, read by
/// `NSExpression(format:)`, gives a plain `NSExpression` of the same type and value.
///
/// ```swift
/// let cheap = NSFetchRequest<NSFetchRequestResult>(entityName: "Article")
/// cheap.predicate = NSPredicate(format: "price < %d", 10)
/// let count = NSFetchRequestExpression.expression(
///     forFetch: NSExpression(forConstantValue: cheap), context: NSExpression(forConstantValue: context), countOnly: true)
/// print(count.expressionValue(with: nil, context: nil) as? Int ?? 0)
/// ```
open class NSFetchRequestExpression: NSExpression {
    /// The result of a request on a context; both are expressions whose values are the request and the context.
    open class func expression(
        forFetch request: NSExpression, context: NSExpression, countOnly: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(.fetch(request: request, context: context, isCountOnly: countOnly))
    }

    /// The expression whose value is the fetch request.
    open var requestExpression: NSExpression { parts.request }

    /// The expression whose value is the managed object context.
    open var contextExpression: NSExpression { parts.context }

    /// Whether the value is the number of objects rather than the objects.
    open var isCountOnlyRequest: Bool { parts.isCountOnly }

    private var parts: (request: NSExpression, context: NSExpression, isCountOnly: Bool) {
        guard case .fetch(let request, let context, let isCountOnly) = form else {
            stop("NSFetchRequestExpression: made as an expression of type \(expressionType), it has no request")
        }
        return (request, context, isCountOnly)
    }
}

/// Executes the request of `FETCH(…)`: a managed object context.
package protocol FetchRequestExecution: AnyObject {
    /// The list of what a request finds, or the number of it.
    func result(ofRequest request: Any?, isCountOnly: Bool) throws -> Any
}
