import CoreDataStore

/// The mark of the copy that was made before the store was migrated: the first save removes it.
extension NSPersistentStore {
    /// Takes the mark out of the metadata, which the save that follows writes; gives the name of the copy.
    func takeBackupMark() -> String? {
        guard let name = metadata?[CoreDataMigrationBackupKey] as? String else { return nil }
        metadata?[CoreDataMigrationBackupKey] = nil
        return name
    }

    /// Restores a mark that was taken, as the save has failed.
    func putBack(_ name: String?) {
        guard let name else { return }
        metadata?[CoreDataMigrationBackupKey] = name
    }
}
