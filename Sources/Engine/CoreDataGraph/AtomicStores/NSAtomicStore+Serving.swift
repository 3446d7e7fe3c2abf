import CoreDataStore

/// Lets the coordinator use an atomic store like an incremental one: reads and saves records through the cache nodes.
extension NSAtomicStore: RecordServing {
    func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { objectID(for: $0.entity, withReferenceObject: newReferenceObject(for: $0)) }
    }

    func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard let node = cacheNode(for: objectID) else { throw CoreDataError.missingRecord(objectID) }
        var values: [String: Any] = [:]
        for property in node.objectID.entity.properties where !property.isTransient {
            switch property {
            case let attribute as NSAttributeDescription:
                if let value = node.value(forKey: attribute.name) { values[attribute.name] = value }
            case let relationship as NSRelationshipDescription where !relationship.isToMany:
                values[relationship.name] =
                    try AtomicValues.identifiers(node.value(forKey: relationship.name), of: relationship, in: self)
                    .first
                    ?? NSNull()
            default: continue
            }
        }
        return NSIncrementalStoreNode(objectID: node.objectID, withValues: values, version: node.version)
    }

    func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let value = cacheNode(for: objectID)?.value(forKey: relationship.name)
        let found = try AtomicValues.identifiers(value, of: relationship, in: self)
        guard relationship.isToMany else { return found.first ?? NSNull() }
        return found.filter { cacheNode(for: $0) != nil }
    }

    func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let save as NSSaveChangesRequest:
            try AtomicSaving(store: self, request: save).run()
            return [Any]()
        case let fetch as UntypedFetchRequest:
            let found = try QueryRefusal.reporting { try find(fetch) }
            return fetch.resultType == .countResultType ? [found.count] : found
        default:
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "A store of kind '\(type)' does not carry out requests of type \(Swift.type(of: request)).")
        }
    }

    /// The identifiers of the cache nodes that match a fetch request, sorted and limited as the request says.
    private func find(_ fetch: UntypedFetchRequest) throws -> [NSManagedObjectID] {
        guard let wanted = fetch.entity else { return [] }
        let own = (nodes[wanted.rootEntity.name ?? ""] ?? [:]).filter { _, node in
            let entity = node.objectID.entity
            return fetch.includesSubentities ? entity.isKindOf(entity: wanted) : entity.name == wanted.name
        }
        var found = own.keys.sorted().compactMap { own[$0]?.objectID }.map { NodeRecord($0, self) }
        if let predicate = fetch.predicate {
            var condition = PreparedPredicate(predicate)
            found = try found.filter { try condition.holds(forAny: $0) }
        }
        let columns = (fetch.sortDescriptors ?? []).map(\.sorting)
        if !columns.isEmpty, let layout = persistentStoreCoordinator?.modelLayout.layout(of: wanted) {
            let paths = try columns.map { $0.rank == nil ? try SortReview.path(of: $0, layout) : "" }
            found = try found.sorted(by: columns) { record, column in
                if let rank = columns[column].rank {
                    return SortKey(try rank.value { try record.codedValue(forKeyPath: $0) })
                }
                let path = paths[column]
                if path == "self" { return .integer(record.identifier.key) }
                let value = try record.codedValue(forKeyPath: path)
                return (value as? NSManagedObjectID).map { .integer($0.key) } ?? SortKey(value)
            }
        }
        let start = min(max(0, fetch.fetchOffset), found.count)
        let rest = found[start...]
        return (fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest).map(\.identifier)
    }
}

/// Carries out one save of an atomic store.
struct AtomicSaving {
    let store: NSAtomicStore
    let request: NSSaveChangesRequest

    /// Applies the save request to the cache nodes and calls the store's `save()`. When that fails, restores the nodes
    /// with their property caches and versions.
    ///
    /// - Throws: what `save()` throws, and an error for a new node whose identifier is not that of a new object.
    func run() throws {
        let former = store.nodes
        let updated = (request.updatedObjects ?? []).compactMap { object in
            store.cacheNode(for: object.objectID).map { (object: object, node: $0) }
        }
        let caches = updated.map { ($0.node.propertyCache?.mutableCopy() as? NSMutableDictionary, $0.node.version) }
        do {
            let made = (request.insertedObjects ?? []).map { store.newCacheNode(for: $0) }
            for node in made where node.objectID.isTemporaryID || node.objectID.storeIdentifier != store.identifier {
                throw StoreMistake.make(
                    store, "made a node with an identifier that is none of a new object's",
                    hint: "newCacheNode(for:) must give the node the identifier of its object.")
            }
            store.addCacheNodes(Set(made))
            for (object, node) in updated {
                store.updateCacheNode(node, from: object)
                node.version &+= 1
            }
            let removed = (request.deletedObjects ?? []).compactMap { store.cacheNode(for: $0.objectID) }
            if !removed.isEmpty { store.willRemoveCacheNodes(Set(removed)) }
            for node in removed { store.nodes[NSAtomicStore.root(node.objectID)]?[node.objectID.key] = nil }
            try store.save()
        } catch {
            store.nodes = former
            for ((_, node), cache) in zip(updated, caches) {
                (node.propertyCache, node.version) = cache
            }
            throw error
        }
    }
}
