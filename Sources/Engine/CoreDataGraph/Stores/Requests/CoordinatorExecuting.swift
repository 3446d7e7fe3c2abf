import CoreDataStore

/// A request that a coordinator executes in the same way for every context.
protocol CoordinatorExecuting {
    func execute(on coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStoreResult
}
