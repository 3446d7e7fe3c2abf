import CoreDataGraph

/// One mapping of a migration with all that is known of it before the first object.
final class EntityStep {
    let number: Int
    let mapping: NSEntityMapping
    /// Whether the mapping uses the default policy, rather than one of the program.
    let hasDefaultPolicy: Bool
    /// Whether relationships are set only by the mapping's expressions.
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

    /// Whether the mapping iterates over source objects.
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

    /// Whether a relationship is set by the mapping of its inverse; false once its expression was replaced.
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
