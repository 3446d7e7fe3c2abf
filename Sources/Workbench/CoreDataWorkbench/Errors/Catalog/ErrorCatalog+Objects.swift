extension ErrorCatalog {
    /// Errors of objects that no longer exist, belong to another context or were changed by others.
    static let objects = [
        ErrorEntry(
            132000, name: "NSManagedObjectContextLockingError", meaning: "A context could not be locked.",
            causes: ["none here: `lock()` waits, and `tryLock()` answers"],
            cures: ["Use `perform` and `performAndWait` in place of locks."]),
        ErrorEntry(
            132010, name: "NSPersistentStoreCoordinatorLockingError", meaning: "A coordinator could not be locked.",
            causes: ["none here: `lock()` waits, and `tryLock()` answers"],
            cures: ["Use `perform` and `performAndWait` in place of locks."]),
        ErrorEntry(
            133000, name: "NSManagedObjectReferentialIntegrityError", meaning: "An object's record is not there.",
            causes: [
                "it was deleted since its identifier was read",
                "its store was removed from the coordinator, or the context was reset",
                "a relationship leads to what is gone, in a damaged store",
            ],
            cures: [
                "Take `existingObject(with:)`, and treat the error as *not found*.",
                "Let contexts follow what others save: `automaticallyMergesChangesFromParent`.",
                "`coredata check` finds relationships that lead nowhere, and repairs them with `--repair`.",
            ]),
        ErrorEntry(
            133010, name: "NSManagedObjectExternalRelationshipError",
            meaning: "A relationship leads to an object of another store.",
            causes: ["two stores of one coordinator, and objects of theirs that were put together"],
            cures: ["Keep related entities in one store, or use a fetched property across stores."]),
        ErrorEntry(
            133020, name: "NSManagedObjectMergeError",
            meaning: "Another context or program changed the same objects after they were read.",
            causes: [
                "another context, process or machine saved in between, and the context has the error policy",
                "a batch request changed the row (contexts are not notified of it)",
                "on PostgreSQL, a batch whose rows others went on changing",
                "a transaction that is to be reverted, of which later ones changed something",
            ],
            cures: [
                "The user info has each conflict under `NSPersistentStoreSaveConflictsErrorKey`: show both values, and ask.",
                "Or set a merge policy, such as `NSMergePolicy.mergeByPropertyObjectTrump`.",
                "Or `rollback()` and `refreshAllObjects()`, and do the work again; `refreshAllObjects()` alone keeps your "
                    + "changes, so that the next save writes them over the others'.",
            ]),
        ErrorEntry(
            133021, name: "NSManagedObjectConstraintMergeError",
            meaning: "Values that must be unique are there already.",
            causes: [
                "a new or changed object with the values of another one under a uniqueness constraint",
                "a batch insertion with such a row", "a value that stands twice in a store that lacks its unique index",
            ],
            cures: [
                "Give another value, or change the object that has it.",
                "With a merge policy by property the new object becomes the one that is there.",
                "`coredata check` lists values that stand twice.",
            ]),
    ]
}
