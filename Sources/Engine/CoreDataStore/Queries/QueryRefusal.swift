import CoreDataModeling

/// Makes the errors for predicates and sort descriptors that stores do not support; all stores report the same texts.
package enum QueryRefusal {
    /// Makes the error; its text begins with the entity and key concerned, and contains no values.
    package static func make(
        _ entity: NSEntityDescription?, key: String?, reason: String, suggestion: NameSuggestion? = nil
    ) -> NSError {
        let place = [entity?.name, key].compactMap { $0 }.joined(separator: ".")
        let hint = suggestion.map { "; " + $0.question { "\"\($0)\"" } } ?? ""
        return CoreDataError.make(
            NSCoreDataError, (place.isEmpty ? "" : place + ": ") + reason + hint,
            hint: suggestion?.sentence)
    }

    /// Why a composite attribute can only be compared with nil: a store has columns for its elements only, and texts,
    /// numbers and nil in these columns are compared by different rules.
    package static func compositeReason(element: String) -> String {
        "a composite attribute can only be compared with nil; compare its elements, such as \"\(element)\""
    }

    /// The error for a reason that concerns no particular property.
    package static func make(_ reason: String) -> NSError { make(nil, key: nil, reason: reason) }

    package static func unknownKey(_ key: String, of entity: NSEntityDescription) -> NSError {
        make(
            entity, key: key, reason: "the entity has no property of this name",
            suggestion: NameSuggestion(for: key, in: entity.propertiesByName.keys))
    }

    package static func needsQuantifier(_ relationship: NSRelationshipDescription, _ entity: NSEntityDescription)
        -> NSError
    {
        make(
            entity, key: relationship.name,
            reason: "a path through a to-many relationship needs ANY, ALL or NONE, or an operator such as @count")
    }
}
