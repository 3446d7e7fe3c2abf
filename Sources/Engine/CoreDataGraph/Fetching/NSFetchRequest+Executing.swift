import CoreDataStore

extension NSFetchRequest: FetchOperations {
    /// What the request asks for, in the context of the running block.
    func executeInCurrentContext() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CoreDataError.make(
                NSCoreDataError, "A fetch request cannot be executed outside of a block of a context.",
                hint: "Call execute() inside perform or performAndWait, or fetch(_:) of the context.")
        }
        return try context.fetch(self)
    }
}
