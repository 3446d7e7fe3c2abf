import CoreDataStore

extension SavedChanges {
    /// What a save wrote, of objects that are still marked with it.
    init(_ sets: ChangeSets) {
        inserted = sets.inserted.map(\.passingIdentifier)
        updated = sets.updated.map(\.passingIdentifier)
        deleted = sets.deleted.map(\.passingIdentifier)
    }
}

extension NSManagedObject {
    /// The identifier, which is not cached in the object, since most changed objects are never asked for it.
    fileprivate var passingIdentifier: NSManagedObjectID {
        Self.identifiers[self] ?? RowAddress(binding: binding, key: key).objectID
    }
}
