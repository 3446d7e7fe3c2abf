import CoreDataModeling

/// Where a key path ends that is to be fetched: along relationships to one, at an attribute, an element or an object.
package struct ValuePath {
    /// The relationships to follow.
    package private(set) var relationships: [NSRelationshipDescription] = []
    /// The attribute at the end, and the names that lead to an element of a composite one; nil where it is an object.
    package private(set) var attribute: NSAttributeDescription?
    package private(set) var elementPath: [String] = []
    /// The entity of the object at the end, or of the one that has the attribute.
    package private(set) var entity: NSEntityDescription

    /// Nil for a path that leads elsewhere: through a relationship to many, or to a calculated value.
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

    /// What the values are described by: the attribute itself, or the element of a composite one.
    package var leaf: NSAttributeDescription? {
        guard let attribute, !elementPath.isEmpty else { return attribute }
        return CompositeCoding.leaves(of: attribute).first { $0.path == elementPath }?.attribute
    }

    /// What a column at the end of the path has.
    package var content: ValueColumn.Content {
        leaf.map { .attribute($0, AttributeKind($0)) } ?? .reference(entity)
    }
}
