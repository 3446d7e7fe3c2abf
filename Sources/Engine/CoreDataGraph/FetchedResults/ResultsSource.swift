import CoreDataStore

/// The definition of a list: a request in a context, its sections, and which objects belong in it.
///
/// The list is what the context knows: the result of the stores, corrected for the effect of unsaved changes of related
/// objects.
struct ResultsSource {
    let request: UntypedFetchRequest
    let naming: SectionNaming?
    let prefetch: PrefetchPlan?
    let followed: FollowedPaths
    /// The name under which the list is cached between runs; nil if it is not cached.
    let cacheName: String?
    private let context: NSManagedObjectContext
    private let execution: FetchExecution
    private let condition: PreparedPredicate?

    /// - Throws: what a fetch throws for a request that cannot be executed.
    init(
        _ request: UntypedFetchRequest, _ naming: SectionNaming?, cacheName: String?, in context: NSManagedObjectContext
    ) throws {
        self.cacheName = cacheName
        self.request = request
        self.naming = naming
        self.context = context
        execution = try FetchExecution(request, in: context)
        prefetch = try execution.prefetchPlan()
        condition = execution.predicate.map { PreparedPredicate($0) }
        followed = FollowedPaths(request, from: execution.layout.entity, sectionKeyPath: naming?.keyPath)
    }

    /// Whether the list has a limit or an offset, so that records that leave it let others enter.
    var hasWindow: Bool { request.fetchLimit > 0 || request.fetchOffset > 0 }

    /// Whether records of an object's entity and store can be in the list.
    func isWanted(_ object: NSManagedObject) -> Bool {
        execution.isWanted(object.layout) && execution.isInWantedStore(object)
    }

    /// Whether records of an entity can be in the list.
    func isWanted(_ address: RowAddress) -> Bool { execution.isWanted(address.binding.layout) }

    // MARK: Fetching

    /// Fetches the current list.
    ///
    /// - Throws: what the fetch throws; `NSCoreDataError` if records of one section do not follow each other.
    func list() throws -> ResultsList {
        let misplaced = try hasWindow ? [] : misplaced()
        let others = Set(misplaced.map { RowKey($0) })
        let fetch = { try SectionedRecords(execution, naming, leavingOut: others) }
        let records = try others.isEmpty ? cacheName.map { try keptRecords(named: $0, fetch) } ?? fetch() : fetch()
        let list = ResultsList(records.list, sections: records.sections)
        guard !misplaced.isEmpty else { return list }
        var order = ResultsOrder(request, in: context)
        let candidates = try misplaced.map { try candidate($0, isChanged: false, &order) }
        _ = try ListUpdate.run(candidates, on: list, hasSections: naming != nil, order: &order)
        return list
    }

    /// The store whose result alone is the list; nil if there are several stores, unsaved changes, a parent or a
    /// generation.
    var onlyStore: NSPersistentStore? {
        guard context.parent == nil, context.generation == nil, let changes = try? execution.pendingChanges(),
            changes.all.isEmpty
        else { return nil }
        let stores = context.storeDataSource.stores(of: execution)
        return stores.count == 1 ? stores[0] : nil
    }

    /// The objects that a store places by values of related objects which have unsaved changes. If there are any, also
    /// all objects with unsaved changes, since these must be inserted between the same saved records.
    private func misplaced() throws -> [NSManagedObject] {
        guard !followed.ends.isEmpty, !context.pending.isEmpty else { return [] }
        context.processPendingChanges()
        let related = try related(to: context.pending.filter(\.hasChanges), [])
        guard !related.isEmpty else { return [] }
        var touched = TouchedRecords(context)
        for object in related { touched.add(object, .related) }
        for object in context.pending where isWanted(object) { touched.add(object, .changed) }
        return touched.all.map(\.object)
    }

    /// The objects whose places depend on some other objects or records.
    func related(to objects: [NSManagedObject], _ records: [RowAddress]) throws -> [NSManagedObject] {
        guard !followed.ends.isEmpty else { return [] }
        var leading: [String: [NSManagedObjectID]] = [:]
        for object in objects {
            for path in followed.paths(to: object.entity) { leading[path, default: []].append(object.objectID) }
        }
        for address in records {
            for path in followed.paths(to: address.binding.layout.entity) {
                leading[path, default: []].append(address.objectID)
            }
        }
        return try leading.sorted { $0.key < $1.key }.flatMap { try self.objects(leading: $0.key, to: $0.value) }
    }

    /// The objects from which a key path leads to one of some other objects.
    private func objects(leading path: String, to others: [NSManagedObjectID]) throws -> [NSManagedObject] {
        let search = UntypedFetchRequest()
        search.entity = request.entity
        search.named = request.entityName
        search.affectedStores = request.affectedStores
        search.includesSubentities = request.includesSubentities
        search.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: path), rightExpression: NSExpression(forConstantValue: others),
            modifier: followed.manyfold.contains(path) ? .any : .direct, type: .in)
        return try FetchExecution(search, in: context).foundObjects()
    }

    // MARK: Objects

    /// An object with its place in the list, or without one if it does not belong in the list.
    func candidate(
        _ object: NSManagedObject, isChanged: Bool, _ order: inout ResultsOrder
    ) throws -> ListUpdate.Candidate {
        order.forget(RowKey(object))
        return .init(object: object, isChanged: isChanged, place: try place(of: object, &order))
    }

    private func place(
        of object: NSManagedObject, _ order: inout ResultsOrder
    ) throws -> (keys: [SortKey], section: String)? {
        var condition = condition
        guard isPresent(object), isWanted(object),
            try QueryRefusal.reporting({ try condition?.holds(for: object) ?? true })
        else { return nil }
        let keys = try order.keys(of: object)
        let section = try naming?.name(of: object) ?? ""
        // Reading may have shown that the record no longer exists.
        return isPresent(object) ? (keys, section) : nil
    }

    private func isPresent(_ object: NSManagedObject) -> Bool {
        guard object.registry === context.registry else { return false }
        object.fireFaultIfNeeded()
        return !object.isDeleted && !object.flags.contains(.inaccessible)
    }
}
