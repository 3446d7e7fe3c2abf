import CoreDataGraph

/// Checks that the expressions of one mapping use existing keys and functions.
struct MappedExpressionReview {
    /// The keys that every managed object has in addition to its properties.
    private static let ownKeys: Set<String> = [
        "self", "SELF", "objectID", "entity", "managedObjectContext", "hasChanges", "isInserted", "isUpdated",
        "isDeleted",
        "isFault",
    ]

    let mapping: NSEntityMapping
    let source: NSEntityDescription?
    let destination: NSEntityDescription?
    let functions: [String: NSEntityMigrationPolicy.Function]

    /// - Throws: `NSMigrationError` with the mapping, entity and property.
    func check(_ expression: NSExpression, of property: String?) throws {
        let place = MigrationFailure.Place(
            mapping: mapping.name, entity: mapping.destinationEntityName ?? mapping.sourceEntityName, property: property
        )
        do {
            try MappingFunctionCheck.check(expression, of: place.text)
        } catch let error as ModelingError {
            throw MigrationFailure.unusable(place, error.cause, hint: error.hint)
        }
        let walk = ExpressionWalk { part, bound in
            switch part.form {
            case .call(let receiver, let name, _):
                guard case .variable(NSMigrationEntityPolicyKey) = receiver.form else { return }
                try checkFunction(name, place)
            case .keyPath(let operand?, let path):
                guard case .variable(let variable) = operand.form, !bound.contains(variable) else { return }
                try check(path, of: variable, place)
            case .keyPath(nil, let path): try check(path, of: NSMigrationSourceObjectKey, place)
            default: break
            }
        }
        try walk.visit(expression)
    }

    private func checkFunction(_ name: String, _ place: MigrationFailure.Place) throws {
        guard functions[name] == nil else { return }
        throw MigrationFailure.unusable(
            place, "the policy has no function '\(name)'",
            hint: NameSuggestion(for: name, in: Array(functions.keys))?.sentence
                ?? "List it in the policy's class property 'functions'.")
    }

    // MARK: Keys

    private func check(_ path: String, of variable: String, _ place: MigrationFailure.Place) throws {
        let entity: NSEntityDescription? =
            switch variable {
            case NSMigrationSourceObjectKey: source
            case NSMigrationDestinationObjectKey: destination
            default: nil
            }
        guard let entity else { return }
        var owners = [entity]
        for step in path.split(separator: ".").map(String.init) where !step.hasPrefix("@") {
            if Self.ownKeys.contains(step) { return }
            guard let property = owners.lazy.compactMap({ $0.propertiesByName[step] }).first else {
                let known = owners.flatMap { Array($0.propertiesByName.keys) }
                throw MigrationFailure.unusable(
                    place, "'$\(variable).\(path)' leads nowhere: '\(entity.name ?? "")' has no '\(step)' on the way",
                    hint: NameSuggestion(for: step, in: known)?.sentence)
            }
            guard let next = (property as? NSRelationshipDescription)?.destinationEntity else { return }
            owners = Self.family(of: next)
        }
    }

    /// An entity and all of its descendants: an object of the relationship may have any of these entities.
    private static func family(of entity: NSEntityDescription) -> [NSEntityDescription] {
        var family: [NSEntityDescription] = []
        var open = [entity]
        while let next = open.popLast(), family.count < 10_000 {
            family.append(next)
            open += next.subentities
        }
        return family
    }
}
