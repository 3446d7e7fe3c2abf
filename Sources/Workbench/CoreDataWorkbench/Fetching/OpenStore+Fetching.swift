import CoreData

extension OpenStore {
    /// The number of objects that are in memory at a time.
    private static var pageSize: Int { 500 }

    /// Calls `body` with each object that matches a query, in the query's order.
    ///
    /// The identifiers are fetched first, then the objects page by page, so that only one page is in memory. `body`
    /// runs on the queue of the objects' context; an object that was deleted meanwhile is left out.
    /// - Throws: `InspectionError` if the store cannot be read, and errors of `body`.
    package func forEachObject(_ query: ObjectQuery, _ body: (ObjectRecord) throws -> Void) throws {
        try context.performAndWait {
            let ids = try identifiers(query)
            for page in pages(of: ids) {
                for object in try objects(page, query.entity) {
                    try body(ObjectRecord(object: object, reader: reader))
                }
                context.reset()
            }
        }
    }

    /// Divides identifiers into the pages in which objects are fetched.
    func pages(of ids: [NSManagedObjectID]) -> [ArraySlice<NSManagedObjectID>] {
        stride(from: 0, to: ids.count, by: Self.pageSize).map { ids[$0..<min($0 + Self.pageSize, ids.count)] }
    }

    /// The identifiers of the objects that match a query, in its order.
    func identifiers(_ query: ObjectQuery) throws -> [NSManagedObjectID] {
        try namingFile { try context.identifiers(query, in: store) }
    }

    /// The objects of identifiers, in their order; one that has gone is left out.
    func objects(_ ids: ArraySlice<NSManagedObjectID>, _ entity: NSEntityDescription) throws
        -> [NSManagedObject]
    {
        try namingFile { try context.objects(ids, entity, in: store) }
    }
}

extension NSManagedObjectContext {
    /// The identifiers of the objects of a store that match a query, in its order.
    package func identifiers(_ query: ObjectQuery, in store: NSPersistentStore) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: query.entity.name ?? "")
        request.affectedStores = [store]
        request.resultType = .managedObjectIDResultType
        request.includesPropertyValues = false
        request.predicate = query.predicate
        request.sortDescriptors = query.sortDescriptors
        request.fetchLimit = query.limit
        request.fetchOffset = query.offset
        return try fetch(request)
    }

    /// The objects of identifiers, in their order; one that has gone is left out.
    ///
    /// The objects in the relationships of `prefetched` are fetched with them.
    package func objects(
        _ ids: ArraySlice<NSManagedObjectID>, _ entity: NSEntityDescription, in store: NSPersistentStore,
        prefetched: [String] = []
    ) throws -> [NSManagedObject] {
        guard !ids.isEmpty else { return [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.affectedStores = [store]
        request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
        request.relationshipKeyPathsForPrefetching = prefetched
        let found = try fetch(request)
        let byID = Dictionary(found.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[$0] }
    }
}
