import CoreDataStore

/// Why a store cannot evaluate a predicate or a sort descriptor; detected before any SQL runs.
///
/// The message contains only names and types, never values.
package struct QueryError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    package enum Code: Sendable {
        case unknownEntity
        case unknownKey
        /// A transient property: the store has no values of it.
        case transientProperty
        /// A property without a column, or whose column does not contain the value itself.
        case notStored
        /// A path through a to-many relationship without `ANY`, `ALL` or `NONE`.
        case needsQuantifier
        /// A quantifier on something that is not a to-many relationship.
        case needsCollection
        /// An operator with an operand of a type that it does not accept.
        case unsuitableType
        /// A predicate or comparison in Swift, a variable without a value or anything else that SQL cannot express.
        case unsupported
        /// A key that rows cannot be sorted by.
        case unsortable
        case tooDeep
        case tooLarge
    }

    package let code: Code
    /// The entity of the property that the error concerns.
    package let entity: String?
    package let key: String?
    package let reason: String
    /// The nearest valid names.
    package let suggestion: NameSuggestion?
    /// The comparison that contains the problem, without its values; nil if entity and key identify it.
    private(set) var part: String?

    init(_ code: Code, entity: String? = nil, key: String? = nil, _ reason: String, suggestion: NameSuggestion? = nil) {
        self.code = code
        self.entity = entity
        self.key = key
        self.reason = reason
        self.suggestion = suggestion
    }

    /// Returns the error with the comparison that it concerns, unless the error names a property.
    func placed(in predicate: NSComparisonPredicate) -> QueryError {
        guard key == nil, part == nil else { return self }
        var error = self
        error.part = ComparisonOutline.text(of: predicate)
        return error
    }

    package var description: String {
        let place = [entity, key].compactMap { $0 }.joined(separator: ".")
        let hint = suggestion.map { "; " + $0.question { "\"\($0)\"" } } ?? ""
        return (part ?? place).isEmpty ? reason + hint : "\(part ?? place): \(reason)\(hint)"
    }

    package var errorDescription: String? { description }
}
