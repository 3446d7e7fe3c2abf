import CoreDataStore

extension CocoaError {
    /// The conflicts of records that kept a save from being written; nil for an error of another kind.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
