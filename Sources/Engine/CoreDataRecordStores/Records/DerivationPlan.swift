import CoreDataStore

/// The derived attributes of a model's entities, and which rows they must be computed for when others change.
package struct DerivationPlan {
    /// A derived attribute of one entity.
    package struct DerivedSlot {
        package let slot: Int
        let attribute: NSAttributeDescription
        let kind: AttributeKind
        /// What is computed; nil for the time of the save.
        package let expression: NSExpression?
        /// Whether the row itself is all that the value comes from.
        let comesFromOwnRow: Bool
    }

    /// One step back from a row that changed towards rows whose values come from it.
    enum Step {
        /// To the rows whose to-one relationship leads here.
        case referrers(NSRelationshipDescription)
        /// To the rows that have this one among the members of a to-many relationship.
        case owners(NSRelationshipDescription)
    }

    struct Dependency {
        /// The entity whose rows are read.
        let source: NSEntityDescription
        let steps: [Step]
    }

    /// By the number of the entity.
    package private(set) var slots: [[DerivedSlot]]
    private(set) var dependencies: [Dependency] = []
    /// To-one relationships that derivations lead through.
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
