import CoreDataStore

extension NSFetchRequest: FetchOperations {
    /// The results of the request in the context whose block is running.
    func executeInCurrentContext() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CoreDataError.make(
                NSCoreDataError, "A fetch request cannot be executed outside of a block of a context.",
                hint: "Call execute() inside perform or performAndWait, or fetch(_:) of the context.")
        }
        return try context.fetch(self)
    }
}
