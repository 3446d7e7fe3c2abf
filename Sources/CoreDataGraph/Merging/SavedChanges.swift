import CoreDataStore

/// What a save changed, by the identifiers that the records keep.
package struct SavedChanges: Sendable {
    package var inserted: [NSManagedObjectID]
    package var updated: [NSManagedObjectID]
    package var deleted: [NSManagedObjectID]

    package init(
        inserted: [NSManagedObjectID] = [], updated: [NSManagedObjectID] = [], deleted: [NSManagedObjectID] = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// What a save wrote, of objects that are still marked with it.
    init(_ sets: ChangeSets) {
        inserted = sets.inserted.map(\.passingIdentifier)
        updated = sets.updated.map(\.passingIdentifier)
        deleted = sets.deleted.map(\.passingIdentifier)
    }
}

extension NSManagedObject {
    /// The identifier, which is not kept for the next who asks, since most changed objects are never asked.
    fileprivate var passingIdentifier: NSManagedObjectID {
        Self.identifiers[self] ?? RowAddress(binding: binding, key: key).objectID
    }
}

extension RowAddress {
    /// The identifier of the record.
    package var objectID: NSManagedObjectID {
        NSManagedObjectID(binding: binding, key: key, isTemporary: binding.isTemporary)
    }
}
