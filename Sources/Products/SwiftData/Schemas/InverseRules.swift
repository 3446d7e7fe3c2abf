/// Finds the inverse of each relationship of a schema.
///
/// A key path given on one side holds for both. Two relationships without `@Relationship` that lead to each other's
/// entity are inverses if each is the only one of its kind. Others have none, as in the files of Apple's framework.
enum InverseRules {
    /// Sets the inverses; returns what is wrong with those that are given.
    static func resolve(_ entities: [Schema.Entity], _ plans: [ModelPlan]) -> [SwiftDataError] {
        let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        var problems: [SwiftDataError] = []
        for entity in entities {
            for relationship in relationships(of: entity) {
                guard let path = relationship.inverseKeyPath else { continue }
                guard let other = byName[relationship.destination],
                    let name = other.plan.name(of: path),
                    let inverse = other.relationshipsByName[name], inverse.destination == entity.name
                else {
                    problems.append(
                        .invalidSchema(
                            "The inverse \(path) of '\(entity.name).\(relationship.name)' is not a relationship of "
                                + "'\(relationship.destination)' that leads back to '\(entity.name)'."))
                    continue
                }
                relationship.inverseName = name
                if inverse.inverseKeyPath == nil { inverse.inverseName = relationship.name }
            }
        }
        for entity in entities { inferInverses(of: entity, byName) }
        return problems
    }

    private static func inferInverses(of entity: Schema.Entity, _ entities: [String: Schema.Entity]) {
        for relationship in relationships(of: entity) where relationship.inverseName == nil && relationship.isBare {
            guard let other = entities[relationship.destination], other !== entity,
                bare(of: entity, to: other.name).count == 1
            else { continue }
            let candidates = bare(of: other, to: entity.name)
            guard candidates.count == 1, candidates[0].inverseName == nil else { continue }
            relationship.inverseName = candidates[0].name
            candidates[0].inverseName = relationship.name
        }
    }

    private static func bare(of entity: Schema.Entity, to destination: String) -> [Schema.Relationship] {
        relationships(of: entity).filter { $0.isBare && $0.destination == destination }
    }

    private static func relationships(of entity: Schema.Entity) -> [Schema.Relationship] {
        entity.ownProperties.compactMap { $0 as? Schema.Relationship }
    }
}
