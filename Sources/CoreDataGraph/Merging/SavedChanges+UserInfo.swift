import CoreDataModeling

extension SavedChanges {
    /// What a context's notification of the changes tells: identifiers in sets, no empty ones, and the context itself.
    func userInfo(of context: NSManagedObjectContext) -> [String: Any] {
        var sets: [String: Any] = [NSManagedObjectContext.NotificationKey.sourceContext.rawValue: context]
        for (key, identifiers) in [
            (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated), (NSDeletedObjectIDsKey, deleted),
        ] where !identifiers.isEmpty {
            sets[key] = Set(identifiers)
        }
        return sets
    }
}
