import CoreDataGraph

/// Finds relationships that the mapping of their inverse sets, so that only one of the two ends must be set.
///
/// A relationship is redundant if the mapping copies it unchanged, if every mapping whose objects it can lead to copies
/// the inverse unchanged, and if the policies of all these mappings do not override `createRelationships`. If both ends
/// are redundant, one is still set: the ordered end before the unordered one, the to-one end before the to-many one,
/// otherwise the end that comes first by name. If both ends are ordered, both are set. Setting one end sets the inverse
/// too.
struct RelationshipRedundancy {
    private let steps: [EntityStep]
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel

    init(_ steps: [EntityStep], source: NSManagedObjectModel, destination: NSManagedObjectModel) {
        self.steps = steps
        self.source = source
        self.destination = destination
    }

    func mark() {
        for step in steps where step.relatesByDefault && step.hasSources {
            for property in step.mapping.relationshipMappings ?? [] {
                guard let expression = property.valueExpression, isRedundant(property, of: step) else { continue }
                step.redundant[ObjectIdentifier(property)] = expression
            }
        }
    }

    private func isRedundant(_ property: NSPropertyMapping, of step: EntityStep) -> Bool {
        guard let (old, new) = ends(property, step), let oldInverse = old.inverseRelationship,
            let newInverse = new.inverseRelationship, Self.yields(new, to: newInverse)
        else { return false }
        let targets = targets(of: property, step, old: old, new: new)
        return !targets.isEmpty
            && targets.allSatisfy { target in
                guard target.relatesByDefault,
                    let back = (target.mapping.relationshipMappings ?? []).first(where: { $0.name == newInverse.name }),
                    let ends = ends(back, target), ends.old === oldInverse, ends.new === newInverse
                else { return false }
                return self.targets(of: back, target, old: ends.old, new: ends.new).contains { $0 === step }
            }
    }

    /// The source relationship that a property mapping copies unchanged, and the destination relationship that it sets.
    private func ends(
        _ property: NSPropertyMapping, _ step: EntityStep
    ) -> (old: NSRelationshipDescription, new: NSRelationshipDescription)? {
        guard let key = MappingExpressions.plainRelationship(of: property.valueExpression),
            let old = step.mapping.sourceEntityName.flatMap({ source.entitiesByName[$0] })?.relationshipsByName[key],
            let name = property.name,
            let new = step.mapping.destinationEntityName.flatMap({ destination.entitiesByName[$0] })?
                .relationshipsByName[name]
        else { return nil }
        return (old, new)
    }

    /// The steps that may create the objects to which a relationship leads.
    private func targets(
        of property: NSPropertyMapping, _ step: EntityStep, old: NSRelationshipDescription,
        new: NSRelationshipDescription
    ) -> [EntityStep] {
        guard let oldTarget = old.destinationEntity, let newTarget = new.destinationEntity else { return [] }
        let name = MappingExpressions.mappingName(of: property.valueExpression)
        return steps.filter { candidate in
            guard name == nil || candidate.mapping.name == name, candidate.hasSources,
                let from = candidate.mapping.sourceEntityName.flatMap({ source.entitiesByName[$0] }),
                let to = candidate.mapping.destinationEntityName.flatMap({ destination.entitiesByName[$0] })
            else { return false }
            return from.isKindOf(entity: oldTarget) && to.isKindOf(entity: newTarget)
        }
    }

    /// Whether, of two redundant ends, this relationship is left out and its inverse is set.
    private static func yields(
        _ relationship: NSRelationshipDescription, to inverse: NSRelationshipDescription
    ) -> Bool {
        guard !relationship.isOrdered, relationship !== inverse else { return false }
        if inverse.isOrdered { return true }
        guard relationship.isToMany == inverse.isToMany else { return relationship.isToMany }
        return (relationship.entity?.name ?? "", relationship.name) > (inverse.entity?.name ?? "", inverse.name)
    }
}
