import CoreDataFoundation

extension NSMappingModel {
    /// Infers the mapping from one model to another: items with the same name or renaming identifier match.
    ///
    /// The migration converts numbers whose type changes; one that does not fit ends the migration with
    /// `NSMigrationError`. The mappings are named `IEM_Copy_Hero`, `IEM_Transform_Hero`, `IEM_Add_Hero` and
    /// `IEM_Remove_Hero`, as Apple's are.
    /// - Throws: `NSInferredMappingModelError` with a sentence for each change that no rule can infer.
    public class func inferredMappingModel(
        forSourceModel source: NSManagedObjectModel, destinationModel destination: NSManagedObjectModel
    ) throws -> NSMappingModel {
        try inferredMappingModel(forSourceModel: source, destinationModel: destination, configuration: nil)
    }

    /// Like the method above, for the entities of a configuration only, since a store may have only these; nil for all.
    package class func inferredMappingModel(
        forSourceModel source: NSManagedObjectModel, destinationModel destination: NSManagedObjectModel,
        configuration: String?
    ) throws -> NSMappingModel {
        let analysis = MigrationAnalysis(from: source, to: destination, configuration: configuration)
        guard analysis.obstacles.isEmpty else { throw InferredMapping.refusal(analysis.obstacles) }
        let kept = MigrationAnalysis.entities(of: configuration, in: [source, destination])
        let model = NSMappingModel()
        model.entityMappings = InferredMapping(source, destination).mappings().filter { mapping in
            guard let kept else { return true }
            return [mapping.sourceEntityName, mapping.destinationEntityName].contains { $0.map(kept.contains) ?? false }
        }
        model.isInferred = true
        return model
    }
}

/// Makes the inferred mappings from one model to another.
package struct InferredMapping {
    private let matching: ModelMatching
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]

    init(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) {
        matching = ModelMatching(source, destination)
        sourceHashes = source.entityVersionHashesByName
        destinationHashes = destination.entityVersionHashesByName
    }

    package static func refusal(_ obstacles: [MigrationAnalysis.Finding]) -> NSError {
        let reasons = obstacles.map { finding in
            "\(finding.item.kind.rawValue) '\(finding.item.path)': \(finding.reason)"
                + (finding.hint.map { " (\($0))" } ?? "")
        }
        return NSError(
            domain: NSCocoaErrorDomain, code: NSInferredMappingModelError,
            userInfo: [
                NSLocalizedDescriptionKey: "The mapping model cannot be inferred.",
                NSLocalizedFailureReasonErrorKey: reasons.joined(separator: "; ") + ".",
                NSLocalizedRecoverySuggestionErrorKey: "Write a mapping model, or change the new model as said.",
                "entity": obstacles[0].item.entity ?? obstacles[0].item.name, "property": obstacles[0].item.name,
                "reason": obstacles[0].reason,
            ])
    }

    /// The mappings of entities of both models, then of new ones, then of removed ones; each group sorted by name.
    func mappings() -> [NSEntityMapping] {
        matching.entities.map { mapping($0.old, $0.new) } + matching.added.map { mapping(nil, $0) }
            + matching.removed.map { mapping($0, nil) }
    }

    func mapping(_ old: NSEntityDescription?, _ new: NSEntityDescription?) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.sourceEntityName = old?.name
        mapping.destinationEntityName = new?.name
        mapping.sourceEntityVersionHash = old?.name.flatMap { sourceHashes[$0] }
        mapping.destinationEntityVersionHash = new?.name.flatMap { destinationHashes[$0] }
        mapping.mappingType = type(of: mapping)
        mapping.name = "IEM_\(mapping.mappingType.word.capitalized)_\(new?.name ?? old?.name ?? "")"
        if let old, new != nil {
            mapping.sourceExpression = old.name.map { MappingExpressions.objects(ofEntity: $0, where: nil) }
        }
        guard let new else { return mapping }
        let origins = old.map { self.origins(of: new, in: $0) } ?? [:]
        let stored = new.properties.filter(\.isStored).sorted { $0.name.precedesInBytes($1.name) }
        mapping.attributeMappings = stored.compactMap { $0 as? NSAttributeDescription }
            .filter { !($0 is NSDerivedAttributeDescription) }
            .map { NSPropertyMapping(name: $0.name, valueExpression: value(of: $0, origins[$0.name])) }
        mapping.relationshipMappings = stored.filter { $0 is NSRelationshipDescription }.map { property in
            let origin = origins[property.name].map { MappingExpressions.destinations(ofRelationship: $0.name) }
            return NSPropertyMapping(name: property.name, valueExpression: origin)
        }
        return mapping
    }

    private func type(of mapping: NSEntityMapping) -> NSEntityMappingType {
        guard mapping.destinationEntityName != nil else { return .removeEntityMappingType }
        guard mapping.sourceEntityName != nil else { return .addEntityMappingType }
        return mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash
            ? .copyEntityMappingType : .transformEntityMappingType
    }

    private func origins(
        of new: NSEntityDescription, in old: NSEntityDescription
    ) -> [String: NSPropertyDescription] {
        let pairs = ModelMatching.properties(old, new).filter { $0.old.isStored && $0.new.isStored }
        return Dictionary(pairs.map { ($0.new.name, $0.old) }, uniquingKeysWith: { first, _ in first })
    }

    /// The expression that copies an attribute; if it was optional and is now required, nil is replaced by the default
    /// value.
    private func value(of attribute: NSAttributeDescription, _ origin: NSPropertyDescription?) -> NSExpression? {
        guard let origin else { return nil }
        let value = MappingExpressions.source(origin.name)
        guard origin.isOptional, !attribute.isOptional, let preset = attribute.defaultValue else { return value }
        let isMissing = NSComparisonPredicate(
            leftExpression: value, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
            type: .equalTo, options: [])
        return NSExpression(
            forConditional: isMissing, trueExpression: NSExpression(forConstantValue: preset), falseExpression: value)
    }
}
