/// The type of expressions whose value is the result of a fetch.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// The result of a fetch request on a context, written `FETCH(request, context, NO)`.
///
/// Its value is the array of the request's results, or their number if only the count is requested. Without a managed
/// object context, evaluation stops the process.
/// Parsing a predicate gives instances of this class; parsing an expression alone, by `NSExpression(format:)`, gives a
/// plain `NSExpression` of the same type and value.
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
    /// Executes a fetch request and returns the array of its results, or their number.
    func result(ofRequest request: Any?, isCountOnly: Bool) throws -> Any
}
