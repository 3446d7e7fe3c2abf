import CoreDataModeling

extension NSManagedObjectContext {
    /// Hands a request to the stores; the context's own objects and changes stay as they are.
    ///
    /// A batch request gives the result of its kind. What a fetch request finds is in the context afterwards; to be given
    /// it, use `fetch(_:)`. Call it on the context's queue.
    /// - Throws: an error of `NSCocoaErrorDomain`: 134091 for a request that a store does not carry out, 134060 for one
    ///   that does not fit the model, 1600 where a delete rule forbids it, 133021 for values that must be unique, 134030
    ///   and others when a store cannot be written.
    @discardableResult
    public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        guard let coordinator = persistentStoreCoordinator else {
            throw CoreDataError.make(
                NSCoreDataError, "The context has no persistent store coordinator.",
                hint: "Set persistentStoreCoordinator before the context is used.")
        }
        let answer = try coordinator.execute(request, with: self)
        return answer as? NSPersistentStoreResult ?? PlainRequestResult(answer)
    }
}
