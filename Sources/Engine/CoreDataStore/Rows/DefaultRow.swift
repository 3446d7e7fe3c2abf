import CoreDataModeling

/// Makes rows of the default values of entities.
package enum DefaultRow {
    /// Makes a slab with a single row of the entity's default values; called while the model's layouts are made, before
    /// they are shared.
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

    /// The default values of the slots in a range; a value of a wrong type is logged and skipped.
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
