import CoreDataStore

/// One change of a fetched results controller's list, with identifiers: as a value, what a delegate is notified of.
///
/// May be passed to any thread. `FetchedResultsList` applies it.
public struct FetchedResultsChanges: Sendable {
    /// A section that was deleted or inserted.
    public struct Section: Sendable, Equatable {
        /// The index of the section: before the change for a deleted section, after it for an inserted one.
        public let index: Int
        /// The name of the section.
        public let name: String
    }

    /// An item that was inserted, deleted, moved or updated.
    public struct Item: Sendable {
        /// The kind of change.
        public let type: NSFetchedResultsChangeType
        /// The identifier of the item.
        public let identifier: NSManagedObjectID
        /// The index path before the entire change; nil for an insertion.
        public let indexPath: IndexPath?
        /// The index path after the change; nil for a deletion and for an update.
        public let newIndexPath: IndexPath?
    }

    /// The deleted sections, the last one first.
    public let deletedSections: [Section]
    /// The inserted sections, the first one first.
    public let insertedSections: [Section]
    /// The items: first deletions from the end of the list, then insertions, moves, and updates from its beginning.
    public let items: [Item]
    /// Items whose identifiers have changed, as at their first save: the present identifiers by the former ones.
    public let newIdentifiers: [NSManagedObjectID: NSManagedObjectID]
    /// The list after the change.
    public let snapshot: FetchedResultsSnapshot

    init(
        _ delta: ListDelta, newIdentifiers: [NSManagedObjectID: NSManagedObjectID] = [:],
        snapshot: FetchedResultsSnapshot
    ) {
        deletedSections = delta.deletedSections.map { Section(index: $0.number, name: $0.name) }
        insertedSections = delta.insertedSections.map { Section(index: $0.number, name: $0.name) }
        items = delta.rows.map { row in
            Item(
                type: row.kind, identifier: row.objectID, indexPath: row.old?.path,
                newIndexPath: row.kind == .update ? nil : row.new?.path)
        }
        self.newIdentifiers = newIdentifiers
        self.snapshot = snapshot
    }
}
