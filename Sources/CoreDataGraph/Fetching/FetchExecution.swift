import CoreDataModeling

/// Carries out one fetch request in one context: asks the stores, makes objects of the rows, heeds unsaved changes.
struct FetchExecution {
    let request: UntypedFetchRequest
    let context: NSManagedObjectContext
    let layout: EntityLayout

    init(_ request: UntypedFetchRequest, in context: NSManagedObjectContext) throws {
        context.checkQueue("fetch")
        self.request = request
        self.context = context
        layout = try Self.layout(of: request, in: context)
        guard request.unreadablePredicate == nil else {
            throw CoreDataError.make(
                NSCoreDataError, "The predicate that the model gives to this fetch request cannot be read.",
                hint: "Mend it in the model, or set another predicate.")
        }
    }

    /// The objects, and with them what the request wants to be prefetched.
    func objects() throws -> [NSManagedObject] {
        guard let paths = request.relationshipKeyPathsForPrefetching, !paths.isEmpty else { return try foundObjects() }
        let plan = try PrefetchPlan(paths, of: layout.entity)
        let found = try foundObjects()
        try Prefetching(context: context).run(plan, for: found)
        return found
    }

    /// The objects, in the order of the request.
    func foundObjects() throws -> [NSManagedObject] {
        let changed = relevantChanges()
        let answerers = try context.origin.answerers(of: self)
        guard changed.isEmpty, answerers.count == 1 else { return try mergedObjects(changed, answerers) }
        return try answerers[0].objects(limit: request.fetchLimit, offset: request.fetchOffset)
    }

    func objectIDs() throws -> [NSManagedObjectID] {
        try foundObjects().map { NSManagedObjectID(keepingRowOf: $0) }
    }

    func count() throws -> Int {
        let answerers = try context.origin.answerers(of: self)
        guard answerers.count == 1, relevantChanges().isEmpty else { return try foundObjects().count }
        return try answerers[0].count(limit: request.fetchLimit, offset: request.fetchOffset)
    }

    // MARK: With unsaved changes

    /// The context's unsaved objects that could be in the result or no longer be.
    private func relevantChanges() -> [NSManagedObject] {
        guard request.includesPendingChanges, !context.pending.isEmpty else { return [] }
        context.processPendingChanges()
        return context.pending.filter { $0.hasChanges && isWanted($0.layout) }
    }

    private func isWanted(_ other: EntityLayout) -> Bool {
        request.includesSubentities
            ? other.entity.isKindOf(entity: layout.entity) : other.number == layout.number
    }

    private func mergedObjects(
        _ changed: [NSManagedObject], _ answerers: [any FetchAnswering]
    ) throws -> [NSManagedObject] {
        var merged: [NSManagedObject] = []
        let touched = Set(changed.map { ObjectIdentifier($0) })
        for answerer in answerers {
            merged += try answerer.objects(limit: 0, offset: 0).filter { !touched.contains(ObjectIdentifier($0)) }
        }
        var condition = request.predicate.map { PreparedPredicate($0) }
        for object in changed where !object.isDeleted {
            if try condition?.holds(for: object) ?? true { merged.append(object) }
        }
        try sort(&merged)
        let start = min(max(0, request.fetchOffset), merged.count)
        let end = request.fetchLimit > 0 ? min(start + request.fetchLimit, merged.count) : merged.count
        return Array(merged[start..<end])
    }

    private func sort(_ objects: inout [NSManagedObject]) throws {
        guard let descriptors = request.sortDescriptors, !descriptors.isEmpty else { return }
        objects = try ObjectSorting.sorted(objects, by: descriptors)
    }

    private static func layout(
        of request: UntypedFetchRequest, in context: NSManagedObjectContext
    ) throws -> EntityLayout {
        guard let coordinator = context.persistentStoreCoordinator else {
            throw CoreDataError.make(
                NSCoreDataError, "The context has no persistent store coordinator.",
                hint: "Set persistentStoreCoordinator before the context is used.")
        }
        let model = coordinator.modelLayout
        if let entity = request.entity, let layout = model.layout(of: entity) { return layout }
        guard let name = request.entityName else {
            throw CoreDataError.make(NSCoreDataError, "A fetch request must have an entity.")
        }
        if let layout = model.layout(named: name) { return layout }
        let near = closestName(to: name, in: model.entities.compactMap(\.entity.name))
        throw CoreDataError.make(
            NSCoreDataError, "The model has no entity named '\(name)'.",
            hint: near.map { "Did you mean '\($0)'?" })
    }
}
