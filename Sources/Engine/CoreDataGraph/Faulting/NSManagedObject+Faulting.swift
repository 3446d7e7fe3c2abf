import CoreDataStore

/// Dropping values, so that they are read again.
extension NSManagedObject {
    /// Turns the object into a fault, which reads its values at the next access; drops unsaved changes.
    func turnIntoFault() {
        guard isRefreshable else { return }
        guard !isFault else { return dropUnreadChanges() }
        replaceValues {
            willTurnIntoFault()
            flags.remove([.updated, .deleted, .deletionPropagated])
            flags.insert(.fault)
            working = nil
            slab = nil
            didTurnIntoFault()
        }
    }

    /// Makes the object a fault that reads its row from the store, even if it kept a row or its record was missing
    /// before.
    func renewFault() {
        if flags.contains(.mergedDeletion) { working = nil }
        flags.subtract(.gone)
        flags.insert(.fault)
        slab = nil
        working?.forgetCached(storedCount: layout.storedCount)
    }

    /// Turns an inserted object into a fault with the model's default values; false if its values cannot be dropped.
    ///
    /// The object stays inserted. Related objects release it. All of this can be undone.
    func dropUnsavedValues() -> Bool {
        guard !isFault, let slab, slab === layout.defaultRow else { return false }
        releaseTargets { _ in true }
        for slot in layout.slots.indices where working?.isChanged(slot) == true { recordChange(slot) }
        replaceValues {
            willTurnIntoFault()
            let store = assignedStore
            working = nil
            if let store { workingValues().assignedStore = store }
            flags.insert(.fault)
            didTurnIntoFault()
        }
        return true
    }

    /// Drops the changes of a fault that could not be read, its prefetched relationships, and its row.
    private func dropUnreadChanges() {
        slab = nil
        guard working != nil || !flags.isDisjoint(with: .changed) else { return }
        flags.remove([.updated, .deleted, .deletionPropagated])
        working = nil
    }

    /// Whether the values can be read again from the context's source.
    var isRefreshable: Bool {
        guard !flags.contains(.inserted), let context = registry?.context else { return false }
        return !flags.contains(.temporary) || context.dataSource.knows(self)
    }

    /// Reads the newest row and keeps unsaved changes. If the record no longer exists, turns an unchanged object into a
    /// fault; a changed one finds out at the next access or save.
    func takeStoredValues() {
        guard !isFault, !isInserted, let dataSource = registry?.context?.dataSource else { return }
        do {
            dataSource.forgetRow(of: self)
            guard let row = try dataSource.row(binding, key: key) else {
                if !hasChanges { turnIntoFault() }
                return
            }
            replaceValues {
                guard adopt(row.slab, row.index) else { return }
                working?.forgetCached(storedCount: layout.storedCount)
                awake(fromSnapshotEvents: .refresh)
            }
        } catch {
            registry?.context?.report(error, for: self)
        }
    }
}
