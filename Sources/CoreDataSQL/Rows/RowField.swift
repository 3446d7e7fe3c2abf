import CoreDataStore

/// One slot of a row, and the column of the entity's table that has its value.
package struct RowField: Sendable {
    package let column: String
    package let slot: Int
    /// Whether the value is the number of an entity.
    package var isEntityNumber = false
    /// Which element of the slot's composite value the column has; nil for a value that is not composite.
    package var element: Int?

    /// The fields of an entity's rows, in the order of their slots.
    package static func fields(of layout: EntityLayout, in mapping: EntityMapping) -> [RowField] {
        var fields: [RowField] = []
        for slot in 0..<layout.storedCount {
            switch layout.slots[slot].content {
            case .attribute(let attribute, _): fields += Self.fields(of: attribute, slot, in: mapping)
            case .toOne(let relationship):
                guard let toOne = mapping.toOne(relationship.name) else { continue }
                fields.append(RowField(column: toOne.column, slot: slot))
                if let column = toOne.entityColumn {
                    fields.append(RowField(column: column, slot: slot + 1, isEntityNumber: true))
                }
            case .targetNumber: continue
            }
        }
        return fields
    }

    /// The column of an attribute, or those of a composite's elements.
    private static func fields(
        of attribute: NSAttributeDescription, _ slot: Int, in mapping: EntityMapping
    ) -> [RowField] {
        guard attribute is NSCompositeAttributeDescription else {
            return mapping.attribute(attribute.name).map { [RowField(column: $0.column, slot: slot)] } ?? []
        }
        return CompositeCoding.leaves(of: attribute).enumerated().compactMap { index, leaf in
            mapping.attributes.first { $0.name == attribute.name && $0.elementPath == leaf.path }
                .map { RowField(column: $0.column, slot: slot, element: index) }
        }
    }
}
