import CoreDataStore

/// A slot of a row, or an element of a composite slot, and the column of the entity's table that stores its value.
package struct RowField: Sendable {
    package let column: String
    package let slot: Int
    /// Whether the value is an entity number.
    package var isEntityNumber = false
    /// The index of the composite's element that the column stores; nil for a value that is not composite.
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

    /// Returns the field of an attribute, or the fields of a composite's elements.
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

    /// Returns the fields for property names and for key paths to elements of composites; nil if one has no field.
    package static func fields(named names: [String], of layout: EntityLayout, among fields: [RowField]) -> [RowField]?
    {
        let found = names.compactMap { name -> RowField? in
            guard let path = PropertyPath(name, in: layout.entity) else { return nil }
            let element =
                path.elementPath.isEmpty ? nil : CompositeCoding.place(of: path.elementPath, in: path.property)
            guard path.elementPath.isEmpty == (element == nil) else { return nil }
            return fields.first {
                layout.slots[$0.slot].name == path.property.name && $0.element == element && !$0.isEntityNumber
            }
        }
        return found.count == names.count && !found.isEmpty ? found : nil
    }

    /// Returns the field's value in a row of a slab, in its stored form.
    package func storedValue(in slab: RowSlab, _ index: Int) -> StoredValue {
        let value = slab.storedValue(index, slot)
        guard let element else { return value }
        let none = StoredValue(tag: RowTag.null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        guard value.tag == RowTag.blob else { return none }
        let elements = CompositeCoding.elements(in: value.bytes)
        return element < elements.count ? elements[element] : none
    }
}
