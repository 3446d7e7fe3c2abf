import CoreDataStore

/// Noting which objects have changed, for the save and for the end of the event.
extension NSManagedObjectContext {
    /// What `hasChanges` gives.
    var hasPendingChanges: Bool {
        checkQueue("hasChanges")
        return pending.contains { $0.isChanged && !$0.flags.isSuperset(of: [.inserted, .deleted]) }
    }

    /// Puts an object among those to be saved and those to be announced.
    func objectChanged(_ object: NSManagedObject) {
        if object.flags.insert(.pending).inserted { pending.append(object) }
        if object.flags.insert(.unannounced).inserted { unannounced.append(object) }
        scheduleEndOfEvent()
    }

    /// Puts an object among those that the next notification names as refreshed.
    func objectRefreshed(_ object: NSManagedObject) {
        refreshed.append(object)
        scheduleEndOfEvent()
    }

    func undelete(_ object: NSManagedObject) {
        object.flags.remove([.deleted, .deletionPropagated])
        registry.journal.noteLife(.undeletion, of: object)
        objectChanged(object)
    }

    /// Releases objects whose changes were refreshed or undone away.
    func dropUnchanged() {
        pending.removeAll { object in
            guard !object.isChanged else { return false }
            object.flags.remove(.pending)
            return true
        }
    }

    /// A main-queue context announces its changes in the next turn of the main queue; others at the end of `perform`.
    private func scheduleEndOfEvent() {
        guard queue.isMain, !isEndOfEventScheduled else { return }
        isEndOfEventScheduled = true
        queue.async { [weak self] in
            guard let self else { return }
            self.isEndOfEventScheduled = false
            self.processPendingChanges()
        }
    }
}
