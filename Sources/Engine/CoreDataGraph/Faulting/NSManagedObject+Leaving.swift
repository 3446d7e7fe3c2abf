import CoreDataStore

/// Deleting objects and removing them from the context.
extension NSManagedObject {
    /// Calls `prepareForDeletion` unless that is running already; returns whether the object remains to be deleted.
    func announceDeletion() -> Bool {
        guard !flags.contains(.preparingDeletion) else { return false }
        flags.insert(.preparingDeletion)
        prepareForDeletion()
        flags.remove(.preparingDeletion)
        return registry != nil && !flags.contains(.deleted)
    }

    /// Removes the object from its context permanently.
    func leave() {
        working?.deletedSnapshot?.capture()
        registry?.context?.forgetRetained(self)
        unregister()
        flags.remove([.inserted, .updated, .deleted, .pending, .unannounced, .deletionPropagated, .newborn])
        endObservation()
        moveOut()
        working?.forgetObjects()
    }

    /// Turns an object whose deletion has been saved and announced into a fault without values.
    func becomeDeleted() {
        let hadValues = !isFault
        if hadValues { willTurnIntoFault() }
        flags.insert([.fault, .left])
        working = nil
        slab = nil
        if hadValues { didTurnIntoFault() }
    }

    /// Makes the object unusable, when its context is reset.
    func invalidate() {
        // Moved out first, so that observers of relationships no longer cause readings.
        moveOut()
        working = nil
        slab = nil
        flags = flags.intersection(.accompanied).union([.fault, .invalidated])
        endObservation()
    }
}
