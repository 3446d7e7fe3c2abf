import CoreDataStore

/// Saves of one transaction that are announced together when it has ended.
extension NSManagedObjectContext {
    /// Announces what the saves since the last call have changed: contexts that merge by themselves merge it, and one notification has
    /// the identifiers. Nothing happens unless changes are held.
    package func announceHeldChanges() {
        guard let changes = heldChanges, !changes.isEmpty else { return }
        heldChanges = SavedChanges()
        for other in persistentStoreCoordinator?.mergingContexts.members ?? [] where other !== self {
            other.mergeLater(changes)
        }
        post(.NSManagedObjectContextDidSaveObjectIDs, changes.userInfo(of: self, nil))
    }

    /// Forgets what the saves since the last announcement have changed, because their transaction was rolled back.
    package func forgetHeldChanges() {
        guard let changes = heldChanges else { return }
        heldChanges = SavedChanges()
        persistentStoreCoordinator?.forgetRows(of: changes)
    }
}
