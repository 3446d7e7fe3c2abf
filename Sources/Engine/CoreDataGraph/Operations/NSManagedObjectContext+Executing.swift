import CoreDataStore

extension NSManagedObjectContext {
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let coordinator = persistentStoreCoordinator else {
            throw CoreDataError.make(
                NSCoreDataError, "The context has no persistent store coordinator.",
                hint: "Set persistentStoreCoordinator before the context is used.")
        }
        let answer = try coordinator.execute(request, with: self)
        return answer as? NSPersistentStoreResult ?? PlainRequestResult(answer)
    }

    func answer(_ request: NSPersistentStoreRequest, from coordinator: NSPersistentStoreCoordinator) throws -> Any {
        guard persistentStoreCoordinator === coordinator else {
            throw CoreDataError.make(
                NSCoreDataError, "The context works on another coordinator.",
                hint: "Execute the request with the context's own coordinator.")
        }
        try coordinator.shutdown.requireReading()
        if request.isWriting { try coordinator.requireSaving(by: self) }
        if let save = request as? NSSaveChangesRequest {
            guard parent == nil else {
                throw CoreDataError.make(
                    NSCoreDataError, "The context saves into its parent, not into stores.",
                    hint: "Call save() on it, and on its ancestors.")
            }
            try saveChanges(save)
            return [Any]()
        }
        if let answer = try forwarded(request, by: coordinator) { return answer }
        let batches = BatchExecution(coordinator: coordinator, context: self)
        switch request {
        case let update as NSBatchUpdateRequest: return try batches.update(update)
        case let delete as NSBatchDeleteRequest: return try batches.delete(delete)
        case let insert as NSBatchInsertRequest: return try batches.insert(insert)
        case let request as any CoordinatorExecuting: return try request.execute(on: coordinator)
        case let asynchronous as any AsynchronousExecuting: return try asynchronous.start(in: self)
        default: return try found(request)
        }
    }

    private func found(_ request: NSPersistentStoreRequest) throws -> Any {
        guard let fetch = request as? UntypedFetchRequest else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "The coordinator does not know requests of type \(type(of: request)).")
        }
        let execution = try FetchExecution(fetch, in: self)
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

extension NSPersistentStoreRequest {
    /// Whether the request changes stores.
    fileprivate var isWriting: Bool { requestType != .fetchRequestType }
}
