import CoreDataModeling

extension SavedChanges {
    /// The identifiers in sets under the keys of the notifications; no empty ones.
    var userInfo: [String: Set<NSManagedObjectID>] {
        var sets: [String: Set<NSManagedObjectID>] = [:]
        for (key, identifiers) in [
            (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated), (NSDeletedObjectIDsKey, deleted),
        ] where !identifiers.isEmpty {
            sets[key] = Set(identifiers)
        }
        return sets
    }
}
