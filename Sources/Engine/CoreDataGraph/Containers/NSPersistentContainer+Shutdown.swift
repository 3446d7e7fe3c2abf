import CoreDataStore

extension NSPersistentContainer {
    /// Waits for the work of the contexts and closes the stores, when a server ends.
    ///
    /// Does what ``NSPersistentStoreCoordinator/shutDown(within:)`` does, in this order: refuses later saves with
    /// `NSPersistentStoreOperationError`, waits for the blocks on the queues of background contexts, checkpoints
    /// write-ahead logs, closes the stores and ends their connection pools. May be called again. Save `viewContext`
    /// before.
    /// - Throws: `NSPersistentStoreTimeoutError` if blocks had not ended in time; the stores are closed all the same.
    public func shutDown(within limit: Duration = .seconds(10)) async throws {
        try await persistentStoreCoordinator.shutDown(within: limit)
    }
}
