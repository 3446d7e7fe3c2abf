/// Whether a predicate holds for an object: the throwing twin of `evaluate(with:substitutionVariables:)`.
///
/// AND and OR are decided from left to right and stop at the first condition that decides.
/// - Throws: `UnknownKeyError`, `ExpressionError`, or whatever reading a property throws.
package func evaluation(
    of predicate: NSPredicate, on object: Any?, variables: [String: Any] = [:]
) throws -> Bool {
    guard let reader = object as? any SlotReading else {
        return try Evaluator(object: object, variables: variables).holds(predicate)
    }
    var prepared = PreparedPredicate(predicate)
    return try prepared.holds(for: reader, variables: variables)
}
