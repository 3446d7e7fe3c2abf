import CoreDataGraph

/// Builds a model from short descriptions of entities, attributes and pairs of inverse relationships.
public final class ModelBuilder {
    /// The model with the entities added so far; it cannot be changed after a coordinator uses it.
    public let model = NSManagedObjectModel()
    private var entities: [String: NSEntityDescription] = [:]

    /// Makes an empty builder.
    public init() {}

    /// Adds an entity with optional attributes; `parent` names its parent entity, which must have been added.
    @discardableResult
    public func entity(
        _ name: String, in parent: String? = nil, class className: String? = nil,
        _ attributes: KeyValuePairs<String, NSAttributeType> = [:]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        if let className { entity.managedObjectClassName = className }
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        entities[name] = entity
        if let parent { self[parent].subentities.append(entity) }
        model.entities = entities.values.filter { $0.superentity == nil }
        return entity
    }

    /// The added entity with a name; traps if there is none.
    public subscript(name: String) -> NSEntityDescription {
        guard let entity = entities[name] else { preconditionFailure("no entity \(name)") }
        return entity
    }

    /// The attribute at a path such as `Hero.name`; traps if there is none.
    public func attribute(_ path: String) -> NSAttributeDescription {
        let (entity, name) = Self.parts(path)
        guard let attribute = self[entity].attributesByName[name] else { preconditionFailure("no attribute \(path)") }
        return attribute
    }

    /// Adds an optional derived attribute at a path such as `Book.total`, with the format of its derivation expression.
    @discardableResult
    public func derived(_ path: String, _ type: NSAttributeType, _ derivation: String) -> NSAttributeDescription {
        let (entity, name) = Self.parts(path)
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationText = derivation
        self[entity].properties.append(attribute)
        return attribute
    }

    /// Adds an optional relationship: `Hero.powers*` is a to-many one, `Hero.powers*!` an ordered one.
    @discardableResult
    public func relationship(
        _ path: String, to destination: String, _ rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let (entity, name) = Self.parts(path)
        let relationship = NSRelationshipDescription()
        relationship.name = name.filter { $0 != "*" && $0 != "!" }
        relationship.destinationEntity = self[destination]
        relationship.maxCount = name.contains("*") ? 0 : 1
        relationship.isOrdered = name.contains("!")
        relationship.isOptional = true
        relationship.deleteRule = rule
        self[entity].properties.append(relationship)
        return relationship
    }

    /// Adds an optional relationship that is its own inverse: both objects are related to each other.
    @discardableResult
    public func reflexive(_ path: String) -> NSRelationshipDescription {
        let relationship = relationship(path, to: Self.parts(path).0)
        relationship.inverseRelationship = relationship
        return relationship
    }

    /// Adds two relationships that are each other's inverse, each with its delete rule.
    public func relationships(
        _ one: String, _ other: String, _ oneRule: NSDeleteRule = .nullifyDeleteRule,
        _ otherRule: NSDeleteRule = .nullifyDeleteRule
    ) {
        let first = relationship(one, to: Self.parts(other).0, oneRule)
        let second = relationship(other, to: Self.parts(one).0, otherRule)
        first.inverseRelationship = second
        second.inverseRelationship = first
    }

    private static func parts(_ path: String) -> (String, String) {
        let parts = path.split(separator: ".")
        precondition(parts.count == 2, "not Entity.property: \(path)")
        return (String(parts[0]), String(parts[1]))
    }
}
