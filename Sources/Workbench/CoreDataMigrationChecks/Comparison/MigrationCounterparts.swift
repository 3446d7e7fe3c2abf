import CoreDataGraph

/// Pairs the entities and properties of an old model with those that a migration turns them into in a new model.
package struct MigrationCounterparts {
    /// An attribute of both models, or an element of a composite attribute of both models.
    struct Attribute {
        /// The path in the old model; nil for an element that is new.
        let old: String?
        /// The path in the new model; nil for an element that the new model lacks.
        let new: String?
        let type: NSAttributeType
        /// The value that the migration sets where the old value is nil; nil if the new value is nil, too.
        var fallback: Any?
        /// Whether values of both models can be compared; false if the value transformer changes or a number becomes a
        /// decimal, and then only the numbers of values are compared.
        let comparesValues: Bool
        /// Converts numbers to the new attribute type as the migration does; nil if the type stays the same.
        let conversion: NumberConversion?
        /// The condition for `fallback` in an element of a composite attribute: paths of old elements of which at least
        /// one must have a value; empty if it suffices that the composite attribute has a value; nil for no condition.
        var siblings: [String]?
    }

    /// A relationship of both models.
    struct Relationship {
        let old: String
        let new: String
        let isToMany: (old: Bool, new: Bool)
        /// Whether the relationship is ordered and to-many in both models, so that the order is compared.
        let isOrdered: Bool
        /// Whether the migration may correctly lose links, since in the new model each member has at most one owner.
        let isNarrowed: Bool
    }

    /// An entity of both models, whose objects the migration keeps.
    struct Entity {
        let old: String
        let new: String
        let attributes: [Attribute]
        let relationships: [Relationship]
    }

    let entities: [Entity]
    /// The entities of the old model without a counterpart, whose objects the migration deletes.
    let dropped: [String]
    /// The entities of the new model without a counterpart.
    let added: [String]
    let keeping: Keeping

    /// What a migration must keep of the objects and properties that have a counterpart.
    package enum Keeping: Sendable {
        /// Objects keep their primary keys and values, so that the values of each object are compared.
        case keysAndValues
        /// Values are kept, but objects get new primary keys: the values of an attribute are compared in any order, and
        /// links are only counted.
        case values
        /// Nothing is required: the migration, such as one with a mapping model, decides what it keeps.
        case whatItSays
    }

    /// - Parameters:
    ///   - configuration: the configuration whose entities the store contains; nil for all entities.
    ///   - keeping: what the migration must keep; migrations that alter the schema in place keep primary keys.
    package init(
        _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, configuration: String? = nil, keeps keeping: Keeping
    ) {
        let (present, wanted) = (old.concreteNames(in: configuration), new.concreteNames(in: configuration))
        let kept = ModelMatching(old, new).entities.filter {
            present.contains($0.old.name ?? "") && wanted.contains($0.new.name ?? "")
        }
        entities = kept.map { Self.entity($0.old, $0.new, keeping) }
        dropped = present.subtracting(kept.compactMap(\.old.name)).sorted()
        added = wanted.subtracting(kept.compactMap(\.new.name)).sorted()
        self.keeping = keeping
    }

    private static func entity(
        _ old: NSEntityDescription, _ new: NSEntityDescription, _ keeping: Keeping
    ) -> Entity {
        let pairs = ModelMatching.properties(old, new).filter {
            !$0.old.isTransient && !$0.new.isTransient && !($0.old is NSDerivedAttributeDescription)
                && !($0.new is NSDerivedAttributeDescription)
        }
        return Entity(
            old: old.name ?? "", new: new.name ?? "", attributes: pairs.flatMap { attributes($0.old, $0.new, keeping) },
            relationships: pairs.compactMap(relationship))
    }

    private static func attributes(
        _ old: NSPropertyDescription, _ new: NSPropertyDescription, _ keeping: Keeping
    ) -> [Attribute] {
        guard let old = old as? NSAttributeDescription, let new = new as? NSAttributeDescription else { return [] }
        if let old = old as? NSCompositeAttributeDescription, let new = new as? NSCompositeAttributeDescription {
            let elements = elements(old, new, keeping)
            // If no element moves or changes its type, the composite attribute is compared as a whole.
            guard elements.allSatisfy({ $0.hasSamePlace(old, new) }) else { return elements }
        }
        return [attribute((old.name, old), (new.name, new))].compactMap(\.self)
    }

    private static func attribute(
        _ old: (path: String, attribute: NSAttributeDescription),
        _ new: (path: String, attribute: NSAttributeDescription)
    ) -> Attribute? {
        let types = (old.attribute.attributeType, new.attribute.attributeType)
        guard types.1 != .undefinedAttributeType else { return nil }
        let conversion = NumberConversion(from: types.0, to: types.1)
        guard conversion != nil || types.0 == types.1 else { return nil }
        // Some stores round decimals to fewer digits than the number before the conversion had.
        let isComparable = conversion.map { $0.new != .decimalAttributeType } ?? true
        return Attribute(
            old: old.path, new: new.path, type: types.1,
            fallback: old.attribute.isOptional && !new.attribute.isOptional ? new.attribute.defaultValue : nil,
            comparesValues: old.attribute.valueTransformerName == new.attribute.valueTransformerName && isComparable,
            conversion: conversion)
    }

    /// The elements of two forms of a composite attribute: those of both, those that are new, and those that are gone.
    private static func elements(
        _ old: NSCompositeAttributeDescription, _ new: NSCompositeAttributeDescription, _ keeping: Keeping
    ) -> [Attribute] {
        let origins = CompositeMatching.origins(of: new, in: old)
        func path(_ composite: NSAttributeDescription, _ leaf: CompositeMatching.Leaf) -> String {
            "\(composite.name).\(leaf.name)"
        }
        let kept = CompositeMatching.leaves(of: new).compactMap { leaf -> Attribute? in
            guard let origin = origins[leaf.path] else {
                return Attribute(
                    old: nil, new: path(new, leaf), type: leaf.attribute.attributeType, fallback: nil,
                    comparesValues: false, conversion: nil)
            }
            var element = attribute((path(old, origin), origin.attribute), (path(new, leaf), leaf.attribute))
            if new.isOptional {
                // After a migration in place, a composite is non-nil only if another kept element has a value.
                let others = origins.values.filter { $0.path != origin.path }.map { path(old, $0) }
                element?.siblings = keeping == .keysAndValues ? others : []
                if keeping == .keysAndValues, others.isEmpty { element?.fallback = nil }
            }
            return element
        }
        let known = Set(origins.values.map(\.path))
        let gone = CompositeMatching.leaves(of: old).filter { !known.contains($0.path) }.map { leaf in
            Attribute(
                old: path(old, leaf), new: nil, type: leaf.attribute.attributeType, fallback: nil,
                comparesValues: false, conversion: nil)
        }
        return kept + gone
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

extension MigrationCounterparts.Attribute {
    /// Whether an element has the same names and type within its composite attribute as before.
    fileprivate func hasSamePlace(
        _ before: NSCompositeAttributeDescription, _ after: NSCompositeAttributeDescription
    ) -> Bool {
        guard let old, let new, conversion == nil, fallback == nil else { return false }
        return old.dropFirst(before.name.count) == new.dropFirst(after.name.count)
    }

    /// The attribute's name on a side and the names of the nested elements; nil if that side does not have the element.
    func place(_ side: StoreDigest.Side) -> (key: String, elements: [String])? {
        let names = (side == .before ? old : new)?.split(separator: ".").map(String.init)
        return names.flatMap { names in names.first.map { ($0, Array(names.dropFirst())) } }
    }

    /// The name of the attribute in a digest, different for a removed attribute and a new one of the same name.
    var digestName: String { new ?? "\(old ?? "") (gone)" }
}

extension NSManagedObjectModel {
    /// The entities of a configuration that are not abstract; those of the entire model for nil.
    func concreteNames(in configuration: String?) -> Set<String> {
        Set((entities(forConfigurationName: configuration) ?? []).filter { !$0.isAbstract }.compactMap(\.name))
    }
}
