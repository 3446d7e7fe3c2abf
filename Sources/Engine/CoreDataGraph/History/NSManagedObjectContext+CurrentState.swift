import CoreDataStore

extension NSManagedObjectContext {
    /// Brings the context's objects to what the stores have now, whatever was changed since they were read: for a reader
    /// whose token has expired.
    ///
    /// Not one of Apple's methods. Compares the versions of all registered objects that are not faults with their records, and
    /// merges what differs as `mergeChanges(fromContextDidSave:)` would: unsaved changes stay, objects whose records are gone
    /// are deleted. One question for each hierarchy. Called on the context's queue.
    /// - Returns: the token to continue from; nil where no store keeps a history.
    /// - Throws: the store's error; the context is as before.
    @discardableResult public func mergeCurrentState() throws -> NSPersistentHistoryToken? {
        guard let coordinator = persistentStoreCoordinator else { return nil }
        // What is committed while rows are read is reported again after the token, which is harmless.
        let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        let known = registeredObjects.filter { !$0.objectID.isTemporaryID && !$0.isFault && !$0.isInserted }
        let all = SavedChanges(updated: known.map(\.objectID))
        coordinator.forgetRows(of: all)
        let rows = try newestRows(known.map { RowAddress(binding: $0.binding, key: $0.key) })
        var changes = SavedChanges()
        for object in known {
            guard let row = rows[RowKey(object)] else {
                changes.deleted.append(object.objectID)
                continue
            }
            if row.version != object.snapshotVersion { changes.updated.append(object.objectID) }
        }
        if !changes.isEmpty { merge(changes) }
        return token
    }
}
