/// The names by which a source is known to use the library.
enum LibraryNames {
    /// What is Core Data's alone.
    static func isCoreData(_ name: String) -> Bool {
        guard name.hasPrefix("NS") else { return false }
        return beginnings.contains { name.hasPrefix($0) } || exact.contains(name)
    }

    /// What open-source Foundation has nothing of, or what cannot be used: a source needs the library for it.
    static func isMissing(_ name: String) -> Bool { missing.contains(name) }

    private static let missing: Set = [
        "NSExpression", "NSComparisonPredicate", "UndoManager", "ValueTransformer", "NSValueTransformerName",
        "NSSecureUnarchiveFromDataTransformer", "NSKeyValueObservation", "NSKeyValueObservedChange",
        "NSKeyValueChangeKey", "NSKeyValueObservingOptions", "autoreleasepool", "AutoreleasingUnsafeMutablePointer",
        "objc_getAssociatedObject", "objc_setAssociatedObject", "objc_removeAssociatedObjects",
        "objc_AssociationPolicy",
    ]

    /// What the library has beside: of Foundation, where the open-source one has nothing or less.
    static func contains(_ name: String) -> Bool { foundation.contains(name) }

    private static let beginnings = [
        "NSManagedObject", "NSPersistent", "NSFetchRequest", "NSFetchedResults", "NSFetchedProperty", "NSFetchIndex",
        "NSEntityDescription", "NSEntityMapping", "NSEntityMigrationPolicy", "NSAttributeDescription",
        "NSAttributeType",
        "NSRelationshipDescription", "NSPropertyDescription", "NSPropertyMapping", "NSMappingModel",
        "NSMigrationManager",
        "NSMergePolicy", "NSMergeConflict", "NSConstraintConflict", "NSBatchInsert", "NSBatchUpdate", "NSBatchDelete",
        "NSAtomicStore", "NSIncrementalStore", "NSSQLite", "NSInMemoryStore", "NSBinaryStore", "NSDerivedAttribute",
        "NSCompositeAttribute", "NSAsynchronousFetch", "NSSaveChangesRequest", "NSQueryGeneration", "NSCoreData",
    ]
    private static let exact: Set = [
        "NSExpressionDescription", "NSMergeByPropertyObjectTrumpMergePolicy", "NSMergeByPropertyStoreTrumpMergePolicy",
        "NSOverwriteMergePolicy", "NSRollbackMergePolicy", "NSErrorMergePolicy",
        "NSInferMappingModelAutomaticallyOption",
        "NSMigratePersistentStoresAutomaticallyOption", "NSInsertedObjectsKey", "NSUpdatedObjectsKey",
        "NSDeletedObjectsKey", "NSRefreshedObjectsKey", "NSDeleteRule", "NSSnapshotEventType",
    ]
    private static let foundation: Set = [
        "NSPredicate", "NSCompoundPredicate", "NSSortDescriptor", "NSExpression", "NSComparisonPredicate",
        "UndoManager",
        "ValueTransformer", "NSValueTransformerName", "NSSecureUnarchiveFromDataTransformer", "NSKeyValueObservation",
        "NSKeyValueObservedChange", "NSKeyValueChangeKey", "NSKeyValueObservingOptions", "autoreleasepool",
        "AutoreleasingUnsafeMutablePointer", "NSManagedObjectContextDidSave",
    ]
}
