import CoreDataModeling

/// Why a predicate or a sort descriptor cannot be asked of a store, in the words of the stores of databases.
package enum QueryRefusal {
    /// The error, named after the place in the model that is meant; values never appear in it.
    package static func make(
        _ entity: NSEntityDescription?, key: String?, reason: String, suggestion: NameSuggestion? = nil
    ) -> NSError {
        let place = [entity?.name, key].compactMap { $0 }.joined(separator: ".")
        let hint = suggestion.map { "; " + $0.question { "\"\($0)\"" } } ?? ""
        return CoreDataError.make(
            NSCoreDataError, (place.isEmpty ? "" : place + ": ") + reason + hint,
            hint: suggestion?.sentence)
    }

    /// Why an entire composite attribute can only be compared with nil: a store has columns for its elements, and texts,
    /// numbers and nil in them are compared by different rules.
    package static func compositeReason(element: String) -> String {
        "a composite attribute can only be compared with nil; compare its elements, such as \"\(element)\""
    }

    /// The error for what concerns no property.
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
