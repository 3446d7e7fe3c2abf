import CoreDataStore

/// Being deleted and leaving the context.
extension NSManagedObject {
    /// Calls `prepareForDeletion`; false when it is running already, or the object was deleted there.
    func announceDeletion() -> Bool {
        guard !flags.contains(.preparingDeletion) else { return false }
        flags.insert(.preparingDeletion)
        prepareForDeletion()
        flags.remove(.preparingDeletion)
        return registry != nil && !flags.contains(.deleted)
    }

    /// Takes the object out of its context for good.
    func leave() {
        working?.deletedSnapshot?.capture()
        registry?.context?.forgetRetained(self)
        unregister()
        flags.remove([.inserted, .updated, .deleted, .pending, .unannounced, .deletionPropagated, .newborn])
        endObservation()
        moveOut()
        working?.forgetObjects()
    }

    /// Leaves nothing to be read of an object whose deletion has been saved and announced.
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
        // Nothing is read for those who show the members any more.
        moveOut()
        working = nil
        slab = nil
        flags = flags.intersection(.accompanied).union([.fault, .invalidated])
        endObservation()
    }
}
