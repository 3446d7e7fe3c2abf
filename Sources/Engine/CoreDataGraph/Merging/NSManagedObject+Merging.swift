import CoreDataStore

extension NSManagedObject {
    /// Makes a row that another context or process saved the object's snapshot; the object's unsaved changes remain.
    func takeMergedRow(_ row: RowSnapshot) {
        guard adopt(row.slab, row.index) else { return }
        working?.forgetCached(storedCount: layout.storedCount)
    }

    /// Removes the object, whose record was deleted, from its context and drops its unsaved changes. Loaded related
    /// objects no longer refer to it.
    ///
    /// Only the side of the related object is updated. Unless that side has unsaved changes, it does not count as
    /// changed.
    func leaveMerged() {
        for target in loadedTargets where target.registry === registry { target.release(self) }
        leave()
        flags.subtract(ObjectFlags.gone.union(.noticed))
    }

    /// Marks the object as deleted because its record was deleted elsewhere. Its values remain readable until the next
    /// save of the context, its unsaved changes are dropped, and loaded related objects no longer refer to it.
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
    /// The objects that merges marked as deleted since the last save and that are still in memory.
    var deletedByMerges: [NSManagedObject] {
        mergedDeletions.compactMap(\.object).filter {
            $0.registry === registry && $0.flags.contains(.mergedDeletion)
        }
    }

    /// Removes the objects that merges marked as deleted from the context.
    func dropMergedDeletions() {
        guard !mergedDeletions.isEmpty else { return }
        let objects = deletedByMerges
        mergedDeletions = []
        for object in objects { object.leaveMerged() }
        for object in objects { object.becomeDeleted() }
    }

    /// Removes objects that have left the context from its lists of pending and unannounced objects.
    func dropLeft() {
        pending.removeAll { !$0.flags.contains(.pending) }
        unannounced.removeAll { !$0.flags.contains(.unannounced) }
    }
}
