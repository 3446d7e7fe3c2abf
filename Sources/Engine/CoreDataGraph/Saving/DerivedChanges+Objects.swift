import CoreDataStore

extension DerivedChanges.Row {
    /// Returns a copy of a row in which the derived values are those of the object's snapshot instead of the new ones.
    func undone(in row: RowSnapshot, of object: NSManagedObject) -> RowSnapshot {
        guard let snapshot = object.slab, snapshot.layout === row.slab.layout else { return row }
        let copy = RowSlab(binding: row.slab.binding, capacity: 1)
        let index = copy.appendCopy(of: row.slab, row.index)
        for (slot, _) in slots(in: copy.layout) {
            copy.copy(slot, of: snapshot, index: Int(object.rowIndex), slot: slot, into: copy.row(index))
        }
        return RowSnapshot(slab: copy, index: index)
    }

    /// Drops the decoded former values of derived attributes of an object.
    func forgetDecoded(in object: NSManagedObject) {
        guard let working = object.working else { return }
        for (slot, _) in slots(in: object.layout) where working.isHeld(slot) && !working.isChanged(slot) {
            working.discard(slot)
        }
    }
}
