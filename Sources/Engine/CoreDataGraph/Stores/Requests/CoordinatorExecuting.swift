import CoreDataStore

/// A request that a coordinator's stores answer, whichever context asks.
protocol CoordinatorExecuting {
    func execute(on coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStoreResult
}
