import CoreDataFoundation

/// Matches the elements of a composite attribute with those of an older version of the attribute.
///
/// Elements match as properties do, by renaming identifier and name, on each level of nesting.
package enum CompositeMatching {
    /// An attribute that is not composite itself, with its path in a composite attribute.
    package struct Leaf {
        package let path: [String]
        package let attribute: NSAttributeDescription

        /// The names joined by dots.
        package var name: String { path.joined(separator: ".") }
    }

    /// The older element of each element of an attribute, by the new path. For two plain attributes the only path is
    /// empty; for a plain and a composite attribute the result is empty.
    package static func origins(
        of new: NSAttributeDescription, in old: NSAttributeDescription
    ) -> [[String]: Leaf] {
        var origins: [[String]: Leaf] = [:]
        var open = [(old: Leaf(path: [], attribute: old), new: Leaf(path: [], attribute: new))]
        while let (old, new) = open.popLast() {
            switch (old.attribute, new.attribute) {
            case (let before as NSCompositeAttributeDescription, let after as NSCompositeAttributeDescription):
                guard new.path.count < CompiledModelWriter.greatestCompositeDepth else { continue }
                let pairs = ModelMatching.pairs(
                    before.elements, after.elements, name: \.name, identifier: \.declaredRenamingIdentifier)
                open += pairs.map { pair in
                    (
                        Leaf(path: old.path + [pair.old.name], attribute: pair.old),
                        Leaf(path: new.path + [pair.new.name], attribute: pair.new)
                    )
                }
            case (is NSCompositeAttributeDescription, _), (_, is NSCompositeAttributeDescription): continue
            default: origins[new.path] = old
            }
        }
        return origins
    }

    /// The conversions of numbers whose type changes, each with the older element and the new path.
    ///
    /// For a plain attribute the element is the attribute itself, with an empty path.
    package static func conversions(
        of new: NSAttributeDescription, from old: NSAttributeDescription
    ) -> [(origin: Leaf, path: [String], conversion: NumberConversion)] {
        let origins = origins(of: new, in: old)
        return leaves(of: new).compactMap { leaf in
            guard let origin = origins[leaf.path],
                let conversion = NumberConversion(
                    from: origin.attribute.attributeType, to: leaf.attribute.attributeType)
            else { return nil }
            return (origin, leaf.path, conversion)
        }
    }

    /// The elements of a composite that are not composite themselves; for a plain attribute the attribute itself.
    package static func leaves(of attribute: NSAttributeDescription) -> [Leaf] {
        var leaves: [Leaf] = []
        var open = [Leaf(path: [], attribute: attribute)]
        while let next = open.popLast() {
            guard let composite = next.attribute as? NSCompositeAttributeDescription else {
                leaves.append(next)
                continue
            }
            guard next.path.count < CompiledModelWriter.greatestCompositeDepth else { continue }
            open += composite.elements.reversed().map { Leaf(path: next.path + [$0.name], attribute: $0) }
        }
        return leaves
    }

    /// Whether two attributes have elements of the same names and types; for two plain attributes, whether they have
    /// one type.
    static func haveSameShape(_ one: NSAttributeDescription, _ other: NSAttributeDescription) -> Bool {
        let (first, second) = (leaves(of: one), leaves(of: other))
        return first.map(\.name) == second.map(\.name)
            && first.map(\.attribute.attributeType) == second.map(\.attribute.attributeType)
    }

    /// The path of an element in all versions: on each level the renaming identifier, or the name if there is none.
    package static func canonicalPath(of path: [String], in attribute: NSAttributeDescription) -> [String] {
        var outer: NSAttributeDescription? = attribute
        return path.map { name in
            outer = (outer as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
            return outer?.declaredRenamingIdentifier ?? name
        }
    }

    /// Converts the value of a composite to a newer version of the composite. Elements get their new names, removed
    /// ones are dropped and numbers are converted to new types; new elements, and elements that became required and are
    /// nil, get their default values.
    package static func value(
        _ value: [String: Any], of old: NSAttributeDescription, as new: NSAttributeDescription
    ) -> [String: Any] {
        var result: [String: Any] = [:]
        let origins = origins(of: new, in: old)
        let conversions = Dictionary(
            conversions(of: new, from: old).map { ($0.path, $0.conversion) }, uniquingKeysWith: { first, _ in first })
        for leaf in leaves(of: new) {
            let origin = origins[leaf.path]?.attribute
            let isFilled = origin.map { $0.isOptional && !leaf.attribute.isOptional } ?? true
            if isFilled, let preset = leaf.attribute.defaultValue { set(preset, at: leaf.path[...], in: &result) }
        }
        for (path, origin) in origins {
            guard let element = origin.path.reduce(value as Any?, { ($0 as? [String: Any])?[$1] }) else { continue }
            set(conversions[path]?.converted(element) ?? element, at: path[...], in: &result)
        }
        return result
    }

    private static func set(_ value: Any, at path: ArraySlice<String>, in dictionary: inout [String: Any]) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            dictionary[name] = value
            return
        }
        var inner = dictionary[name] as? [String: Any] ?? [:]
        set(value, at: path.dropFirst(), in: &inner)
        dictionary[name] = inner
    }
}
