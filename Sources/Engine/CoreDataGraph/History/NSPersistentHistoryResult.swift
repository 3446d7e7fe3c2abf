import CoreDataStore

/// What came of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult, @unchecked Sendable {
    /// A number, or an array of `NSManagedObjectID`, `NSPersistentHistoryTransaction` or `NSPersistentHistoryChange`.
    ///
    /// The result type determines which. Transactions and changes come oldest first unless the request has another order;
    /// those of several stores are ordered by time.
    open private(set) var result: Any?
    /// What the result is.
    open private(set) var resultType: NSPersistentHistoryResultType

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
