import CoreDataGraph

/// Which entities and properties of an old model are to be found again in a new one, and how.
package struct MigrationCounterparts {
    /// An attribute of both models, or an element of a composite one.
    struct Attribute {
        /// The path in the old model; nil for an element that is new.
        let old: String?
        /// The path in the new model; nil for an element that is gone.
        let new: String?
        let type: NSAttributeType
        /// The value that objects get that had none; nil where they keep having none.
        var fallback: Any?
        /// Whether equal values of both models look the same; not so where another transformer reads the bytes.
        let comparesValues: Bool
        /// What numbers become that get another type; nil where the type is the same.
        let conversion: NumberConversion?
        /// The paths of elements of before of which one must have a value for the fallback to be given; nil where it always
        /// is, and empty where the composite attribute alone must be there.
        var siblings: [String]?
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
        /// All values are kept, under new keys: those of an attribute are compared as a set, and links are counted.
        case values
        /// The migration decides itself, as a mapping model does.
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
            // The composite as a whole if all elements keep their places.
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
        // Some stores keep fewer digits of a decimal than a double has.
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
                // Within a schema a composite is there where another element that is kept has a value.
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

    /// The key of the attribute on a side, and the names that lead to the element; nil where it is not on that side.
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
