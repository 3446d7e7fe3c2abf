import CoreDataGraph

/// One entity mapping of a running migration, with its properties that are known before the first object is migrated.
final class EntityStep {
    let number: Int
    let mapping: NSEntityMapping
    /// Whether the mapping has the default policy and not one of the program.
    let hasDefaultPolicy: Bool
    /// Whether the policy does not override `createRelationships`, so that only the mapping's expressions set
    /// relationships.
    let relatesByDefault: Bool
    /// The expressions of relationships that need not be set, since the mapping of their inverse sets them.
    var redundant: [ObjectIdentifier: NSExpression] = [:]
    /// The number of objects that are created, completed and saved together.
    var batchSize = BatchSize.greatest
    /// The number of source objects.
    var sourceCount = 0

    init(number: Int, mapping: NSEntityMapping, hasDefaultPolicy: Bool, relatesByDefault: Bool) {
        self.number = number
        self.mapping = mapping
        self.hasDefaultPolicy = hasDefaultPolicy
        self.relatesByDefault = relatesByDefault
    }

    /// Whether the first pass iterates over source objects.
    var hasSources: Bool {
        guard mapping.sourceEntityName != nil else { return false }
        if mapping.destinationEntityName == nil { return !hasDefaultPolicy }
        return mapping.mappingType != .addEntityMappingType && mapping.mappingType != .removeEntityMappingType
    }

    /// Whether the second pass has relationships to set for the mapping's objects.
    var setsRelationships: Bool {
        guard hasSources else { return false }
        return !relatesByDefault
            || (mapping.relationshipMappings ?? []).contains { $0.valueExpression != nil && !isRedundant($0) }
    }

    /// Whether the mapping of the inverse sets a relationship; false if the expression has been replaced since this was
    /// determined.
    func isRedundant(_ mapping: NSPropertyMapping) -> Bool {
        guard let expression = redundant[ObjectIdentifier(mapping)] else { return false }
        return mapping.valueExpression === expression
    }

    /// The place of an error in this step.
    func place(_ method: String? = nil) -> MigrationFailure.Place {
        .init(
            mapping: mapping.name, entity: mapping.destinationEntityName ?? mapping.sourceEntityName, property: nil,
            method: method)
    }
}
