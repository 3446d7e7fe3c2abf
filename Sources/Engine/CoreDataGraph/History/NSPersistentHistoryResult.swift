import CoreDataStore

/// What came of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult, @unchecked Sendable {
    /// A number, or an array of `NSManagedObjectID`, `NSPersistentHistoryTransaction` or `NSPersistentHistoryChange`.
    ///
    /// Which it is the result type says. Transactions and changes come the oldest first unless they were asked for in
    /// another order; those of several stores by their times.
    open private(set) var result: Any?
    /// What the result is.
    open private(set) var resultType: NSPersistentHistoryResultType

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
