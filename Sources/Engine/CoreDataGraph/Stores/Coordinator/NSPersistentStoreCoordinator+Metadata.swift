import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Implements `setMetadata(_:for:)`.
    func take(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.serialized {
            store.metadata = MetadataRules.merged(metadata ?? [:], keeping: store.metadata ?? [:])
            store.hasUnsavedMetadata = true
        }
    }

    /// Reads the metadata of a store without adding it.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` that states why it cannot be read.
    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: storeURL, options: options)
    }

    /// Writes the program's own metadata of a store that is not added; everything else in the store remains unchanged.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` that states why it cannot be written; the store is then unchanged.
    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    /// Throws if a read-only store has unsaved metadata.
    func requireWritableMetadata() throws {
        for store in persistentStores where store.hasUnsavedMetadata && store.isReadOnly {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The metadata of a read-only store cannot be saved.",
                reason: store.objects?.reasonForReadOnly
                    ?? store.url.map { "'\($0.path)' was opened read-only." },
                hint: "Remove the store and add it again for writing, or leave its metadata as it is.",
                userInfo: [NSAffectedStoresErrorKey: [store]])
        }
    }

    /// Saves changed metadata of the stores to which the save has written no objects.
    func saveChangedMetadata() throws {
        for store in persistentStores where store.hasUnsavedMetadata {
            try store.serialized {
                _ = try store.objects?.save(SavePlan())
                store.hasUnsavedMetadata = false
                store.remoteChanges.noteCommit(nil, announcing: nil, in: store)
            }
        }
    }
}
