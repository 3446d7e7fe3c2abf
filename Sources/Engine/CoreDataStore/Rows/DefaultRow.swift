import CoreDataModeling

/// The default values of an entity's attributes, in the form of a row.
package enum DefaultRow {
    /// A slab with the one row; made when the model's layouts are, before anybody shares them.
    package static func make(for layout: EntityLayout) -> RowSlab {
        let slab = RowSlab(binding: EntityBinding(unowned: layout), capacity: 1)
        let row = slab.appendRow(key: 0, version: 0)
        for (slot, value) in values(of: layout.slots, upTo: layout.storedCount) {
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { continue }
            switch value {
            case .null: continue
            case .integer(let integer): slab.set(RowTag.integer, UInt64(bitPattern: integer), row: row, slot: slot)
            case .real(let real): slab.set(RowTag.real, real.bitPattern, row: row, slot: slot)
            case .reference(let reference):
                do {
                    try SlotCoding.encode(reference, kind: kind, attribute: attribute) { tag, bytes in
                        slab.set(tag, slab.append(bytes), row: row, slot: slot)
                    }
                } catch {
                    let entity = layout.entity.name ?? ""
                    CoreDataLogging.report(
                        .warning, "default value of \(entity).\(attribute.name): \(error)",
                        metadata: [CoreDataLogging.MetadataKey.entity: entity])
                }
            }
        }
        return slab
    }

    /// The default values of some slots; one that is not of its attribute's type is reported and left out.
    package static func values(of slots: [EntityLayout.Slot], from first: Int = 0, upTo end: Int? = nil) -> [(
        Int, HeldValue
    )] {
        (first..<(end ?? slots.count)).compactMap { slot in
            guard case .attribute(let attribute, let kind) = slots[slot].content,
                let value = attribute.defaultValue
            else { return nil }
            do {
                return (slot, try SlotCoding.accept(value, for: attribute, kind))
            } catch {
                CoreDataLogging.report(.warning, "default value: \(error)")
                return nil
            }
        }
    }
}
