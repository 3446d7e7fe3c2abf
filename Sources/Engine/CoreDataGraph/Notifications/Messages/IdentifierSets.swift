import CoreDataStore

/// The contents of a notification with identifiers.
struct IdentifierSets: Sendable {
    let context: NSManagedObjectContext
    let inserted: Set<NSManagedObjectID>
    let updated: Set<NSManagedObjectID>
    let deleted: Set<NSManagedObjectID>
    let historyToken: NSPersistentHistoryToken?

    /// Reads a notification; nil unless its context has a queue of the given kind.
    init?(_ notification: Notification, of type: NSManagedObjectContextConcurrencyType) {
        guard let context = notification.object as? NSManagedObjectContext, context.concurrencyType == type else {
            return nil
        }
        self.context = context
        let userInfo = notification.userInfo ?? [:]
        inserted = userInfo[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
        updated = userInfo[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
        deleted = userInfo[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
        historyToken =
            userInfo[NSManagedObjectContext.NotificationKey.historyToken] as? NSPersistentHistoryToken
    }

    func notification(_ name: NSNotification.Name) -> Notification {
        let changes = SavedChanges(inserted: Array(inserted), updated: Array(updated), deleted: Array(deleted))
        return Notification(name: name, object: context, userInfo: changes.userInfo(of: context, historyToken))
    }
}
