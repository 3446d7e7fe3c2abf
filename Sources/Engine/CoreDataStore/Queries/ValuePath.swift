import CoreDataModeling

/// A key path to be fetched, resolved: a path of to-one relationships that ends at an attribute, an element of a
/// composite attribute, or an object.
package struct ValuePath {
    /// The to-one relationships to follow, in order.
    package private(set) var relationships: [NSRelationshipDescription] = []
    /// The attribute at the end of the path; nil if the path ends at an object. `elementPath` leads to an element of a
    /// composite.
    package private(set) var attribute: NSAttributeDescription?
    package private(set) var elementPath: [String] = []
    /// The entity of the object at the end, or the entity that has the attribute.
    package private(set) var entity: NSEntityDescription

    /// Nil for a path that cannot be resolved, such as one through a to-many relationship or to a computed value.
    package init?(_ path: String, from start: NSEntityDescription) {
        entity = start
        var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        while let step = steps.popFirst() {
            if ["self", "SELF", "objectID"].contains(step) { continue }
            switch entity.propertiesByName[step] {
            case let attribute as NSAttributeDescription where !attribute.isTransient:
                self.attribute = attribute
                elementPath = Array(steps)
                guard steps.isEmpty || leaf != nil else { return nil }
                return
            case let relationship as NSRelationshipDescription where !relationship.isToMany:
                guard let destination = relationship.destinationEntity else { return nil }
                relationships.append(relationship)
                entity = destination
            default: return nil
            }
        }
    }

    /// The attribute that describes the values: the attribute itself, or the element of a composite attribute.
    package var leaf: NSAttributeDescription? {
        guard let attribute, !elementPath.isEmpty else { return attribute }
        return CompositeCoding.leaves(of: attribute).first { $0.path == elementPath }?.attribute
    }

    /// The content of a column with the values at the end of the path.
    package var content: ValueColumn.Content {
        leaf.map { .attribute($0, AttributeKind($0)) } ?? .reference(entity)
    }
}
