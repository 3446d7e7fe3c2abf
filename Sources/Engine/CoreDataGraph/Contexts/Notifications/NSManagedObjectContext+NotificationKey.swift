import CoreDataStore

extension NSManagedObjectContext {
    /// The keys of what a context's notifications contain, which are the raw values.
    public enum NotificationKey: String, Sendable, CaseIterable {
        /// In notifications with identifiers: the context that posts them, which is also their object.
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
