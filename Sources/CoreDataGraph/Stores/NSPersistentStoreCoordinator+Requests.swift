import CoreDataStore

/// A request that a coordinator's stores answer, whichever context asks.
protocol CoordinatorExecuting {
    func execute(on coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStoreResult
}

extension NSPersistentStoreCoordinator {
    func carryOut(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard context.persistentStoreCoordinator === self else {
            throw CoreDataError.make(
                NSCoreDataError, "The context works on another coordinator.",
                hint: "Execute the request with the context's own coordinator.")
        }
        if let save = request as? NSSaveChangesRequest {
            guard context.parent == nil else {
                throw CoreDataError.make(
                    NSCoreDataError, "The context saves into its parent, not into stores.",
                    hint: "Call save() on it, and on its ancestors.")
            }
            try context.saveChanges(save)
            return [Any]()
        }
        let batches = BatchExecution(coordinator: self, context: context)
        switch request {
        case let update as NSBatchUpdateRequest: return try batches.update(update)
        case let delete as NSBatchDeleteRequest: return try batches.delete(delete)
        case let insert as NSBatchInsertRequest: return try batches.insert(insert)
        case let request as any CoordinatorExecuting: return try request.execute(on: self)
        case let asynchronous as any AsynchronousExecuting: return try asynchronous.start(in: context)
        default: return try found(request, in: context)
        }
    }

    private func found(_ request: NSPersistentStoreRequest, in context: NSManagedObjectContext) throws -> Any {
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
        case .dictionaryResultType: return try execution.dictionaries()
        default:
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "A fetch has one result type, not several: \(fetch.resultType.rawValue).")
        }
    }
}
