import CoreDataStore

extension NSFetchRequest {
    /// What the request asks for, in the context in whose `perform` or `performAndWait` block the caller is.
    ///
    /// - Throws: 134060 outside of such a block, and what `fetch(_:)` of the context throws.
    public func execute() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CoreDataError.make(
                NSCoreDataError, "A fetch request cannot be executed outside of a block of a context.",
                hint: "Call execute() inside perform or performAndWait, or fetch(_:) of the context.")
        }
        return try context.fetch(self)
    }
}
