import CoreDataStore

/// What came of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult, @unchecked Sendable {
    /// A number, or an array of `NSManagedObjectID`, `NSPersistentHistoryTransaction` or `NSPersistentHistoryChange`.
    ///
    /// Which it is the result type says. Transactions and changes come the oldest first unless they were asked for in
    /// another order; those of several stores by their times.
    public let result: Any?
    /// What the result is.
    public let resultType: NSPersistentHistoryResultType

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
