import CoreDataStore

/// The result of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult, @unchecked Sendable {
    /// A number, or an array of `NSManagedObjectID`, `NSPersistentHistoryTransaction` or `NSPersistentHistoryChange`.
    ///
    /// The result type determines which. Transactions and changes are sorted from the oldest to the newest unless the
    /// request has sort descriptors; those of several stores are sorted by time.
    open private(set) var result: Any?
    /// The type of the result.
    open private(set) var resultType: NSPersistentHistoryResultType

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
