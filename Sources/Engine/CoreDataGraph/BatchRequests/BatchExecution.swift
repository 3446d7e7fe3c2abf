import CoreDataStore

/// Carries out one batch request on the stores that it concerns.
struct BatchExecution {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private var model: ModelLayout { coordinator.modelLayout }

    /// Updates the records that the request selects.
    func update(_ request: NSBatchUpdateRequest) throws -> NSBatchUpdateResult {
        let layout = try request.layout(in: model)
        let report: BatchReport = request.resultType == .updatedObjectIDsResultType ? .addresses : .count
        let stores = try stores(of: layout, request)
        let batches = try stores.map { store, writer in
            (writer, try batch(request, layout: layout, store: store, report: report), store)
        }
        var outcome = BatchOutcome()
        for (writer, batch, store) in batches {
            guard !batch.isEmpty else { continue }
            outcome.add(try store.changingRows { try writer.update(batch, by: context.changeSource) })
        }
        return NSBatchUpdateResult(outcome, request.resultType)
    }

    /// Deletes the records that the request selects.
    func delete(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
        var outcome = BatchOutcome()
        if let identifiers = request.objectIDs {
            guard !identifiers.isEmpty else { return NSBatchDeleteResult(outcome, request.resultType) }
            try check(identifiers)
        }
        let fetch = try FetchExecution(request.fetchRequest, in: context)
        let report: BatchReport = request.resultType == .resultTypeObjectIDs ? .addresses : .count
        for (store, writer) in try stores(of: fetch.layout, request) {
            let query = FetchQuery(
                binding: store.binding(for: fetch.layout), includesSubentities: fetch.request.includesSubentities,
                predicate: fetch.predicate, sortDescriptors: fetch.request.sortDescriptors ?? [],
                limit: fetch.request.fetchLimit, offset: fetch.request.fetchOffset, includesValues: false)
            outcome.add(
                try store.changingRows {
                    try writer.delete(BatchDeletion(query: query, report: report), by: context.changeSource)
                })
        }
        return NSBatchDeleteResult(outcome, request.resultType)
    }

    /// Inserts the request's records into the first store that keeps the entity and can be written.
    func insert(_ request: NSBatchInsertRequest) throws -> NSBatchInsertResult {
        let layout = try request.layout(in: model)
        guard !layout.entity.isAbstract else {
            throw CoreDataError.make(
                NSCoreDataError, "The entity '\(layout.entity.name ?? "")' is abstract: it has no records of its own.",
                hint: "Insert records of one of its sub-entities.")
        }
        let keeping = coordinator.stores(keeping: layout.entity, for: request)
        guard let store = keeping.first(where: { !$0.isReadOnly }) ?? keeping.first else { throw noStore(layout) }
        let writer = try writer(of: store)
        let rows = BatchRows(request, layout, in: store)
        let batch = BatchInsertion(
            binding: store.binding(for: layout), collisions: collisionRule,
            report: request.resultType == .objectIDs ? .addresses : .count, largeValues: rows.largeValues,
            next: rows.next)
        return NSBatchInsertResult(
            try store.changingRows { try writer.insert(batch, by: context.changeSource) }, request.resultType)
    }

