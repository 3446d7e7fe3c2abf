import CoreDataStore

/// The types of results of a history request.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// An `NSNumber` that is true: the request was executed.
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

/// The kind of an object's change in a transaction.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// Some of its properties were changed.
    case update = 1
    /// It was deleted.
    case delete = 2
}
