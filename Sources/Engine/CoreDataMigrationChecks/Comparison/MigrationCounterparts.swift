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
        /// What numbers become that get another type; nil where the type is the same.
        let conversion: NumberConversion?
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
    /// The entities of the source model whose objects are deleted.
    let dropped: [String]
    /// The entities that are new.
    let added: [String]
    let keeping: Keeping

    /// What a migration has to keep of everything that has a counterpart.
    package enum Keeping: Sendable {
        /// Objects keep their keys, by which their values can be distinguished.
        case keysAndValues
        /// All values are kept, under new keys: those of an attribute are compared as a whole, and links are counted.
        case values
        /// It decides itself, as a mapping model does.
        case whatItSays
    }

    /// - Parameters:
    ///   - configuration: the one whose entities the store keeps; nil for all.
    ///   - keeping: what the migration has to keep; migrations within a schema keep the numbers of rows.
    package init(
        _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, configuration: String? = nil, keeps keeping: Keeping
    ) {
        let (present, wanted) = (old.concreteNames(in: configuration), new.concreteNames(in: configuration))
        let kept = ModelMatching(old, new).entities.filter {
            present.contains($0.old.name ?? "") && wanted.contains($0.new.name ?? "")
        }
        entities = kept.map { Self.entity($0.old, $0.new) }
        dropped = present.subtracting(kept.compactMap(\.old.name)).sorted()
        added = wanted.subtracting(kept.compactMap(\.new.name)).sorted()
        self.keeping = keeping
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
            ![.undefinedAttributeType].contains(new.attributeType)
        else { return nil }
        let conversion = NumberConversion(from: old.attributeType, to: new.attributeType)
        guard conversion != nil || old.attributeType == new.attributeType else { return nil }
        // Some stores keep fewer digits of a decimal than a double has, and elements are not looked at one by one.
        let isComparable =
            conversion.map { $0.new != .decimalAttributeType }
            ?? CompositeMatching.conversions(of: new, from: old).isEmpty
        return Attribute(
            old: old.name, new: new.name, type: new.attributeType,
            fallback: old.isOptional && !new.isOptional ? new.defaultValue : nil,
            comparesValues: old.valueTransformerName == new.valueTransformerName
                && isComparable,
            conversion: conversion)
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
