import CoreDataStore

extension NSPersistentContainer {
    /// Finishes what contexts were given to do, and closes the stores; for the end of a server.
    ///
    /// What ``NSPersistentStoreCoordinator/shutDown(within:)`` does, in its order: refuses later saves with
    /// `NSPersistentStoreOperationError`, waits for the blocks on the queues of background contexts, writes logs back, closes the stores
    /// and ends their pools. May be called again. Save `viewContext` before.
    /// - Throws: `NSPersistentStoreTimeoutError` where blocks had not ended in time; the stores are closed all the same.
    public func shutDown(within limit: Duration = .seconds(10)) async throws {
        try await persistentStoreCoordinator.shutDown(within: limit)
    }
}
