import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Removes changed records from the row caches, so that they are read from their stores again.
    func forgetRows(of changes: SavedChanges) {
        for identifier in [changes.inserted, changes.updated, changes.deleted].joined() where !identifier.isTemporaryID
        {
            let store = persistentStores.first { $0.identifier == identifier.storeIdentifier }
            guard let store, let layout = modelLayout.layout(of: identifier.entity) else { continue }
            store.rowCache.forget(root: layout.root, key: identifier.key)
        }
    }
}
