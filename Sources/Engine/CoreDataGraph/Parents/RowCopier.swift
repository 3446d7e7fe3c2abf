import CoreDataStore

/// Copies the present values of objects into rows, which stores neither make nor read: for a child context, or as the
/// new snapshots of objects that a child has saved into its parent.
///
/// Numbers and texts are stored as in any row. Other values, and the addresses of related objects, which may be unsaved
/// or in any store, are stored as objects. A row must not be used before the last row has been made.
struct RowCopier {
    private var open: [ObjectIdentifier: RowSlab] = [:]

    mutating func row(of object: NSManagedObject) -> RowSnapshot {
        let slab = slab(for: object.binding)
        let row = slab.appendRow(key: object.key, version: object.snapshotVersion)
        for slot in 0..<object.layout.storedCount { copy(object, slot: slot, into: slab, row: row) }
        return RowSnapshot(slab: slab, index: slab.count - 1)
    }

    private mutating func slab(for binding: EntityBinding) -> RowSlab {
        if let slab = open[ObjectIdentifier(binding)], !slab.isFull { return slab }
        let made = RowSlab(binding: binding, capacity: open[ObjectIdentifier(binding)] == nil ? 1 : RowSlab.mostRows)
        open[ObjectIdentifier(binding)] = made
        return made
    }

    private func copy(_ object: NSManagedObject, slot: Int, into slab: RowSlab, row: UnsafeMutableRawPointer) {
        switch object.layout.slots[slot].content {
        case .targetNumber: return
        case .toOne:
            if let target = object.relatedObject(slot) {
                slab.hold(RowAddress(binding: target.binding, key: target.key), row: row, slot: slot)
            }
        case .attribute(let attribute, let kind):
            if let working = object.working, working.isChanged(slot) {
                put(working.value(slot), kind: kind, into: slab, row: row, slot: slot)
            } else {
                copyStored(object, slot: slot, attribute: attribute, kind: kind, into: slab, row: row)
            }
        }
    }

    private func copyStored(
        _ object: NSManagedObject, slot: Int, attribute: NSAttributeDescription, kind: AttributeKind,
        into slab: RowSlab, row: UnsafeMutableRawPointer
    ) {
        guard let source = object.slab else { return }
        let index = Int(object.rowIndex)
        switch source.tag(index, slot) {
        case RowTag.null: return
        case RowTag.text: slab.set(RowTag.text, slab.append(source.bytes(index, slot)), row: row, slot: slot)
        case RowTag.blob where !object.binding.isTemporary && source !== object.layout.defaultRow:
            slab.set(RowTag.blob, slab.append(source.bytes(index, slot)), row: row, slot: slot)
        case RowTag.blob, RowTag.held:
            let value = SlotCoding.decode(
                source, index: index, slot: slot, kind: kind, attribute: attribute, owner: object)
            if let value { slab.hold(value, row: row, slot: slot) }
        case let tag: slab.set(tag, source.bits(index, slot), row: row, slot: slot)
        }
    }

    private func put(
        _ value: HeldValue, kind: AttributeKind, into slab: RowSlab, row: UnsafeMutableRawPointer, slot: Int
    ) {
        switch value {
        case .null: return
        case .integer(let integer): slab.set(RowTag.integer, UInt64(bitPattern: integer), row: row, slot: slot)
        case .real(let real): slab.set(RowTag.real, real.bitPattern, row: row, slot: slot)
        case .reference(var text as String) where kind == .string:
            let bytes = text.withUTF8 { slab.append(UnsafeRawBufferPointer($0)) }
            slab.set(RowTag.text, bytes, row: row, slot: slot)
        case .reference(let reference): slab.hold(reference, row: row, slot: slot)
        }
    }
}
