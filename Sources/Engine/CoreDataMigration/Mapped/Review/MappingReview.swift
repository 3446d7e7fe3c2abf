import CoreDataGraph

/// Checks, before any store is opened, that a mapping model can be executed.
///
/// Refuses mappings for other versions of the models, unknown entities, properties, keys, variables and functions, and
/// missing policy classes. The errors name the mapping, entity and property.
struct MappingReview {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    private let mappingModel: NSMappingModel

    init(_ source: NSManagedObjectModel, destination: NSManagedObjectModel, mappingModel: NSMappingModel) {
        self.source = source
        self.destination = destination
        self.mappingModel = mappingModel
    }

    /// The steps of the migration, one for each mapping and in their order, and the policy of each step.
    ///
    /// - Throws: `NSMigrationError` with the reason why the mapping model cannot be used.
    func steps() throws -> (steps: [EntityStep], policies: [NSEntityMigrationPolicy]) {
        try checkVersions()
        var names = Set<String>()
        var policies: [NSEntityMigrationPolicy] = []
        let steps = try (mappingModel.entityMappings ?? []).enumerated().map { number, mapping in
            guard let name = mapping.name, names.insert(name).inserted else {
                throw MigrationFailure.unusable(
                    .init(mapping: mapping.name), "mappings need names, each its own")
            }
            let policyClass = try PolicyClasses.policyClass(of: mapping)
            try check(mapping, policyClass)
            policies.append(policyClass.init())
            return EntityStep(
                number: number, mapping: mapping, hasDefaultPolicy: policyClass == NSEntityMigrationPolicy.self,
                relatesByDefault: !PolicyOverrides.createRelationships.isOverridden(by: policyClass))
        }
        RelationshipRedundancy(steps, source: source, destination: destination).mark()
        return (steps, policies)
    }

    private func checkVersions() throws {
        for mapping in mappingModel.entityMappings ?? [] {
            for (name, model, side) in [
                (mapping.sourceEntityName, source, "source"),
                (mapping.destinationEntityName, destination, "destination"),
            ] {
                guard let name, model.entitiesByName[name] == nil else { continue }
                let near = NameSuggestion(for: name, in: Array(model.entitiesByName.keys))
                throw MigrationFailure.unusable(
                    .init(mapping: mapping.name, entity: name), "the \(side) model has no such entity",
                    hint: near?.sentence)
            }
        }
        guard let entity = mappingModel.entitiesDiffering(fromSource: source, destination: destination).first else {
            return
        }
        let mapping = (mappingModel.entityMappings ?? []).first {
            $0.sourceEntityName == entity || $0.destinationEntityName == entity
        }
        throw MigrationFailure.unusable(
            .init(mapping: mapping?.name, entity: entity), "it is for another version of the entity",
            hint: "Find the mapping model for the models with NSMappingModel(from:forSourceModel:destinationModel:).")
    }

    private func check(_ mapping: NSEntityMapping, _ policyClass: NSEntityMigrationPolicy.Type) throws {
        let sourceEntity = mapping.sourceEntityName.flatMap { source.entitiesByName[$0] }
        let destinationEntity = mapping.destinationEntityName.flatMap { destination.entitiesByName[$0] }
        let expressions = MappedExpressionReview(
            mapping: mapping, source: sourceEntity, destination: destinationEntity, functions: policyClass.functions)
        if let expression = mapping.sourceExpression { try expressions.check(expression, of: nil) }
        let attributes = destinationEntity?.attributesByName ?? [:]
        let relationships = destinationEntity?.relationshipsByName ?? [:]
        try check(
            mapping, properties: mapping.attributeMappings, known: Array(attributes.keys), kind: "attribute",
            expressions: expressions)
        try check(
            mapping, properties: mapping.relationshipMappings, known: Array(relationships.keys), kind: "relationship",
            expressions: expressions)
    }

    private func check(
        _ mapping: NSEntityMapping, properties: [NSPropertyMapping]?, known: [String], kind: String,
        expressions: MappedExpressionReview
    ) throws {
        var seen = Set<String>()
        for property in properties ?? [] {
            var place = MigrationFailure.Place(mapping: mapping.name, entity: mapping.destinationEntityName)
            guard let name = property.name else { throw MigrationFailure.unusable(place, "an \(kind) has no name") }
            place.property = name
            guard known.contains(name) else {
                throw MigrationFailure.unusable(
                    place, "the destination entity has no such \(kind)",
                    hint: NameSuggestion(for: name, in: known)?.sentence)
            }
            guard seen.insert(name).inserted else { throw MigrationFailure.unusable(place, "it is mapped twice") }
            if let expression = property.valueExpression { try expressions.check(expression, of: name) }
        }
    }
}
