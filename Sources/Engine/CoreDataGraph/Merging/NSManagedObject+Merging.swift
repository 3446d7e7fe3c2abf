import CoreDataStore

extension NSManagedObject {
    /// Takes over the row that another context or process has saved, keeping what was changed here.
    func takeMergedRow(_ row: RowSnapshot) {
        guard adopt(row.slab, row.index) else { return }
        working?.forgetCached(storedCount: layout.storedCount)
    }

    /// Leaves the context because its record is gone, with all that was changed in it; related objects release it.
    ///
    /// They do on their side alone, and where that had not been changed here it is not a change of theirs.
    func leaveMerged() {
        for target in loadedTargets where target.registry === registry { target.release(self) }
        leave()
        flags.subtract(ObjectFlags.gone.union(.noticed))
    }

    /// Counts as deleted because its record is gone, and keeps its values until the context is next saved; related objects
    /// release it. Nothing is left to be saved of it.
    func becomeDeletedByMerge() {
        guard let context = registry?.context else { return }
        for target in loadedTargets where target.registry === registry { target.release(self) }
        flags.subtract(ObjectFlags.changed.union(.noticed).union(.deletionPropagated))
        flags.formUnion(.gone)
        context.mergedDeletions.append(WeakReference(self))
        notifyTrackersOfDeletion()
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
    /// The objects that merges have marked as deleted since the last save, as far as they are referenced.
    var deletedByMerges: [NSManagedObject] {
        mergedDeletions.compactMap(\.object).filter {
            $0.registry === registry && $0.flags.contains(.mergedDeletion)
        }
    }

    /// Lets the objects leave that merges have marked as deleted.
    func dropMergedDeletions() {
        guard !mergedDeletions.isEmpty else { return }
        let objects = deletedByMerges
        mergedDeletions = []
        for object in objects { object.leaveMerged() }
        for object in objects { object.becomeDeleted() }
    }

    /// Releases changed objects that have left.
    func dropLeft() {
        pending.removeAll { !$0.flags.contains(.pending) }
        unannounced.removeAll { !$0.flags.contains(.unannounced) }
    }
}
