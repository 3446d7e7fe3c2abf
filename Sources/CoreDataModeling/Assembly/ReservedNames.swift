/// Names that a property cannot have because the base class of managed objects has members of these names.
///
/// Apple's model compiler refuses them too: the accessors would hide what the framework relies on.
package let reservedPropertyNames: Set<String> = [
    "autorelease", "changedValues", "class", "committedValues", "copy", "dealloc", "debugDescription", "delete",
    "description", "entity", "faultingState", "hasChanges", "hasPersistentChangedValues", "hash", "init", "isDeleted",
    "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
    "observationInfo", "release", "retain", "retainCount", "self", "superclass", "validateForDelete",
    "validateForInsert", "validateForUpdate", "zone",
]
