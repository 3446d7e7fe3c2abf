/// The part of an entity that rules which refuse a source use when they check another entity.
///
/// It consists of the parent, the names of the properties, and the destinations and inverses of relationships:
/// `InheritanceRules`, `InverseRules`, `IndexRules` and `ConstraintRules` follow parents, destinations and inverses,
/// and use nothing else there.
struct EntityInterface: Hashable, Sendable {
    struct Property: Hashable, Sendable {
        let name: String
        /// Nil for a property that is not a relationship.
        let destination: String?
        let inverse: String?
    }

    let name: String
    let parent: String?
    let properties: [Property]

    /// Makes the interface of an `<entity>` element; nil for one without a name.
    init?(_ element: ModelElement) {
        guard let name = element.text("name") else { return nil }
        self.name = name
        parent = element.text("parentEntity")
        properties = element.contents.compactMap { content in
            guard let inner = content.element, ModelDocument.properties.contains(inner.name) else { return nil }
            let isRelationship = inner.name == "relationship"
            return Property(
                name: inner.text("name") ?? "",
                destination: isRelationship ? inner.text("destinationEntity") ?? "" : nil,
                inverse: isRelationship ? inner.text("inverseName") : nil)
        }
    }

    /// A placeholder: an `<entity>` element with this interface and nothing else.
    ///
    /// A relationship whose destination is not among the given entities becomes an attribute, so that its name remains
    /// in use.
    func standIn(within names: Set<String>) -> ModelElement {
        let head = [ModelAttribute("name", name)] + (parent.map { [ModelAttribute("parentEntity", $0)] } ?? [])
        return ModelElement("entity", head, elements: properties.map { $0.standIn(within: names) })
    }
}

extension EntityInterface.Property {
    fileprivate func standIn(within names: Set<String>) -> ModelElement {
        var attributes = [ModelAttribute("name", name), ModelAttribute("optional", "YES")]
        guard let destination, names.contains(destination) else {
            return ModelElement("attribute", attributes + [ModelAttribute("attributeType", "Integer 16")])
        }
        attributes.append(ModelAttribute("destinationEntity", destination))
        if let inverse { attributes.append(ModelAttribute("inverseName", inverse)) }
        return ModelElement("relationship", attributes)
    }
}

extension ModelElement {
    /// The text of an attribute; nil if it is missing or empty.
    fileprivate func text(_ attribute: String) -> String? {
        guard let text = self[attribute], !text.isEmpty else { return nil }
        return text
    }
}
