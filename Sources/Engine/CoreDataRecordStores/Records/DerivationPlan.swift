import CoreDataStore

/// The derived attributes of a model's entities, and for which rows they must be computed when other rows change.
package struct DerivationPlan {
    /// A derived attribute of one entity.
    package struct DerivedSlot {
        package let slot: Int
        let attribute: NSAttributeDescription
        let kind: AttributeKind
        /// The expression to compute; nil if the value is the time of the save.
        package let expression: NSExpression?
        /// Whether the value depends only on the row itself.
        let comesFromOwnRow: Bool
    }

    /// One step backward along a derivation's path, from a changed row toward the rows whose values depend on it.
    enum Step {
        /// To the rows whose to-one relationship refers to this row.
        case referrers(NSRelationshipDescription)
        /// To the rows that have this row as a member of a to-many relationship.
        case owners(NSRelationshipDescription)
    }

    struct Dependency {
        /// The entity of the rows on which the value depends.
        let source: NSEntityDescription
        let steps: [Step]
    }

    /// The derived attributes, by the number of the entity.
    package private(set) var slots: [[DerivedSlot]]
    private(set) var dependencies: [Dependency] = []
    /// The to-one relationships on the paths of derivations.
    private(set) var pathRelationships: [NSRelationshipDescription] = []

    var isEmpty: Bool { slots.allSatisfy(\.isEmpty) }

    package init(model: ModelLayout) {
        slots = model.entities.map { _ in [] }
        for layout in model.entities {
            for slot in 0..<layout.storedCount {
                guard case .attribute(let attribute, let kind) = layout.slots[slot].content,
                    let derived = attribute as? NSDerivedAttributeDescription,
                    let formula = DerivationFormula(of: derived, in: layout.entity)
                else { continue }
                slots[layout.number].append(
                    DerivedSlot(
                        slot: slot, attribute: attribute, kind: kind, expression: formula.expression,
                        comesFromOwnRow: formula.comesFromOwnRow))
                note(formula, of: layout.entity)
            }
        }
    }

    private mutating func note(_ formula: DerivationFormula, of entity: NSEntityDescription) {
        if let collection = formula.collection, let members = collection.destinationEntity,
            collection.entity === entity
        {
            dependencies.append(Dependency(source: members, steps: [.owners(collection)]))
        }
        pathRelationships += formula.path
        var steps: [Step] = []
        for relationship in formula.path {
            steps.insert(.referrers(relationship), at: 0)
            guard let source = relationship.destinationEntity else { continue }
            dependencies.append(Dependency(source: source, steps: steps))
        }
    }
}
