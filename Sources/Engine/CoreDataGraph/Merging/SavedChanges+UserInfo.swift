import CoreDataStore

extension SavedChanges {
    /// Returns the user info of a notification of the changes: the context, the history token if given, and a set of
    /// identifiers for each kind of change that is not empty.
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
