import CoreDataModeling

/// Turns changed objects into rows: the snapshots that the store writes and the graph then shares.
struct RowPacker {
    private var open: [Int: RowSlab] = [:]
    private(set) var slabs: [RowSlab] = []
    private let store: NSPersistentStore
    private let keepsExactReals: Bool

    init(store: NSPersistentStore) {
        self.store = store
        keepsExactReals = store.capabilities.contains(.exactReals)
    }

    /// Packs the present values of an object as the next version of its row.
    mutating func pack(_ object: NSManagedObject, key: Int64, version: Int64) throws -> SavePlan.Row {
        let binding = store.binding(for: object.layout)
        let slab = slab(for: binding)
        let row = slab.appendRow(key: key, version: version)
        var changed = SlotSet()
        for slot in 0..<object.layout.storedCount {
            if let working = object.working, working.isChanged(slot) {
                try encode(object, working.value(slot), slot, into: slab, row)
                changed.insert(slot)
            } else if case .targetNumber = object.layout.slots[slot].content, changed.contains(slot - 1) {
                continue
            } else {
                try copy(object, slot, into: slab, row)
            }
        }
        return SavePlan.Row(
            slab: slab, index: slab.count - 1, changed: changed, expectedVersion: object.snapshotVersion)
    }

    private mutating func slab(for binding: EntityBinding) -> RowSlab {
        let number = binding.layout.number
        if let slab = open[number], !slab.isFull { return slab }
        let slab = RowSlab(binding: binding, capacity: open[number] == nil ? 4 : RowSlab.mostRows)
        open[number] = slab
        slabs.append(slab)
        return slab
    }

    private func copy(
        _ object: NSManagedObject, _ slot: Int, into slab: RowSlab, _ row: UnsafeMutableRawPointer
    ) throws {
        guard let snapshot = object.slab else { return }
        let index = Int(object.rowIndex)
        let tag = snapshot.tag(index, slot)
        switch tag {
        case RowTag.null: return
        case RowTag.blob where snapshot === snapshot.layout.defaultRow && isLarge(object.layout.slots[slot].content):
            // A default value is not yet in the form in which the store keeps large values.
            guard let source = store.objects else { return }
            let form = try source.storedForm(ofLargeValue: Data(snapshot.bytes(index, slot)))
            form.withUnsafeBytes { slab.set(tag, slab.append($0), row: row, slot: slot) }
        case RowTag.text, RowTag.blob: slab.set(tag, slab.append(snapshot.bytes(index, slot)), row: row, slot: slot)
        default: slab.set(tag, snapshot.bits(index, slot), row: row, slot: slot)
        }
    }

    private func isLarge(_ content: EntityLayout.Content) -> Bool {
        guard case .attribute(let attribute, _) = content else { return false }
        return attribute.allowsExternalBinaryDataStorage
    }

    /// Whether a row can refer to an object: not to one that was taken back before it was saved.
    ///
    /// - Throws: 133010 for an object of another store.
    private func isReachable(_ target: NSManagedObject, from object: NSManagedObject, _ slot: Int) throws -> Bool {
        guard let context = target.registry?.context else { return false }
        let home =
            target.flags.contains(.temporary)
            ? context.persistentStoreCoordinator?.store(forInserting: target.layout) : target.binding.store
        guard home === store else {
            throw CoreDataError.otherStore(object.layout.slots[slot].name, object.entity.name ?? "")
        }
        return true
    }

    private func encode(
        _ object: NSManagedObject, _ value: HeldValue, _ slot: Int, into slab: RowSlab, _ row: UnsafeMutableRawPointer
    ) throws {
        switch value {
        case .null: return
        case .integer(let integer):
            slab.set(RowTag.integer, UInt64(bitPattern: integer), row: row, slot: slot)
        case .real(let real):
            // Where the store cannot hold what is no number, the row reads as the store will have it.
            if !real.isNaN || keepsExactReals { slab.set(RowTag.real, real.bitPattern, row: row, slot: slot) }
        case .reference(let target as NSManagedObject):
            guard try isReachable(target, from: object, slot) else { return }
            let key = target.savedKey
            slab.set(RowTag.integer, UInt64(bitPattern: key), row: row, slot: slot)
            slab.set(RowTag.integer, UInt64(target.layout.number), row: row, slot: slot + 1)
        case .reference(let reference):
            guard case .attribute(let attribute, let kind) = object.layout.slots[slot].content,
                reference as? NSDecimalNumber != .notANumber
            else { return }
            try SlotCoding.encode(reference, kind, attribute, store: store.objects) { tag, bytes in
                slab.set(tag, slab.append(bytes), row: row, slot: slot)
            }
        }
    }
}

extension NSManagedObject {
    /// The version of the row that the object was read from; 0 for one that was never saved.
    var snapshotVersion: Int64 {
        guard !flags.contains(.temporary), let slab else { return 0 }
        return slab.version(Int(rowIndex))
    }

    /// The key that the object's row has, or is given by the save that is under way.
    var savedKey: Int64 { flags.contains(.temporary) ? working?.grantedKey ?? 0 : key }
}
