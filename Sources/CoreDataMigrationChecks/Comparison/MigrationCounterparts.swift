import CoreDataGraph

/// Which entities and properties of an old model are to be found again in a new one, and how.
package struct MigrationCounterparts {
    /// An attribute of both models.
    struct Attribute {
        let old: String
        let new: String
        let type: NSAttributeType
        /// The value that objects get that had none; nil where they keep having none.
        let fallback: Any?
        /// Whether equal values of both models look the same; not so where another transformer reads the bytes.
        let comparesValues: Bool
    }

    /// A relationship of both models.
    struct Relationship {
        let old: String
        let new: String
        let isToMany: (old: Bool, new: Bool)
        /// Whether the members have an order that is kept.
        let isOrdered: Bool
        /// Whether fewer links than before may be right, since the new model gives each member one owner.
        let isNarrowed: Bool
    }

    /// An entity whose objects are kept.
    struct Entity {
        let old: String
        let new: String
        let attributes: [Attribute]
        let relationships: [Relationship]
    }

    let entities: [Entity]
    /// The entities of before whose objects go.
    let dropped: [String]
    /// The entities that are new.
    let added: [String]
    /// Whether objects keep their keys, by which their values can be told apart.
    let keepsKeys: Bool

    /// - Parameters:
    ///   - configuration: the one whose entities the store keeps; nil for all.
    ///   - keepsKeys: whether objects keep the numbers of their rows, as in migrations within a schema.
    package init(
        _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, configuration: String? = nil, keepsKeys: Bool
    ) {
        let (present, wanted) = (old.concreteNames(in: configuration), new.concreteNames(in: configuration))
        let kept = ModelMatching(old, new).entities.filter {
            present.contains($0.old.name ?? "") && wanted.contains($0.new.name ?? "")
        }
        entities = kept.map { Self.entity($0.old, $0.new) }
        dropped = present.subtracting(kept.compactMap(\.old.name)).sorted()
        added = wanted.subtracting(kept.compactMap(\.new.name)).sorted()
        self.keepsKeys = keepsKeys
    }

    private static func entity(_ old: NSEntityDescription, _ new: NSEntityDescription) -> Entity {
        let pairs = ModelMatching.properties(old, new).filter {
            !$0.old.isTransient && !$0.new.isTransient && !($0.old is NSDerivedAttributeDescription)
                && !($0.new is NSDerivedAttributeDescription)
        }
        return Entity(
            old: old.name ?? "", new: new.name ?? "", attributes: pairs.compactMap(attribute),
            relationships: pairs.compactMap(relationship))
    }

    private static func attribute(_ old: NSPropertyDescription, _ new: NSPropertyDescription) -> Attribute? {
        guard let old = old as? NSAttributeDescription, let new = new as? NSAttributeDescription,
            old.attributeType == new.attributeType, ![.undefinedAttributeType].contains(new.attributeType)
        else { return nil }
        return Attribute(
            old: old.name, new: new.name, type: new.attributeType,
            fallback: old.isOptional && !new.isOptional ? new.defaultValue : nil,
            comparesValues: old.valueTransformerName == new.valueTransformerName)
    }

    private static func relationship(_ old: NSPropertyDescription, _ new: NSPropertyDescription) -> Relationship? {
        guard let old = old as? NSRelationshipDescription, let new = new as? NSRelationshipDescription else {
            return nil
        }
        let hasNewOwner = old.inverseRelationship == nil && new.inverseRelationship?.isToMany == false
        let hasHiddenOwner = new.inverseRelationship == nil && new.isToMany && !old.isToMany
        return Relationship(
            old: old.name, new: new.name, isToMany: (old.isToMany, new.isToMany),
            isOrdered: old.isToMany && old.isOrdered && new.isToMany && new.isOrdered,
            isNarrowed: hasNewOwner || hasHiddenOwner)
    }
}

extension NSManagedObjectModel {
    /// The entities of a configuration that objects can be of; those of the whole model for nil.
    func concreteNames(in configuration: String?) -> Set<String> {
        Set((entities(forConfigurationName: configuration) ?? []).filter { !$0.isAbstract }.compactMap(\.name))
    }
}
