import CoreDataStore

extension NSManagedObjectContext {
    /// The keys in the user info of a context's notifications; the raw value is the key.
    public enum NotificationKey: String, Sendable, CaseIterable {
        /// In notifications with identifiers: the context that posts the notification, which is also its `object`.
        case sourceContext = "managedObjectContext"
        /// The inserted objects.
        case insertedObjects = "inserted"
        /// The changed objects.
        case updatedObjects = "updated"
        /// The deleted objects.
        case deletedObjects = "deleted"
        /// The refreshed objects: they have the store's current values, or read them at the next access.
        case refreshedObjects = "refreshed"
        /// The objects that cannot be used any more.
        case invalidatedObjects = "invalidated"
        /// The identifiers of all objects of the context, none of which can be used any more.
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
        /// In the notification of a save by a pinned context: the query generation after the save.
        case queryGeneration = "NSManagedObjectContextQueryGenerationKey"

        /// In the notification of a save to stores with persistent history: the `NSPersistentHistoryToken` after the
        /// save.
        static let historyToken = "newChangeToken"
    }
}
