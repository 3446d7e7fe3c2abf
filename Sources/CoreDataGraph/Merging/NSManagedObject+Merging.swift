import CoreDataModeling

extension NSManagedObject {
    /// Takes over the row that somebody else has saved, keeping what was changed here.
    func takeMergedRow(_ row: RowReference) {
        guard adopt(row.slab, row.index) else { return }
        working?.forgetCached(storedCount: layout.storedCount)
    }

    /// Makes a fault read its row again when it fires, though it may have kept one, or found none before.
    func renewFault() {
        flags.remove([.inaccessible, .countsAsDeleted])
        flags.insert(.fault)
        slab = nil
        working?.forgetCached(storedCount: layout.storedCount)
    }

    /// Leaves the context because its record is gone, with all that was changed in it; related objects let go of it.
    ///
    /// They do on their side alone, and where that had not been changed here it is no change of theirs.
    func leaveMerged() {
        for target in loadedTargets where target.registry === registry { target.release(self) }
        leave()
        flags.remove([.noticed, .inaccessible, .countsAsDeleted])
    }

    private func release(_ gone: NSManagedObject) {
        guard let working else { return }
        for slot in 0..<layout.slots.count where working.isHeld(slot) {
            guard case .reference(let target as NSManagedObject) = working.value(slot), target === gone else {
                continue
            }
            if working.isChanged(slot) { working.setNull(slot: slot) } else { working.discard(slot) }
        }
        for links in working.toMany { links?.forget(gone) }
    }
}

extension NSManagedObjectContext {
    /// Lets go of changed objects that have left.
    func dropLeft() {
        pending.removeAll { !$0.flags.contains(.pending) }
        unannounced.removeAll { !$0.flags.contains(.unannounced) }
    }
}
