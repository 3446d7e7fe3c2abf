import CoreDataStore

extension NSManagedObjectContext {
    /// Implements `insertedObjects`.
    var objectsInserted: Set<NSManagedObject> {
        checkQueue("insertedObjects")
        return Set(pending.lazy.filter { $0.isInserted && !$0.isDeleted })
    }

    /// Implements `updatedObjects`.
    var objectsUpdated: Set<NSManagedObject> {
        checkQueue("updatedObjects")
        return Set(pending.lazy.filter(\.isUpdated))
    }

    /// Implements `deletedObjects`.
    var objectsDeleted: Set<NSManagedObject> {
        checkQueue("deletedObjects")
        let deleted = Set(pending.lazy.filter { $0.isDeleted && !$0.isInserted })
        return mergedDeletions.isEmpty ? deleted : deleted.union(deletedByMerges)
    }
}
