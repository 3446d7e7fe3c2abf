import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Sees to it that changed records are read from their stores again.
    func forgetRows(of changes: SavedChanges) {
        for identifier in [changes.inserted, changes.updated, changes.deleted].joined() where !identifier.isTemporaryID
        {
            let store = persistentStores.first { $0.identifier == identifier.storeIdentifier }
            guard let store, let layout = modelLayout.layout(of: identifier.entity) else { continue }
            store.rowCache.forget(root: layout.root, key: identifier.key)
        }
    }
}
