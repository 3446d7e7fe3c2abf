import CoreDataStore

/// What a history request gives.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// That it is done, as a number that is true.
    case statusOnly = 0
    /// The identifiers of the changed objects, each once.
    case objectIDs = 1
    /// The number of changes.
    case count = 2
    /// The transactions without their changes.
    case transactionsOnly = 3
    /// The changes without their transactions.
    case changesOnly = 4
    /// The transactions with their changes.
    case transactionsAndChanges = 5
}

/// What became of an object in a transaction.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// Properties of it were changed.
    case update = 1
    /// It was deleted.
    case delete = 2
}
