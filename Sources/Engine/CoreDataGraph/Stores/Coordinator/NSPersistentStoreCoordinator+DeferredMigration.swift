import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Performs all tasks that lightweight migrations have deferred in the coordinator's stores.
    ///
    /// If a store is added with `NSPersistentStoreDeferredLightweightMigrationOptionKey`, its migration leaves unused
    /// columns and tables behind; until they are removed, the store's metadata contain that key. The store can be used
    /// as usual meanwhile. Each task is a separate transaction, and others can save between them.
    /// - Throws: an error of `NSCocoaErrorDomain`; the remaining tasks are then still deferred.
    public func finishDeferredLightweightMigration() throws {
        while try finishTask() {}
    }

    /// Performs one of the tasks that lightweight migrations have deferred, if there is one.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; the task is then still deferred.
    public func finishDeferredLightweightMigrationTask() throws { _ = try finishTask() }

    /// Performs one deferred task; returns false if there was none.
    private func finishTask() throws -> Bool {
        for store in persistentStores {
            let isDone = try store.serialized { try store.objects?.deferredMigrating?.finishDeferredTask() ?? false }
            if isDone { return true }
            forgetMark(of: store)
        }
        return false
    }

    /// Removes the key from the metadata in memory; the last task has removed it from the file.
    private func forgetMark(of store: NSPersistentStore) {
        store.serialized {
            let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
            guard store.metadata?[key] != nil, !store.isReadOnly else { return }
            let isUnsaved = store.hasUnsavedMetadata
            store.metadata?[key] = nil
            store.hasUnsavedMetadata = isUnsaved
        }
    }
}
