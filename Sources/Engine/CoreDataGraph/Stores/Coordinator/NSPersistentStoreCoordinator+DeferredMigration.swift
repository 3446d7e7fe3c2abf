import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Does everything that lightweight migrations have left for later in the coordinator's stores.
    ///
    /// A migration leaves unused columns and tables behind if the store was added with
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`; until they are gone, the store's metadata have that key. The
    /// store can be used as ever meanwhile. Each task is a transaction of its own, with others' saves between them.
    /// - Throws: an error of `NSCocoaErrorDomain`; the remaining tasks are still to be done then.
    public func finishDeferredLightweightMigration() throws {
        while try finishTask() {}
    }

    /// Performs one of the tasks that lightweight migrations have deferred; does nothing without such tasks.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; the task is still to be done then.
    public func finishDeferredLightweightMigrationTask() throws { _ = try finishTask() }

    /// Whether there was a task.
    private func finishTask() throws -> Bool {
        for store in persistentStores {
            let isDone = try store.serialized { try store.objects?.deferredMigrating?.finishDeferredTask() ?? false }
            if isDone { return true }
            forgetMark(of: store)
        }
        return false
    }

    /// Takes the mark out of the metadata in memory; in the file it has gone with the last task.
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
