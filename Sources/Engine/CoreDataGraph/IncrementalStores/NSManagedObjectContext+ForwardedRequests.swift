import CoreDataStore

extension NSManagedObjectContext {
    /// Executes a batch request with the custom store that keeps the entity; nil if the request must be executed on
    /// rows instead.
    ///
    /// - Throws: what the store throws, such as `NSPersistentStoreUnsupportedRequestTypeError` for a request that it
    ///   does not support, and `NSPersistentStoreOperationError` for a wrong result.
    func forwarded(_ request: NSPersistentStoreRequest, by coordinator: NSPersistentStoreCoordinator) throws -> Any? {
        guard let entity = try BatchAnswer.entity(of: request, in: coordinator.modelLayout) else { return nil }
        let requested = coordinator.stores(keeping: entity, for: request)
        // A request to several stores is executed on rows, which custom stores refuse.
        guard let store = requested.first, request is NSBatchInsertRequest || requested.count == 1,
            let serving = store.objectServing, !store.isReadOnly
        else { return nil }
        return try store.serialized {
            defer { store.rowCache.noteUnknownChanges() }
            let origin = RequestOrigin(context: self, request: request)
            return try BatchAnswer(request, try serving.execute(request, for: origin), of: store).result
        }
    }
}

/// The result of a custom store for a batch request, as the type of result that the program gets.
private struct BatchAnswer {
    let result: NSPersistentStoreResult

    /// - Throws: `NSPersistentStoreOperationError` if the answer is not of the request's result type.
    init(_ request: NSPersistentStoreRequest, _ answer: Any, of store: NSPersistentStore) throws {
        if let result = answer as? NSPersistentStoreResult {
            self.result = result
            return
        }
        let identifiers = IncrementalRecords.list(answer)?.compactMap { $0 as? NSManagedObjectID }
        let number = answer as? NSNumber ?? (answer as? Int).map { NSNumber(value: $0) }
        func given(_ wantsIdentifiers: Bool) throws -> Any {
            if wantsIdentifiers, let identifiers, identifiers.count == IncrementalRecords.list(answer)?.count {
                return identifiers
            }
            if !wantsIdentifiers, let number { return number }
            throw StoreMistake.answer(
                to: "a batch request", answer, of: store,
                wanted: "what its result type says: a number, or an array of NSManagedObjectID")
        }
        switch request {
        case let update as NSBatchUpdateRequest:
            result = NSBatchUpdateResult(try given(update.resultType == .updatedObjectIDsResultType), update.resultType)
        case let delete as NSBatchDeleteRequest:
            result = NSBatchDeleteResult(try given(delete.resultType == .resultTypeObjectIDs), delete.resultType)
        case let insert as NSBatchInsertRequest:
            result = NSBatchInsertResult(try given(insert.resultType == .objectIDs), insert.resultType)
        default: result = PlainRequestResult(answer)
        }
    }

    /// The entity of a batch request; nil for any other request.
    static func entity(of request: NSPersistentStoreRequest, in model: ModelLayout) throws -> NSEntityDescription? {
        switch request {
        case let update as NSBatchUpdateRequest: try update.layout(in: model).entity
        case let insert as NSBatchInsertRequest: try insert.layout(in: model).entity
        case let delete as NSBatchDeleteRequest:
            delete.fetchRequest.entity ?? delete.fetchRequest.entityName.flatMap { model.layout(named: $0)?.entity }
        default: nil
        }
    }
}
