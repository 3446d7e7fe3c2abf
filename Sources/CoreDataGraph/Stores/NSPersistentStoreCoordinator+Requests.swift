import CoreDataModeling

extension NSPersistentStoreCoordinator {
    /// Carries out a request in a context: an array of what a fetch finds, an empty one for a save.
    ///
    /// Call it on the context's queue.
    /// - Throws: what `fetch(_:)` and `save()` throw, and 134091 for another kind of request.
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard context.persistentStoreCoordinator === self else {
            throw CoreDataError.make(
                NSCoreDataError, "The context works on another coordinator.",
                hint: "Execute the request with the context's own coordinator.")
        }
        if let save = request as? NSSaveChangesRequest {
            try context.saveChanges(save)
            return [Any]()
        }
        guard let fetch = request as? UntypedFetchRequest else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "The coordinator does not know requests of type \(type(of: request)).")
        }
        let execution = try FetchExecution(fetch, in: context)
        switch fetch.resultType {
        case .managedObjectResultType: return try execution.objects()
        case .managedObjectIDResultType: return try execution.objectIDs()
        case .countResultType: return [NSNumber(value: try execution.count())]
        default:
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError, "A fetch of this result type is not available yet.")
        }
    }
}
