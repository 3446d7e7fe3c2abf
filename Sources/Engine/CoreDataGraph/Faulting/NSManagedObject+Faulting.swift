import CoreDataStore

/// Giving up values and reading them again.
extension NSManagedObject {
    /// Drops the values, to be read again at the next access.
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

    /// Makes a fault read its row again when it fires, though it may have kept one, or found none before.
    func renewFault() {
        if flags.contains(.mergedDeletion) { working = nil }
        flags.subtract(.gone)
        flags.insert(.fault)
        slab = nil
        working?.forgetCached(storedCount: layout.storedCount)
    }

    /// Makes a fault of an object that was never saved; false where there is nothing to drop.
    ///
    /// It stays an inserted one. Related objects release it, and all of that can be undone.
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

    /// Forgets what was changed in a fault that could not be read, what was prefetched for it, and the row it kept.
    private func dropUnreadChanges() {
        slab = nil
        guard working != nil || !flags.isDisjoint(with: .changed) else { return }
        flags.remove([.updated, .deleted, .deletionPropagated])
        working = nil
    }

    /// Whether the values can be read again.
    var isRefreshable: Bool {
        guard !flags.contains(.inserted), let context = registry?.context else { return false }
        return !flags.contains(.temporary) || context.dataSource.knows(self)
    }

    /// Reads the newest row, keeping what was changed here; a record that is gone is noticed at the next access or save.
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
