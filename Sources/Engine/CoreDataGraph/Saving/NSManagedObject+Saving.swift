import CoreDataStore

extension NSManagedObject {
    /// Registers a new object under its permanent store and key.
    func becomePermanent(in store: NSPersistentStore, key newKey: Int64) {
        guard let registry else { return }
        registry.move([self], keys: [newKey], to: store)
    }

    /// Makes the saved values the committed ones; a deleted object leaves its context.
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

    /// Drops all changes, so that the values are those of the last fetch or save.
    func forgetChanges() {
        replaceValues {
            flags.remove([.inserted, .updated, .deleted, .deletionPropagated])
            working = nil
        }
    }
}

extension ObjectRegistry {
    /// Moves unsaved objects to the tables of their store, under their permanent keys, and notifies child contexts.
    func move(_ objects: [NSManagedObject], keys: [Int64], to store: NSPersistentStore) {
        if let context, !context.family.isEmpty || !context.liveResults.isEmpty {
            let identities = zip(objects, keys).map { object, key in
                NewIdentity(
                    former: object.key, address: RowAddress(binding: store.binding(for: object.layout), key: key))
            }
            context.family.notifyDescendants(of: identities)
            for (object, identity) in zip(objects, identities) {
                context.liveResults.rename(RowKey(object), to: identity.address)
            }
        }
        rekey(objects, keys: keys, to: store)
    }
}
