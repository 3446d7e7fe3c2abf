/// The names by which a source is known to use the library.
enum LibraryNames {
    /// Whether a name belongs to Core Data's API.
    static func isCoreData(_ name: String) -> Bool {
        guard name.hasPrefix("NS") else { return false }
        return beginnings.contains { name.hasPrefix($0) } || exact.contains(name)
    }

    /// Whether open-source Foundation lacks a name, or its declaration is unusable, so that the source must import the
    /// library.
    static func isMissing(_ name: String) -> Bool { missing.contains(name) }

    private static let missing: Set = [
        "NSExpression", "NSComparisonPredicate", "UndoManager", "ValueTransformer", "NSValueTransformerName",
        "NSSecureUnarchiveFromDataTransformer", "NSKeyValueObservation", "NSKeyValueObservedChange",
        "NSKeyValueChangeKey", "NSKeyValueObservingOptions", "autoreleasepool", "AutoreleasingUnsafeMutablePointer",
        "objc_getAssociatedObject", "objc_setAssociatedObject", "objc_removeAssociatedObjects",
        "objc_AssociationPolicy",
    ]

    /// Whether the library declares a name of Apple's Foundation that open-source Foundation lacks or has only in part.
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
