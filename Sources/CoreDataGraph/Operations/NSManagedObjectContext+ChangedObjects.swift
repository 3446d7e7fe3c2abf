import CoreDataStore

extension NSManagedObjectContext {
    /// The objects inserted since the last save.
    public var insertedObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.lazy.filter { $0.isInserted && !$0.isDeleted })
    }

    /// The saved objects changed since the last save.
    public var updatedObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.lazy.filter(\.isUpdated))
    }

    /// The saved objects deleted since the last save, here or, as merges have told, elsewhere.
    public var deletedObjects: Set<NSManagedObject> {
        checkQueue()
        let deleted = Set(pending.lazy.filter { $0.isDeleted && !$0.isInserted })
        return mergedDeletions.isEmpty ? deleted : deleted.union(deletedByMerges)
    }
}
