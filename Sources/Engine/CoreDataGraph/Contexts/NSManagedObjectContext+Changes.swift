import CoreDataStore

/// Records which objects have changed, for the save and for the notification at the end of the event.
extension NSManagedObjectContext {
    /// The value of `hasChanges`.
    var hasPendingChanges: Bool {
        checkQueue("hasChanges")
        return pending.contains { $0.isChanged && !$0.flags.isSuperset(of: [.inserted, .deleted]) }
    }

    /// Adds a changed object to those of the next save and of the next notification.
    func objectChanged(_ object: NSManagedObject) {
        if object.flags.insert(.pending).inserted { pending.append(object) }
        if object.flags.insert(.unannounced).inserted { unannounced.append(object) }
        scheduleEndOfEvent()
    }

    /// Adds an object to the refreshed ones of the next notification.
    func objectRefreshed(_ object: NSManagedObject) {
        refreshed.append(object)
        scheduleEndOfEvent()
    }

    func undelete(_ object: NSManagedObject) {
        object.flags.remove([.deleted, .deletionPropagated])
        registry.journal.noteLife(.undeletion, of: object)
        objectChanged(object)
    }

    /// Removes from `pending` the objects whose changes a refresh or an undo has reverted.
    func dropUnchanged() {
        pending.removeAll { object in
            guard !object.isChanged else { return false }
            object.flags.remove(.pending)
            return true
        }
    }

    /// Schedules the end of the event of a main-queue context for the main queue's next turn; `perform` ends those of
    /// others.
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
