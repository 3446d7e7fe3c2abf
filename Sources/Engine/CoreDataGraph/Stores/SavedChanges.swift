import CoreDataStore

/// The identifiers of the records that a save inserted, updated and deleted; permanent ones if written to stores.
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

    /// Adds what a later save changed.
    package mutating func append(_ later: SavedChanges) {
        inserted += later.inserted
        updated += later.updated
        deleted += later.deleted
    }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension RowAddress {
    /// The identifier of the record.
    package var objectID: NSManagedObjectID {
        NSManagedObjectID(binding: binding, key: key, isTemporary: binding.isTemporary)
    }
}
