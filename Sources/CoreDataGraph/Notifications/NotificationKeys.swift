import CoreDataStore

/// In a context's notification: the inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// In a context's notification: the changed objects.
public let NSUpdatedObjectsKey = "updated"
/// In a context's notification: the deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// In a context's notification: the objects that have the store's values again, or newer ones.
public let NSRefreshedObjectsKey = "refreshed"
/// In a context's notification: the objects that cannot be used any more.
public let NSInvalidatedObjectsKey = "invalidated"
/// In a context's notification: that no object of the context can be used any more, with their identifiers.
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
/// In the notification of a save by a pinned context: the query generation that the save led to.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"

extension NSManagedObjectContext {
    /// The keys of what a context's notifications tell, which are the raw values.
    public enum NotificationKey: String, Sendable, CaseIterable {
        /// In the notifications that tell identifiers: the context that posts them, which is their object too.
        case sourceContext = "managedObjectContext"
        /// The inserted objects.
        case insertedObjects = "inserted"
        /// The changed objects.
        case updatedObjects = "updated"
        /// The deleted objects.
        case deletedObjects = "deleted"
        /// The objects that have the store's values again, or newer ones.
        case refreshedObjects = "refreshed"
        /// The objects that cannot be used any more.
        case invalidatedObjects = "invalidated"
        /// That no object of the context can be used any more, with their identifiers.
        case invalidatedAllObjects = "invalidatedAll"
        /// The identifiers of the inserted objects.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The identifiers of the changed objects.
        case updatedObjectIDs = "updated_objectIDs"
        /// The identifiers of the deleted objects.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The identifiers of the refreshed objects.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The identifiers of the objects that cannot be used any more.
        case invalidatedObjectIDs = "invalidated_objectIDs"
        /// In the notification of a save by a pinned context: the query generation that the save led to.
        case queryGeneration = "NSManagedObjectContextQueryGenerationKey"

        /// In the notifications of a save into stores with a history: the `NSPersistentHistoryToken` that the save led to.
        static let historyToken = "newChangeToken"
    }
}
