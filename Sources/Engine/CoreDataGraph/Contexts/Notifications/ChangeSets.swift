import CoreDataStore

/// Changed objects by the kind of their change, as notifications name them.
struct ChangeSets {
    private(set) var inserted: [NSManagedObject] = []
    private(set) var updated: [NSManagedObject] = []
    private(set) var deleted: [NSManagedObject] = []

    init() {}

    /// Sorts objects, each of which is listed once, and skips those without changes.
    init(_ objects: [NSManagedObject]) {
        for object in objects {
            if object.isDeleted {
                deleted.append(object)
            } else if object.isInserted {
                inserted.append(object)
            } else if object.hasChanges {
                updated.append(object)
            }
        }
    }

    /// Adds what is in others.
    mutating func add(_ others: ChangeSets) {
        inserted += others.inserted
        updated += others.updated
        deleted += others.deleted
    }

    /// The sets under the keys of the notifications, made or found among shared ones; no empty ones.
    func userInfo(sharing shared: inout SharedSets<NSManagedObject>) -> [String: Set<NSManagedObject>] {
        var sets: [String: Set<NSManagedObject>] = [:]
        if !inserted.isEmpty { sets[NSInsertedObjectsKey] = shared.set(inserted) }
        if !updated.isEmpty { sets[NSUpdatedObjectsKey] = shared.set(updated) }
        if !deleted.isEmpty { sets[NSDeletedObjectsKey] = shared.set(deleted) }
        return sets
    }
}
