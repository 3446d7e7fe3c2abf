import CoreData

/// Which new objects of an import become rows without being objects first, and which of their properties.
///
/// A row serves where it is all that an object would be, and where saving the object would change no other row: not for
/// an entity whose rules look at other objects; not for a relationship whose other end is in a row too, has an order, or
/// may have only so many members. What a row cannot be is an object, or waits until all are there.
final class ImportRowForm {
    /// What becomes of a property's value.
    enum Field {
        case attribute(NSAttributeDescription, AttributeKind, slot: Int)
        /// A relationship that is in the row alone; `targets` are the entities that it may lead to, by number.
        case toOne(NSRelationshipDescription, slot: Int, targets: Set<Int>)
        /// A relationship that also changes its target, or requires a check of it; it is set later, on managed objects.
        case link(NSRelationshipDescription)
        /// It is computed from others, or not stored.
        case made
    }

    let layout: EntityLayout
    let fields: [String: (number: Int, field: Field)]
    /// The properties in the order in which the last record had them, as most have the same.
    private var recent: [(key: String, number: Int, field: Field)] = []
    let made: NewRowForm
    /// The attributes whose values may be stored in files of their own.
    let external: Set<String>
    /// The slots of the to-one relationships that must lead somewhere.
    let demandedSlots: [Int]
    /// Whether the entity has a required `link` relationship, which a new row never fills by itself.
    let demandsLinks: Bool
    /// Whether an attribute of the entity, or of one that shares its table, must be unique.
    let isUnique: Bool

    /// Nil where objects of the entity cannot be rows.
    init?(_ layout: EntityLayout, in store: OpenStore) {
        // Rows are written in portions, and a store must be able to roll back the earlier ones.
        guard store.store.objects?.saveGrouping != nil, !layout.runsCodeOfInsertions,
            let made = NewRowForm(of: layout)
        else { return nil }
        self.layout = layout
        self.made = made
        let properties = layout.entity.propertiesByName.values.map { ($0.name, Self.field(of: $0, layout)) }
        fields = Dictionary(
            uniqueKeysWithValues: properties.enumerated().map { number, property in
                (property.0, (number, property.1))
            })
        external = Set(
            layout.entity.attributesByName.values.filter(\.allowsExternalBinaryDataStorage).map(\.name))
        demandedSlots = fields.values.compactMap {
            guard case .toOne(let relationship, let slot, _) = $0.field, !relationship.isOptional else { return nil }
            return slot
        }
        demandsLinks = fields.values.contains {
            guard case .link(let relationship) = $0.field else { return false }
            return !relationship.isOptional && (!relationship.isToMany || relationship.minCount > 0)
        }
        isUnique = layout.model.entities.contains { $0.root == layout.root && !$0.entity.uniquenessConstraints.isEmpty }
    }

    /// What becomes of a property that a record has at a position.
    func field(named key: String, at position: Int) -> (number: Int, field: Field)? {
        if position < recent.count, recent[position].key == key {
            return (recent[position].number, recent[position].field)
        }
        guard let (number, field) = fields[key] else { return nil }
        if position < recent.count {
            recent[position] = (key, number, field)
        } else if position == recent.count {
            recent.append((key, number, field))
        }
        return (number, field)
    }

    private static func field(of property: NSPropertyDescription, _ layout: EntityLayout) -> Field {
        if property.isTransient || property is NSDerivedAttributeDescription { return .made }
        switch (property, layout.places[property.name]) {
        case (let attribute as NSAttributeDescription, .attribute(let slot)):
            return .attribute(attribute, AttributeKind(attribute), slot: slot)
        case (let relationship as NSRelationshipDescription, .toOne(let slot)):
            let targets = targets(of: relationship, in: layout.model)
            return isInRowAlone(relationship, targets)
                ? .toOne(relationship, slot: slot, targets: Set(targets.map(\.number))) : .link(relationship)
        case (let relationship as NSRelationshipDescription, _): return .link(relationship)
        default: return .made
        }
    }

    /// The entities whose objects a relationship may lead to.
    static func targets(of relationship: NSRelationshipDescription, in model: ModelLayout) -> [EntityLayout] {
        model.entities.filter { entity in relationship.destinationEntity.map(entity.entity.isKindOf) ?? false }
    }

    /// Whether leading a to-one relationship somewhere changes nothing of what it leads to that would have to be checked.
    static func isInRowAlone(_ relationship: NSRelationshipDescription, _ targets: [EntityLayout]) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return true }
        return inverse.isToMany && !inverse.isOrdered && inverse.maxCount == 0
            && inverse.minCount <= (inverse.isOptional ? 1 : 0)
            && !targets.contains { $0.ruleKeys.contains(inverse.name) }
    }
}
