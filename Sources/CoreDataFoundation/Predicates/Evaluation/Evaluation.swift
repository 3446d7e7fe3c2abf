/// Whether a predicate holds for an object: the throwing twin of `evaluate(with:substitutionVariables:)`.
///
/// AND and OR are decided from left to right and stop at the first condition that decides.
/// - Throws: `UnknownKeyError`, `ExpressionError`, or whatever reading a property throws.
package func evaluation(
    of predicate: NSPredicate, on object: Any?, variables: [String: Any] = [:]
) throws -> Bool {
    var prepared = PreparedPredicate(predicate)
    return try prepared.holds(forAny: object, variables: variables)
}
