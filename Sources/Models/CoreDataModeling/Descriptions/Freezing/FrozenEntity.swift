/// Tables that are computed once when an entity is frozen, so that look-ups cost a dictionary access.
///
/// Immutable after `init`, hence safe to read from any thread.
final class FrozenEntity {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]
    let subentitiesByName: [String: NSEntityDescription]
    /// The entity's number in its model's depth-first order.
    let number: Int
    /// The highest number among the entity and its descendants.
    let lastDescendant: Int
    /// Identifies the model; the entities of a model share it.
    let model: ModelIdentity

    init(_ entity: NSEntityDescription, number: Int, lastDescendant: Int, model: ModelIdentity) {
        properties = entity.collectProperties()
        propertiesByName = entity.named(properties)
        attributesByName = propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
        relationshipsByName = propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
        subentitiesByName = entity.collectSubentitiesByName()
        self.number = number
        self.lastDescendant = lastDescendant
        self.model = model
    }
}

/// A token that distinguishes one frozen model from another without retaining it.
final class ModelIdentity: Sendable {}
