import CoreDataStore

extension NSManagedObjectContext {
    /// What `insertedObjects` gives.
    var objectsInserted: Set<NSManagedObject> {
        checkQueue("insertedObjects")
        return Set(pending.lazy.filter { $0.isInserted && !$0.isDeleted })
    }

    /// What `updatedObjects` gives.
    var objectsUpdated: Set<NSManagedObject> {
        checkQueue("updatedObjects")
        return Set(pending.lazy.filter(\.isUpdated))
    }

    /// What `deletedObjects` gives.
    var objectsDeleted: Set<NSManagedObject> {
        checkQueue("deletedObjects")
        let deleted = Set(pending.lazy.filter { $0.isDeleted && !$0.isInserted })
        return mergedDeletions.isEmpty ? deleted : deleted.union(deletedByMerges)
    }
}
