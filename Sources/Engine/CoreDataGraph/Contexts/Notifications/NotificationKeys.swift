import CoreDataStore

/// In a context's notification: the inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// In a context's notification: the changed objects.
public let NSUpdatedObjectsKey = "updated"
/// In a context's notification: the deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// In a context's notification: the refreshed objects, which have the store's values or read them at the next access.
public let NSRefreshedObjectsKey = "refreshed"
/// In a context's notification: the objects that cannot be used any more.
public let NSInvalidatedObjectsKey = "invalidated"
/// In a context's notification: the identifiers of all objects of the context, none of which can be used any more.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// In a context's notification: the identifiers of the inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// In a context's notification: the identifiers of the changed objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// In a context's notification: the identifiers of the deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// In a context's notification: the identifiers of the refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// In a context's notification: the identifiers of the objects that cannot be used any more.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// In the notification of a save by a pinned context: the query generation after the save.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"
