import CoreDataGraph

/// A migration of a store of which a copy is made before, where its options ask for that.
///
/// The store's metadata name the copy until the first save removes it. A migration that changes nothing leaves no copy.
struct BackedUpMigration {
    let store: StoreToOpen
    let metadata: [String: Any]

    func run(_ migrate: () throws -> Void) throws {
        // A server rolls its transaction back, and has its own backups.
        guard store.options[CoreDataMigrationBackupOption] as? Bool == true, store.storeClass.administration != nil,
            store.url.isFileURL
        else {
            return try migrate()
        }
        let backup = try StoreBackup.make(of: store.url, storeClass: store.storeClass)
        do {
            try migrate()
        } catch {
            // After several steps the store may be of a version between; then the copy is worth keeping.
            if isUnchanged { StoreBackup.remove(backup, storeClass: store.storeClass) } else { try? note(backup) }
            throw error
        }
        try note(backup)
    }

    private var isUnchanged: Bool {
        let key = NSStoreModelVersionHashesKey
        let present = try? store.storeClass.metadataForPersistentStore(with: store.url)
        return present?[key] as? [String: Data] == metadata[key] as? [String: Data]
    }

    /// Names the copy in the metadata; one of an earlier migration that no save has followed yet is the older one, and stays.
    private func note(_ backup: URL) throws {
        var values = try store.storeClass.metadataForPersistentStore(with: store.url)
        guard values[CoreDataMigrationBackupKey] == nil else {
            return StoreBackup.remove(backup, storeClass: store.storeClass)
        }
        values[CoreDataMigrationBackupKey] = backup.lastPathComponent
        values[NSStoreUUIDKey] = nil
        try store.storeClass.setMetadata(values, forPersistentStoreAt: store.url)
    }
}
