import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// An attribute of the engine's schema, and where rows have its value: a slot, or an element of a composite in a slot.
struct AttributeMapping {
    /// The name of the attribute; of an element of a composite its path, such as `address.city`.
    let name: String
    let id: SchemaID
    let entity: NSEntityDescription
    /// The attribute of the entity, whose user info counts.
    let declared: NSAttributeDescription
    /// The attribute that has the type: the declared one, or the element.
    let attribute: NSAttributeDescription
    let kind: AttributeKind
    let slot: Int
    /// The index of the element; nil for an attribute that is no composite.
    let element: Int?
    /// Whether large values travel in chunks: those that no rule or constraint compares.
    var isCut = false

    /// The synced attributes of an entity: stored ones that are neither derived nor excluded.
    static func all(of layout: EntityLayout) -> [AttributeMapping] {
        var all: [AttributeMapping] = []
        for (slot, value) in layout.slots.enumerated() where slot < layout.storedCount {
            guard case .attribute(let attribute, let kind) = value.content, kind != .objectID, kind != .undefined,
                !(attribute is NSDerivedAttributeDescription), !SchemaBuilder.isExcluded(attribute.userInfo)
            else { continue }
            guard kind == .composite else {
                all.append(
                    AttributeMapping(
                        name: attribute.name, id: SchemaBuilder.id(attribute, of: layout.entity),
                        entity: layout.entity, declared: attribute, attribute: attribute, kind: kind, slot: slot,
                        element: nil))
                continue
            }
            for (index, leaf) in CompositeCoding.leaves(of: attribute).enumerated() {
                let path = "." + leaf.path.joined(separator: ".")
                all.append(
                    AttributeMapping(
                        name: attribute.name + path, id: SchemaBuilder.id(attribute, of: layout.entity, path: path),
                        entity: layout.entity, declared: attribute, attribute: leaf.attribute,
                        kind: AttributeKind(leaf.attribute), slot: slot, element: index))
            }
        }
        return all
    }

    /// The value of a new object; null if the default value cannot be read.
    var defaultValue: SyncValue {
        guard let row = EntityLayout.known(entity)?.defaultRow else { return .null }
        return (try? value(in: row, 0, from: nil)) ?? .null
    }

    /// The value of a row.
    ///
    /// - Parameters:
    ///   - store: What reads values outside of the row; nil if there are none.
    /// - Throws: An error of the store, or a `ValueRejection`.
    ///   - largeValues: What cuts large values into chunks; nil to have them whole.
    func value(
        in slab: RowSlab, _ index: Int, from store: (any LargeValueKeeping)?, _ largeValues: LargeValueStore? = nil
    ) throws -> SyncValue {
        let stored = slab.storedValue(index, slot)
        guard let element else { return try value(stored, store, largeValues) }
        guard stored.tag == RowTag.blob else { return .null }
        let elements = CompositeCoding.elements(in: stored.bytes)
        guard element < elements.count else { return .null }
        return try value(elements[element], store, largeValues)
    }

    private func value(
        _ stored: StoredValue, _ store: (any LargeValueKeeping)?, _ largeValues: LargeValueStore?
    ) throws -> SyncValue {
        if isCut, let large = try largeValues?.value(stored, kind, attribute, from: store) { return large }
        return try ValueConversion.syncValue(stored, kind, attribute, from: store)
    }
}
