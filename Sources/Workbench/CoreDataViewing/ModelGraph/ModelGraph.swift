import CoreData

/// A model as boxes and lines: entities, inheritance, and a line for each relationship with its inverse.
package struct ModelGraph: Sendable {
    /// How much of the attributes the boxes show.
    package enum AttributeDetail: String, CaseIterable, Sendable {
        case none
        case names
        case types
    }

    /// An entity.
    package struct Box: Sendable {
        package let name: String
        package let isAbstract: Bool
        /// The attributes in the box, in two columns; the type may be empty.
        package let rows: [(name: String, type: String)]
    }

    /// One end of a line: its label, and whether the relationship that ends here is to-many.
    package struct End: Sendable {
        /// The index of the box.
        package let box: Int
        /// The name of the relationship that leads to this box; nil at the start of a relationship without an inverse.
        package let label: String?
        package let isToMany: Bool
    }

    /// A relationship with its inverse.
    package struct Line: Sendable {
        package let start: End
        package let end: End
        /// Whether there is a relationship in each direction.
        package var isPair: Bool { start.label != nil }
    }

    package let title: String
    package private(set) var boxes: [Box] = []
    package private(set) var lines: [Line] = []
    /// The indexes of a subentity and of its superentity.
    package private(set) var inheritance: [(child: Int, parent: Int)] = []

    /// Makes the graph of a model version.
    ///
    /// With `showsDeleteRules`, the delete rule of each relationship follows its name in the label.
    package init(_ version: ModelVersion, attributes: AttributeDetail, showsDeleteRules: Bool) {
        title = version.name
        let entities = NSManagedObjectModel.numbered(version.model.entities)
        let numbers = Dictionary(
            entities.enumerated().map { (ObjectIdentifier($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        boxes = entities.map { Box($0, attributes) }
        var done = Set<ObjectIdentifier>()
        for (number, entity) in entities.enumerated() {
            if let parent = entity.superentity.flatMap({ numbers[ObjectIdentifier($0)] }) {
                inheritance.append((number, parent))
            }
            for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
                guard let relationship = property as? NSRelationshipDescription,
                    done.insert(ObjectIdentifier(relationship)).inserted,
                    let target = relationship.destinationEntity.flatMap({ numbers[ObjectIdentifier($0)] })
                else { continue }
                let inverse = relationship.inverseRelationship
                if let inverse { done.insert(ObjectIdentifier(inverse)) }
                let text: (NSRelationshipDescription) -> String = {
                    showsDeleteRules ? "\($0.name) (\($0.deleteRule.text))" : $0.name
                }
                lines.append(
                    Line(
                        start: End(box: number, label: inverse.map(text), isToMany: inverse?.isToMany ?? false),
                        end: End(box: target, label: text(relationship), isToMany: relationship.isToMany)))
            }
        }
    }
}

extension ModelGraph.Box {
    fileprivate init(_ entity: NSEntityDescription, _ detail: ModelGraph.AttributeDetail) {
        name = entity.name ?? "?"
        isAbstract = entity.isAbstract
        let own = entity.ownProperties.filter { !($0 is NSRelationshipDescription) }
        rows =
            detail == .none
            ? []
            : own.sorted { $0.name < $1.name }.map { property in
                (property.name, detail == .types ? Self.type(property) : "")
            }
    }

    private static func type(_ property: NSPropertyDescription) -> String {
        switch property {
        case let derived as NSDerivedAttributeDescription: "\(derived.attributeType.text), derived"
        case let composite as NSCompositeAttributeDescription: composite.compositeName ?? composite.attributeType.text
        case let attribute as NSAttributeDescription: attribute.attributeType.text + (attribute.isOptional ? "?" : "")
        default: "fetched"
        }
    }
}
