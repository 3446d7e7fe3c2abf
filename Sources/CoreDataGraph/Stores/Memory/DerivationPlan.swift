import CoreDataModeling

/// The derived attributes of a model's entities, and which rows they must be computed for when others change.
struct DerivationPlan {
    /// A derived attribute of one entity.
    struct DerivedSlot {
        let slot: Int
        let attribute: NSAttributeDescription
        let kind: AttributeKind
        /// What is computed; nil for the time of the save.
        let expression: NSExpression?
    }

    /// One step back from a row that changed towards rows whose values come from it.
    enum Step {
        /// To the rows whose to-one relationship leads here.
        case referrers(NSRelationshipDescription)
        /// To the rows that have this one among the members of a to-many relationship.
        case owners(NSRelationshipDescription)
    }

    struct Dependency {
        /// The entity whose rows are looked at.
        let source: NSEntityDescription
        let steps: [Step]
    }

    /// By the number of the entity.
    private(set) var slots: [[DerivedSlot]]
    private(set) var dependencies: [Dependency] = []
    /// To-one relationships that derivations lead through.
    private(set) var pathRelationships: [NSRelationshipDescription] = []

    var isEmpty: Bool { slots.allSatisfy(\.isEmpty) }

    init(model: ModelLayout) {
        slots = model.entities.map { _ in [] }
        for layout in model.entities {
            for slot in 0..<layout.storedCount {
                guard case .attribute(let attribute, let kind) = layout.slots[slot].content,
                    let derived = attribute as? NSDerivedAttributeDescription,
                    let derivation = Self.derivation(of: derived)
                else { continue }
                add(derivation, DerivedPlace(layout: layout, slot: slot, attribute: attribute, kind: kind))
            }
        }
    }

    private struct DerivedPlace {
        let layout: EntityLayout
        let slot: Int
        let attribute: NSAttributeDescription
        let kind: AttributeKind

        func slot(_ expression: NSExpression?) -> DerivedSlot {
            DerivedSlot(slot: slot, attribute: attribute, kind: kind, expression: expression)
        }
    }

    private static func derivation(of attribute: NSDerivedAttributeDescription) -> Derivation? {
        (attribute.derivationText ?? attribute.derivationExpression?.description).map(Derivation.init(text:))
    }

    private mutating func add(_ derivation: Derivation, _ place: DerivedPlace) {
        let entity = place.layout.entity
        switch derivation {
        case .now: slots[place.layout.number].append(place.slot(nil))
        case .count(let name):
            guard let relationship = entity.relationshipsByName[name], relationship.isToMany else { return }
            add(place, "\(name).@count", from: relationship)
        case .sum(let name, let attribute):
            guard let relationship = entity.relationshipsByName[name], relationship.isToMany else { return }
            add(place, "\(name).@sum.\(attribute)", from: relationship)
        case .copy(let path): add(place, path) { $0 }
        case .function(let name, let path):
            guard let function = ExpressionFunction(rawValue: name + ":") else { return }
            add(place, path) { NSExpression(.function(function, arguments: [$0])) }
        case .other: return
        }
    }

    private mutating func add(_ place: DerivedPlace, _ path: String, from relationship: NSRelationshipDescription) {
        guard let destination = relationship.destinationEntity else { return }
        slots[place.layout.number].append(place.slot(NSExpression(.keyPath(operand: nil, path: path))))
        guard relationship.entity === place.layout.entity else { return }
        dependencies.append(Dependency(source: destination, steps: [.owners(relationship)]))
    }

    private mutating func add(_ place: DerivedPlace, _ path: [String], _ wrap: (NSExpression) -> NSExpression) {
        guard let relationships = Self.relationships(path, from: place.layout.entity) else { return }
        let value = NSExpression(.keyPath(operand: nil, path: path.joined(separator: ".")))
        slots[place.layout.number].append(place.slot(wrap(value)))
        pathRelationships += relationships
        var steps: [Step] = []
        for relationship in relationships {
            steps.insert(.referrers(relationship), at: 0)
            guard let source = relationship.destinationEntity else { continue }
            dependencies.append(Dependency(source: source, steps: steps))
        }
    }

    /// The to-one relationships before the attribute at the end of a path; nil where the path leads elsewhere.
    private static func relationships(
        _ path: [String], from start: NSEntityDescription
    ) -> [NSRelationshipDescription]? {
        var entity = start
        var relationships: [NSRelationshipDescription] = []
        for name in path.dropLast() {
            guard let relationship = entity.relationshipsByName[name], !relationship.isToMany,
                !relationship.isTransient,
                let destination = relationship.destinationEntity
            else { return nil }
            relationships.append(relationship)
            entity = destination
        }
        guard let last = path.last, let attribute = entity.attributesByName[last], !attribute.isTransient else {
            return nil
        }
        return relationships
    }
}
