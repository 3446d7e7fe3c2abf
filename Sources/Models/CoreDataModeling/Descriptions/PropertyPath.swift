/// A path in a uniqueness constraint, a fetch index or a batch update: the name of a property of an entity, or the
/// dotted path to an element of a composite attribute (`color.red`).
package struct PropertyPath {
    /// The property of the entity.
    package let property: NSPropertyDescription
    /// The names from a composite attribute to its element; empty if the path is that of the property itself.
    package let elementPath: [String]
    /// The property itself, or the element.
    package let end: NSPropertyDescription

    /// Returns nil if the path does not lead to a property or element, and for a path over a relationship.
    package init?(_ path: String, in entity: NSEntityDescription) {
        if let property = entity.property(named: path) {
            (self.property, elementPath, end) = (property, [], property)
            return
        }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, let property = entity.property(named: names[0]) as? NSCompositeAttributeDescription,
            let element = property.element(at: names[1...])
        else { return nil }
        (self.property, elementPath, end) = (property, Array(names[1...]), element)
    }

    /// Whether a path is that of a property or of one of its elements.
    package static func leads(_ path: String, to property: String) -> Bool {
        path == property || path.hasPrefix(property + ".")
    }
}

extension NSEntityDescription {
    /// The name of a property, or the path to an element of a composite attribute of the entity.
    package final func path(to property: NSPropertyDescription) -> String {
        guard let element = property as? NSAttributeDescription, element.entity == nil else { return property.name }
        for case let composite as NSCompositeAttributeDescription in properties {
            if let path = composite.path(to: element) { return ([composite.name] + path).joined(separator: ".") }
        }
        return property.name
    }
}

extension NSCompositeAttributeDescription {
    /// The element at a path of names; nil if there is none.
    package final func element(at names: some Collection<String>) -> NSAttributeDescription? {
        names.reduce(self as NSAttributeDescription?) { outer, name in
            (outer as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
        }
    }

    /// The names that lead to an element on any level of nesting; nil for any other attribute, and below 32 levels.
    final func path(to element: NSPropertyDescription) -> [String]? { path(to: element, levels: 32) }

    private final func path(to element: NSPropertyDescription, levels: Int) -> [String]? {
        guard levels > 0 else { return nil }
        for own in elements {
            if own === element { return [own.name] }
            let inner = (own as? NSCompositeAttributeDescription)?.path(to: element, levels: levels - 1)
            if let inner { return [own.name] + inner }
        }
        return nil
    }
}
