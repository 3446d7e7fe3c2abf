import CoreDataStore

/// The metadata entry with the name of the backup that was made before the store was migrated: the first successful
/// save removes the backup.
extension NSPersistentStore {
    /// Removes the entry from the metadata, which the following save writes; returns the name of the backup.
    func takeBackupMark() -> String? {
        guard let name = metadata?[CoreDataMigrationBackupKey] as? String else { return nil }
        metadata?[CoreDataMigrationBackupKey] = nil
        return name
    }

    /// Restores the entry after the save has failed.
    func putBack(_ name: String?) {
        guard let name else { return }
        metadata?[CoreDataMigrationBackupKey] = name
    }
}
