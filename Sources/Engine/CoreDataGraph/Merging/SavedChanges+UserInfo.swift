import CoreDataStore

extension SavedChanges {
    /// What a context's notification of the changes contains: identifiers in sets, no empty ones, and the context itself.
    func userInfo(
        of context: NSManagedObjectContext, _ token: NSPersistentHistoryToken? = nil
    ) -> [AnyHashable: Any] {
        var sets = [AnyHashable: Any](minimumCapacity: 4)
        if let token { sets[NSManagedObjectContext.NotificationKey.historyToken] = token }
        sets[NSManagedObjectContext.NotificationKey.sourceContext.rawValue] = context
        if !inserted.isEmpty { sets[NSInsertedObjectIDsKey] = Set(sparse: inserted) }
        if !updated.isEmpty { sets[NSUpdatedObjectIDsKey] = Set(sparse: updated) }
        if !deleted.isEmpty { sets[NSDeletedObjectIDsKey] = Set(sparse: deleted) }
        return sets
    }
}
