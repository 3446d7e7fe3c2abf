import CoreDataStore

extension NSManagedObjectContext {
    /// Updates the context's objects to the current state of the stores, whatever has changed since they were read: for
    /// a reader of the history whose token has expired.
    ///
    /// Not one of Apple's methods. Compares the versions of all registered objects that are not faults with their
    /// records, and merges the differences like `mergeChanges(fromContextDidSave:)`: unsaved changes are kept, and
    /// objects without records are deleted. Reads with one query for each hierarchy and store. Call it on the context's
    /// queue.
    /// - Returns: the token from which to read the history next; nil if no store has a history.
    /// - Throws: the error of a store that cannot be read; the context is then unchanged.
    @discardableResult public func mergeCurrentState() throws -> NSPersistentHistoryToken? {
        guard let coordinator = persistentStoreCoordinator else { return nil }
        // The token is read first: commits during the reading are reported again after the token, which is harmless.
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
