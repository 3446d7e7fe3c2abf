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
}

extension RowAddress {
    /// The identifier of the record.
    package var objectID: NSManagedObjectID {
        NSManagedObjectID(binding: binding, key: key, isTemporary: binding.isTemporary)
    }
}
