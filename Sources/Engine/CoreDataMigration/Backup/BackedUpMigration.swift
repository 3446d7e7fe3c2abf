import CoreDataGraph

/// Migrates a store after copying it, if the store's options request a copy.
///
/// The store's metadata contains the name of the copy until the first save removes the copy. A migration that changes
/// nothing leaves no copy.
struct BackedUpMigration {
    let store: StoreToOpen
    let metadata: [String: Any]

    func run(_ migrate: () throws -> Void) throws {
        // A migration on a server runs in a transaction that can be rolled back, and a server has its own backups.
        guard store.options[CoreDataMigrationBackupOption] as? Bool == true, store.storeClass.administration != nil,
            store.url.isFileURL
        else {
            return try migrate()
        }
        let backup = try StoreBackup.make(of: store.url, storeClass: store.storeClass)
        do {
            try migrate()
        } catch {
            // After several steps the store may have an intermediate version; the copy then remains.
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

    /// Writes the copy's name into the metadata. If the metadata already names a copy from an earlier migration, which
    /// no save has followed yet, that older copy stays and the new one is removed.
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
