import CoreDataGraph

/// Finds relationships that are set by the mapping of their inverse, so that one of the two is enough.
///
/// A relationship is left out if it is copied unchanged, its inverse is copied unchanged by every mapping whose objects it
/// can lead to, and the policies of these do not set relationships themselves. Of two such, a to-many relationship is left out
/// before a to-one, an unordered before an ordered, else the later by name; two ordered ones are both kept. The kept end sets both.
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

    /// The relationship of the source that a mapping takes over as it is, and the one that it sets.
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

    /// The steps whose objects a relationship can lead to.
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

    /// Whether a relationship is left out in favour of its inverse where one is enough.
    private static func yields(
        _ relationship: NSRelationshipDescription, to inverse: NSRelationshipDescription
    ) -> Bool {
        guard !relationship.isOrdered, relationship !== inverse else { return false }
        if inverse.isOrdered { return true }
        guard relationship.isToMany == inverse.isToMany else { return relationship.isToMany }
        return (relationship.entity?.name ?? "", relationship.name) > (inverse.entity?.name ?? "", inverse.name)
    }
}
