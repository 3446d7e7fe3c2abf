import CoreDataStore

/// What happened to an object or a section of a fetched results controller.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It was inserted.
    case insert = 1
    /// It was deleted.
    case delete = 2
    /// It moved, and its contents may have changed too. Not used for sections.
    case move = 3
    /// Its contents changed, and it stayed in its place. Not used for sections.
    case update = 4
}
