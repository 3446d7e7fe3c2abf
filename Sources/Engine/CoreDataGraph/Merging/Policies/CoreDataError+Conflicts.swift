import CoreDataStore

extension CoreDataError {
    static func conflicts(_ conflicts: [NSMergeConflict]) -> NSError {
        let objects = conflicts.map(\.sourceObject)
        let named = conflicts.prefix(1).map(\.description) + objects.prefix(5).dropFirst().map(\.objectID.entityAndKey)
        return make(
            NSManagedObjectMergeError, "Could not merge changes.",
            reason: "\(objects.count) record\(objects.count == 1 ? " was" : "s were") changed meanwhile: "
                + named.joined(separator: "; ") + ".",
            hint: "Call rollback() and refreshAllObjects(), and do the work again; refreshAllObjects() alone keeps "
                + "your changes, so that the next save writes them over the others'.",
            userInfo: [
                conflictListKey: conflicts, NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: objects,
                NSInsertedObjectsKey: objects.filter(\.isInserted).map(\.objectID),
                NSUpdatedObjectsKey: objects.filter { !$0.isInserted }.map(\.objectID),
            ])
    }

    static func constraintConflicts(_ conflicts: [NSConstraintConflict]) -> NSError {
        let objects = conflicts.flatMap(\.conflictingObjects)
        let constraints = Set(
            conflicts.map {
                "\($0.conflictingObjects.first?.entity.name ?? "").\($0.constraint.joined(separator: "+"))"
            })
        return make(
            NSManagedObjectConstraintMergeError, "Values that must be unique are there already.",
            reason: "\(conflicts.count) uniqueness conflict\(conflicts.count == 1 ? "" : "s"): "
                + constraints.sorted().prefix(5).joined(separator: ", ") + ".",
            hint: "Change or delete the objects that have the same values, then save.",
            userInfo: [
                conflictListKey: conflicts, NSAffectedObjectsErrorKey: objects,
                NSInsertedObjectsKey: objects.filter(\.isInserted).map(\.objectID),
                NSUpdatedObjectsKey: objects.filter { !$0.isInserted }.map(\.objectID),
            ])
    }

    /// The user info key of the conflicts in errors with the codes `NSManagedObjectMergeError` and
    /// `NSManagedObjectConstraintMergeError`.
    package static let conflictListKey = "conflictList"
}
