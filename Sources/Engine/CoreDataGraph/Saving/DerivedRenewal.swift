import CoreDataStore

/// Copies the values that a store derived in a save to cached rows and objects' snapshots, so that these are not read
/// again.
///
/// | row | treatment |
/// |---|---|
/// | in the save plan | the values are written to it before it is published |
/// | any other cached row or snapshot | a copy with the values replaces it |
///
/// The observers of an object are notified when its snapshot is replaced, after the store has been unlocked. Until then
/// an observed object of the plan has a copy of its row with the former values.
struct DerivedRenewal {
    /// The derived values of rows that are not in the plan.
    private var others: DerivedChanges
    private let store: NSPersistentStore
    private let registry: ObjectRegistry
    /// Observed objects of the plan, with the snapshots that they have until observers are notified.
    private var former: [(object: NSManagedObject, row: RowSnapshot)] = []
    private var replacements: [Replacement] = []
    /// The slabs for more copies, by the number of the entity's layout; `slabs` are all slabs of copies.
    private var open: [Int: RowSlab] = [:]
    private var slabs: [RowSlab] = []
    /// The objects with derived values.
    private(set) var objects: [NSManagedObject] = []

    /// The new snapshot of one object.
    private struct Replacement {
        let object: NSManagedObject
        /// The new snapshot; nil for a fault without a snapshot.
        let row: RowSnapshot?
        let changes: DerivedChanges.Row
    }

    init(_ changes: DerivedChanges, store: NSPersistentStore, registry: ObjectRegistry) {
        others = changes
        self.store = store
        self.registry = registry
    }

    /// The rows with derived values that are not in the plan.
    var addresses: [RowAddress] { others.addresses }

    /// Writes the values into the rows of the plan, which become the objects' snapshots.
    mutating func write(to written: [(object: NSManagedObject, row: RowSnapshot)]) {
        guard !others.isEmpty else { return }
        for (object, row) in written {
            guard let changes = others.take(RowKey(RowAddress(binding: row.slab.binding, key: row.key))) else {
                continue
            }
            objects.append(object)
            if object.flags.contains(.observed) {
                former.append((object, changes.undone(in: row, of: object)))
                replacements.append(Replacement(object: object, row: row, changes: changes))
            }
            changes.write(to: row.slab, row.index)
            if !object.flags.contains(.observed) { changes.forgetDecoded(in: object) }
        }
    }

    /// Drops the derived values of a deleted row.
    mutating func leaveOut(_ object: NSManagedObject) {
        if !others.isEmpty { _ = others.take(RowKey(object)) }
    }

    /// Replaces cached rows and snapshots that are not in the plan by copies with the derived values.
    ///
    /// Called while the store is locked, after the rows of the plan have been published in its row cache.
    mutating func replaceOthers() {
        for (object, row) in former {
            object.slab = row.slab
            object.rowIndex = UInt16(row.index)
        }
        for changes in others.all {
            let (binding, key) = (changes.address.binding, changes.address.key)
            let known = store.rowCache.row(root: binding.layout.root, key: key).map { renewed($0, changes) }
            guard let object = registry.object(table: binding.table, key: key), !object.isDeleted else { continue }
            objects.append(object)
            let snapshot = object.slab.map { RowSnapshot(slab: $0, index: Int(object.rowIndex)) }
            let isKnown = known != nil && known?.version == snapshot?.version
            let row = isKnown ? known : snapshot.map { privateCopy(of: $0, changes) }
            replacements.append(Replacement(object: object, row: row, changes: changes))
        }
        for slab in slabs { store.rowCache.publish(slab) }
    }

    /// Replaces the objects' snapshots, and notifies their observers.
    func adopt() {
        for replacement in replacements where replacement.object.registry === registry {
            replacement.object.replaceValues {
                guard let row = replacement.row else {
                    return replacement.changes.forgetDecoded(in: replacement.object)
                }
                if replacement.object.adopt(row.slab, row.index) {
                    replacement.changes.forgetDecoded(in: replacement.object)
                }
            }
        }
    }

    // MARK: Rows

    private mutating func renewed(_ row: RowSnapshot, _ changes: DerivedChanges.Row) -> RowSnapshot {
        changes.areHeld(by: row) ? row : copy(of: row, changes)
    }

    /// Returns a copy for the row cache.
    private mutating func copy(of row: RowSnapshot, _ changes: DerivedChanges.Row) -> RowSnapshot {
        let layout = row.slab.layout
        var slab = open[layout.number]
        if slab?.isFull != false {
            slab = RowSlab(binding: row.slab.binding, capacity: slab == nil ? 4 : RowSlab.mostRows)
            open[layout.number] = slab
            slab.map { slabs.append($0) }
        }
        guard let slab else { return row }
        return Self.append(row, changes, to: slab)
    }

    /// Returns a copy, for an object alone, of a row that is not the newest one.
    private func privateCopy(of row: RowSnapshot, _ changes: DerivedChanges.Row) -> RowSnapshot {
        Self.append(row, changes, to: RowSlab(binding: row.slab.binding, capacity: 1))
    }

    private static func append(
        _ row: RowSnapshot, _ changes: DerivedChanges.Row, to slab: RowSlab
    ) -> RowSnapshot {
        let index = slab.appendCopy(of: row.slab, row.index)
        changes.write(to: slab, index)
        return RowSnapshot(slab: slab, index: index)
    }
}
