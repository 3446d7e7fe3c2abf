/// Whether a predicate is true for an object; throws where `evaluate(with:substitutionVariables:)` stops the process.
///
/// AND and OR are decided from left to right and stop at the first condition that decides.
/// - Throws: `UnknownKeyError`, `ExpressionError`, or whatever reading a property throws.
package func evaluation(
    of predicate: NSPredicate, on object: Any?, variables: [String: Any] = [:]
) throws -> Bool {
    var prepared = PreparedPredicate(predicate)
    return try prepared.holds(forAny: object, variables: variables)
}

extension NSPredicate {
    /// Whether the predicate holds for an object; throws where `evaluate(with:substitutionVariables:)` stops the
    /// process.
    ///
    /// For predicates that come from users, files or the network. May be called on any thread that may use the object.
    /// - Throws: `UnknownKeyError` for a key that the object does not have, `ExpressionError` for values that cannot be
    ///   compared or a pattern beyond bounds, or whatever reading a property throws.
    public func evaluation(with object: Any?, substitutionVariables bindings: [String: Any] = [:]) throws -> Bool {
        try CoreDataFoundation.evaluation(of: self, on: object, variables: bindings)
    }
}
