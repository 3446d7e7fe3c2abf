/// Names that a property cannot have because the base class of managed objects has members of these names.
///
/// Apple's model compiler refuses them too: a property's accessors would hide members on which the framework relies.
package let reservedPropertyNames: Set<String> = [
    "autorelease", "changedValues", "class", "committedValues", "copy", "dealloc", "debugDescription", "delete",
    "description", "entity", "faultingState", "hasChanges", "hasPersistentChangedValues", "hash", "init", "isDeleted",
    "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
    "observationInfo", "release", "retain", "retainCount", "self", "superclass", "validateForDelete",
    "validateForInsert", "validateForUpdate", "zone",
]

/// Names that an entity should not have: its generated class would hide a type that the generated code uses.
package let reservedEntityNames: Set<String> = [
    "Any", "AnyObject", "Bool", "Data", "Date", "Decimal", "Double", "Error", "Float", "Int", "Int16", "Int32", "Int64",
    "NSArray", "NSData", "NSDate", "NSDecimalNumber", "NSDictionary", "NSEntityDescription", "NSFetchRequest",
    "NSManagedObject", "NSManagedObjectContext", "NSManagedObjectID", "NSManagedObjectModel", "NSNumber", "NSObject",
    "NSOrderedSet", "NSPersistentStore", "NSPersistentStoreCoordinator", "NSSet", "NSString", "Protocol", "Self", "Set",
    "String", "Type", "URL", "UUID",
]
