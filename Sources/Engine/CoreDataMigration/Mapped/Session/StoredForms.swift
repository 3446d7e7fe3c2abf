import CoreDataGraph

/// Determines which transformable attributes are migrated as their stored bytes, without decoding them with their value
/// transformers.
///
/// If all mappings have the default policy and only copy attributes, the program does not see the values, so the bytes
/// are copied exactly. Otherwise a policy or an expression may see the values, and they are decoded, except those whose
/// value transformer the program lacks.
struct StoredForms {
    private let isPlain: Bool

    init(_ steps: [EntityStep], source: NSManagedObjectModel, destination: NSManagedObjectModel) {
        isPlain = steps.allSatisfy { step in
            guard step.hasDefaultPolicy else { return false }
            return (step.mapping.attributeMappings ?? []).allSatisfy { property in
                guard let expression = property.valueExpression else { return true }
                guard let key = MappingExpressions.plainKey(of: expression) else { return false }
                let old = Self.attribute(key, entity: step.mapping.sourceEntityName, model: source)
                let new = Self.attribute(property.name, entity: step.mapping.destinationEntityName, model: destination)
                return old?.attributeType != .transformableAttributeType || Self.form(old) == Self.form(new)
            }
        }
    }

    func keeps(_ attribute: NSAttributeDescription) -> Bool {
        isPlain || Transformation.missingTransformer(of: attribute) != nil
    }

    private static func attribute(
        _ name: String?, entity: String?, model: NSManagedObjectModel
    ) -> NSAttributeDescription? {
        guard let name, let entity else { return nil }
        return model.entitiesByName[entity]?.attributesByName[name]
    }

    private static func form(_ attribute: NSAttributeDescription?) -> String? {
        attribute.map { "\($0.attributeType.rawValue) \($0.valueTransformerName ?? "")" }
    }
}
