import CoreDataGraph

/// One mapping of a migration with all that is known of it before the first object.
final class EntityStep {
    let number: Int
    let mapping: NSEntityMapping
    /// Whether the program has no policy of its own for the mapping.
    let hasDefaultPolicy: Bool
    /// Whether relationships are set as the mapping's expressions say, and by nothing else.
    let relatesByDefault: Bool
    /// Relationships that need not be set, since the other ends' mappings do, with their expressions.
    var redundant: [ObjectIdentifier: NSExpression] = [:]
    /// How many objects are made, completed and saved together.
    var batchSize = BatchSize.greatest
    /// How many source objects there are.
    var sourceCount = 0

    init(number: Int, mapping: NSEntityMapping, hasDefaultPolicy: Bool, relatesByDefault: Bool) {
        self.number = number
        self.mapping = mapping
        self.hasDefaultPolicy = hasDefaultPolicy
        self.relatesByDefault = relatesByDefault
    }

    /// Whether the mapping goes through source objects.
    var hasSources: Bool {
        guard mapping.sourceEntityName != nil else { return false }
        if mapping.destinationEntityName == nil { return !hasDefaultPolicy }
        return mapping.mappingType != .addEntityMappingType && mapping.mappingType != .removeEntityMappingType
    }

    /// Whether the second pass has anything to do for the mapping's objects.
    var setsRelationships: Bool {
        guard hasSources else { return false }
        return !relatesByDefault
            || (mapping.relationshipMappings ?? []).contains { $0.valueExpression != nil && !isRedundant($0) }
    }

    /// Whether a relationship comes about by the mapping of its other end; no longer once its expression was replaced.
    func isRedundant(_ mapping: NSPropertyMapping) -> Bool {
        guard let expression = redundant[ObjectIdentifier(mapping)] else { return false }
        return mapping.valueExpression === expression
    }

    /// Where an error is that comes of the step.
    func place(_ method: String? = nil) -> MigrationFailure.Place {
        .init(
            mapping: mapping.name, entity: mapping.destinationEntityName ?? mapping.sourceEntityName, property: nil,
            method: method)
    }
}
