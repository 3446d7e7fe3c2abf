import CoreDataStore

extension CocoaError {
    /// The conflicts of records because of which a save failed; nil for an error of another kind.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