    private var collisionRule: BatchCollisionRule {
        switch (context.mergePolicy as? NSMergePolicy)?.mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .overwrite
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keep
        case .errorMergePolicyType, nil: .refuse
        }
    }

    // MARK: Stores

    /// The stores that the request affects. Throws, before any of them is changed, if one cannot execute the request.
    private func stores(
        of layout: EntityLayout, _ request: NSPersistentStoreRequest
    ) throws -> [(NSPersistentStore, any BatchWriting)] {
        let keeping = coordinator.stores(keeping: layout.entity, for: request)
        guard !keeping.isEmpty else { throw noStore(layout) }
        return try keeping.map { ($0, try writer(of: $0)) }
    }

    private func noStore(_ layout: EntityLayout) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError, "There is no store for objects of entity '\(layout.entity.name ?? "")'.",
            hint: "Add a persistent store that keeps the entity, or name one in affectedStores.")
    }

    private func writer(of store: NSPersistentStore) throws -> any BatchWriting {
        guard let source = store.objects else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "The store has been removed from its coordinator.")
        }
        guard let writer = source.batchWriting else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                "A store of kind '\(store.type)' does not carry out batch requests.",
                hint: "Change its objects in a context and save them.", userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        guard !source.isReadOnly else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store is read-only and cannot be saved to.",
                reason: source.reasonForReadOnly ?? store.url.map { "'\($0.path)' was opened read-only." },
                userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        return writer
    }

    // MARK: Requests

    private func batch(
        _ request: NSBatchUpdateRequest, layout: EntityLayout, store: NSPersistentStore, report: BatchReport
    ) throws -> BatchUpdate {
        let query = FetchQuery(
            binding: store.binding(for: layout), includesSubentities: request.includesSubentities,
            predicate: request.predicate.map { coordinator.storePredicate(for: $0, of: layout.entity) },
            includesValues: false)
        let builder = RowBuilder(layout: layout, store: store, largeValues: nil)
        let slab = RowSlab(binding: query.binding, capacity: 1)
        _ = slab.appendRow(key: 0, version: 0)
        var given = SlotSet()
        var expressions: [(slot: Int, expression: NSExpression)] = []
        var elements: [BatchElement] = []
        for (name, value) in try named(request.propertiesToUpdate ?? [:], of: layout.entity) {
            if let expression = value as? NSExpression, expression.expressionType != .constantValue {
                if let element = try builder.element(computedBy: expression, at: name) {
                    elements.append(element)
                } else {
                    expressions.append((try builder.slot(ofComputed: name), expression))
                }
            } else {
                let constant = (value as? NSExpression).map(\.constantValue) ?? value
                if let parts = try builder.elements(constant, at: name) {
                    elements += parts
                } else {
                    given.insert(try builder.set(constant, named: name, in: slab, 0))
                }
            }
        }
        builder.keepDecimals(in: slab, 0)
        return BatchUpdate(
            query: query, constants: SavePlan.Row(slab: slab, index: 0, changed: given, expectedVersion: 0),
            expressions: expressions, elements: elements, report: report)
    }

    /// The new values in the order of their keys: names of properties, or paths to elements of composite attributes.
    private func named(_ values: [AnyHashable: Any], of entity: NSEntityDescription) throws -> [(String, Any)] {
        var named: [String: Any] = [:]
        for (key, value) in values {
            guard let name = key as? String ?? (key.base as? NSPropertyDescription).map(entity.path) else {
                throw CoreDataError.make(
                    NSCoreDataError, "A key of propertiesToUpdate is neither a name nor an NSPropertyDescription.")
            }
            guard named.updateValue(value, forKey: name) == nil else {
                throw CoreDataError.make(NSCoreDataError, "The property '\(name)' is to be updated twice.")
            }
        }
        for path in named.keys where path.contains(".") {
            let ends = path.indices.filter { path[$0] == "." }
            guard let whole = ends.map({ String(path[..<$0]) }).first(where: { named[$0] != nil }) else { continue }
            throw CoreDataError.make(
                NSCoreDataError, "The property '\(path)' is to be updated twice: '\(whole)' is updated too.",
                hint: "Give the composite attribute as a whole, or its elements.")
        }
        return named.sorted { $0.key < $1.key }
    }

    private func check(_ identifiers: [NSManagedObjectID]) throws {
        if let unsaved = identifiers.first(where: \.isTemporaryID) { throw CoreDataError.temporaryIdentifier(unsaved) }
        let roots = Set(identifiers.map { $0.entity.rootEntity.name ?? "" })
        guard roots.count == 1 else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The objects of a batch deletion are of several hierarchies of entities: "
                    + roots.sorted().joined(separator: ", ") + ".",
                hint: "Make a request for each.")
        }
    }
}

extension NSPersistentStore {
    /// Runs a block that changes rows in the store alone, then marks the cached rows as outdated and announces the
    /// commit.
    fileprivate func changingRows(_ body: () throws -> BatchOutcome) rethrows -> BatchOutcome {
        try serialized {
            defer { rowCache.noteUnknownChanges() }
            let outcome = try body()
            if outcome.count > 0 {
                remoteChanges.noteCommit(outcome.transaction, announcing: outcome.transaction, in: self)
            }
            return outcome
        }
    }
}

extension BatchOutcome {
    fileprivate mutating func add(_ other: BatchOutcome) {
        count += other.count
        addresses += other.addresses
    }
}
