import CoreDataStore

extension NSManagedObject {
    /// Moves a new object to the store and key that it keeps.
    func becomePermanent(in store: NSPersistentStore, key newKey: Int64) {
        guard let registry else { return }
        registry.move([(self, newKey)], to: store)
    }

    /// Takes on the identity that the object keeps; its registry knows of it already.
    func takeIdentity(_ permanent: ObjectScope, key newKey: Int64) {
        move(to: permanent, key: newKey)
        flags.remove(.temporary)
    }

    /// Makes what was saved the committed state; a deleted object leaves its context.
    func finishSave() {
        if isDeleted { return leave() }
        flags.remove([.inserted, .updated])
        dropSavedValues()
    }

    private func dropSavedValues() {
        guard let working else { return }
        if working.isOnlyNumbers(storedCount: layout.storedCount) {
            self.working = nil
            return
        }
        working.markSaved(storedCount: layout.storedCount)
        if working.isEmpty { self.working = nil }
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

    /// Makes the values those of the last fetch or save again.
    func forgetChanges() {
        replaceValues {
            flags.remove([.inserted, .updated, .deleted, .deletionPropagated])
            working = nil
        }
    }

    /// Makes the object unusable, when its context is reset.
    func invalidate() {
        // Nothing is read for those who show the members any more.
        moveOut()
        working = nil
        slab = nil
        flags = flags.intersection(.observed).union([.fault, .invalidated])
        endObservation()
    }

    /// Lets go of the context.
    func moveOut() { move(to: scope?.outside) }

    func unregister() {
        guard flags.contains(.registered), let registry else { return }
        flags.remove(.registered)
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        registry.unregister(pointer, table: binding.table, key: key)
    }
}
