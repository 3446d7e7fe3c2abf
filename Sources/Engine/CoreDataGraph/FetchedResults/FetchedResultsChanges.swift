import CoreDataStore

/// One change of a fetched results controller's list, in identifiers: what a delegate is notified of, as a value.
///
/// May be handed to any thread. `FetchedResultsList` applies it.
public struct FetchedResultsChanges: Sendable {
    /// A section that came or went.
    public struct Section: Sendable, Equatable {
        /// Its place: the former one for a section that went.
        public let index: Int
        /// Its name.
        public let name: String
    }

    /// An item that came, went, moved or changed.
    public struct Item: Sendable {
        /// What became of it.
        public let type: NSFetchedResultsChangeType
        /// Its identifier.
        public let identifier: NSManagedObjectID
        /// Where it was before the entire change; nil for an insertion.
        public let indexPath: IndexPath?
        /// Where it is after the change; nil for a deletion and for an update.
        public let newIndexPath: IndexPath?
    }

    /// The sections that went, from the last one on.
    public let deletedSections: [Section]
    /// The sections that came, from the first one on.
    public let insertedSections: [Section]
    /// The items: deletions from the end, insertions, moves, updates from the beginning.
    public let items: [Item]
    /// Items whose identifiers have changed, as after their first save: former and present identifiers.
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
