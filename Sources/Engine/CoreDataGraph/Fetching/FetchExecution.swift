import CSwiftRuntime
import CoreDataStore

/// Executes one fetch request in one context: queries the stores, makes objects of the rows, and includes unsaved
/// changes.
struct FetchExecution {
    let request: UntypedFetchRequest
    let context: NSManagedObjectContext
    let layout: EntityLayout
    /// The request's predicate with its constants converted to the forms that stores compare.
    let predicate: NSPredicate?

    init(_ request: UntypedFetchRequest, in context: NSManagedObjectContext) throws {
        context.checkQueue("fetch")
        try context.persistentStoreCoordinator?.shutdown.requireReading()
        self.request = request
        self.context = context
        layout = try Self.layout(of: request, in: context)
        guard request.unreadablePredicate == nil else {
            throw CoreDataError.make(
                NSCoreDataError, "The predicate that the model gives to this fetch request cannot be read.",
                hint: "Repair it in the model, or set another predicate.")
        }
        let entity = layout.entity
        predicate = request.predicate.map { context.coordinator.storePredicate(for: $0, of: entity) }
    }

    /// The objects, with the relationships that the request prefetches.
    func objects() throws -> [NSManagedObject] {
        let start = coredata_instruments_start()
        let found = try QueryRefusal.reporting { try prefetchedObjects() }
        record("objects", rows: found.count, since: start)
        return found
    }

    private func prefetchedObjects() throws -> [NSManagedObject] {
        let plan = try prefetchPlan()
        // Throws for names that are not properties; with unsaved changes this would not be noticed, since complete rows
        // are read.
        _ = try SelectedAttributes(self)
        if isBatched { return try batchedObjects(plan) }
        guard let plan else { return try foundObjects() }
        return try context.holdingStates(for: self) {
            let found = try foundObjects()
            try Prefetching(context: context).run(plan, for: found)
            return found
        }
    }

    /// Whether the classes of all entities that the request can find are `type` or inherit from it.
    func finds<Wanted>(only type: Wanted.Type) -> Bool {
        let layouts = request.includesSubentities ? layout.model.family(of: layout) : [layout]
        return layouts.allSatisfy { $0.objectClass is Wanted.Type }
    }

    /// The objects, in the order of the request, without prefetching.
    func foundObjects() throws -> [NSManagedObject] {
        let changes = try pendingChanges()
        let answerers = try context.fetchDataSource.answerers(of: self)
        guard needsMerging(changes, answerers) else {
            return try answerers[0].objects(limit: request.fetchLimit, offset: request.fetchOffset)
        }
        let stream = try merged(changes, answerers: answerers) { HeldRecords([try $0.piece(limit: $1)]) }
        let maker = RowMaterializer(context: context, request: request)
        var objects: [NSManagedObject] = []
        while case let piece = try stream.next(.max), piece.count > 0 { objects += maker.objects(for: piece) }
        return objects
    }

    func objectIDs() throws -> [NSManagedObjectID] {
        let start = coredata_instruments_start()
        let found = try QueryRefusal.reporting { try foundObjects() }
        record("identifiers", rows: found.count, since: start)
        return found.map { NSManagedObjectID(keepingRowOf: $0) }
    }

    /// The number of objects: those that the stores count, corrected for unsaved changes. Makes no objects.
    func count() throws -> Int {
        let start = coredata_instruments_start()
        let count = try QueryRefusal.reporting { try countedObjects() }
        record("count", rows: count, since: start)
        return count
    }

    private func countedObjects() throws -> Int {
        if countsDictionaries { return try dictionaryCount() }
        let changes = try pendingChanges()
        let answerers = try context.fetchDataSource.answerers(of: self)
        guard needsMerging(changes, answerers) else {
            return try answerers[0].count(limit: request.fetchLimit, offset: request.fetchOffset)
        }
        // The stores may have the record of an object that was inserted again here after its deletion.
        let known = changes.all.filter { context.dataSource.knows($0) || $0.isInserted && !$0.binding.isTemporary }
        var total = changes.matching.count
        for answerer in answerers {
            total += try answerer.count(limit: 0, offset: 0)
            if !known.isEmpty { total -= try answerer.count(among: known) }
        }
        return FetchWindow(request).size(within: total)
    }

    /// How many of some objects of the context the request finds, without limit and offset.
    func count(among objects: [NSManagedObject]) throws -> Int {
        let changes = try pendingChanges()
        let wanted = Set(objects.map { RowKey($0) })
        let rest = objects.filter { context.dataSource.knows($0) && !changes.places.contains(RowKey($0)) }
        var total = changes.matching.filter { wanted.contains(RowKey($0)) }.count
        guard !rest.isEmpty else { return total }
        for answerer in try context.fetchDataSource.answerers(of: self) { total += try answerer.count(among: rest) }
        return total
    }

    /// The relationships to prefetch; nil for none.
    ///
    /// - Throws: `NSCoreDataError` for a key path with a component that is not a relationship.
    func prefetchPlan() throws -> PrefetchPlan? {
        guard let paths = request.relationshipKeyPathsForPrefetching, !paths.isEmpty else { return nil }
        return try PrefetchPlan(paths, of: layout.entity)
    }

    /// Whether the query reads the values together with the keys.
    var readsValues: Bool {
        request.includesPropertyValues || !request.returnsObjectsAsFaults
            || request.relationshipKeyPathsForPrefetching?.isEmpty == false
    }

    // MARK: Several sources

    /// Whether the result must be merged from several stores or with unsaved changes.
    func needsMerging(_ changes: PendingChanges, _ answerers: [any FetchAnswering]) -> Bool {
        !changes.all.isEmpty || answerers.count != 1
    }

    /// The result merged from the records of each store and the unsaved objects.
    ///
    /// A store returns at most as many records as the limit can reach: its part of the result is at the beginning of
    /// what it finds, apart from records that the context has changed.
    func merged(
        _ changes: PendingChanges, answerers: [any FetchAnswering],
        source: (any FetchAnswering, Int) throws -> any RecordSource
    ) throws -> RecordStream {
        let window = FetchWindow(request)
        let reach = window.reach(beside: changes.places.count)
        return try RecordStream(
            self, answerers.map { try source($0, reach) }, changes: changes, window: window)
    }

    /// The result as rows that are read on demand; those of a store come from one snapshot.
    func stream(
        _ changes: PendingChanges, _ answerers: [any FetchAnswering], for running: RunningSources
    ) throws -> RecordStream {
        guard needsMerging(changes, answerers) else {
            let source = try answerers[0].source(
                limit: request.fetchLimit, offset: request.fetchOffset, for: running)
            return try RecordStream(self, [source], changes: changes, window: nil)
        }
        return try merged(changes, answerers: answerers) { try $0.source(limit: $1, offset: 0, for: running) }
    }

    // MARK: With unsaved changes

    /// The context's unsaved objects that may enter or leave the result.
    func pendingChanges() throws -> PendingChanges {
        guard request.includesPendingChanges, !context.pending.isEmpty else { return PendingChanges() }
        context.processPendingChanges()
        let changed = context.pending.filter { $0.hasChanges && isWanted($0.layout) && isInWantedStore($0) }
        var condition = predicate.map { PreparedPredicate($0) }
        let matching = try QueryRefusal.reporting {
            try changed.filter { try !$0.isDeleted && condition?.holds(for: $0) ?? true }
        }
        return PendingChanges(all: changed, matching: matching)
    }

    /// Whether objects of an entity can be in the result.
    func isWanted(_ other: EntityLayout) -> Bool {
        request.includesSubentities
            ? other.entity.isKindOf(entity: layout.entity) : other.number == layout.number
    }

    /// Whether an object's record is, or will be saved, in one of the request's stores.
    func isInWantedStore(_ object: NSManagedObject) -> Bool {
        guard request.affectedStores != nil else { return true }
        return request.concerns(
            context.chosenStore(of: object) ?? context.coordinator.store(forInserting: object.layout))
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
        let near = NameSuggestion(for: name, in: model.entities.compactMap(\.entity.name))
        throw CoreDataError.make(
            NSCoreDataError, "The model has no entity named '\(name)'.",
            hint: near?.sentence)
    }
}

/// The unsaved objects that may enter or leave a result, retained so that they stay registered.
struct PendingChanges {
    /// All of them, including deleted objects.
    let all: [NSManagedObject]
    /// The objects that match the request with their unsaved values.
    let matching: [NSManagedObject]
    /// The records of all of them, whose rows in the stores are ignored.
    let places: Set<RowKey>

    init(all: [NSManagedObject] = [], matching: [NSManagedObject] = []) {
        self.all = all
        self.matching = matching
        places = Set(all.map { RowKey($0) })
    }
}

extension NSManagedObjectContext {
    /// The store that an object is in or was assigned to, in this context or an ancestor; nil if there is none.
    fileprivate func chosenStore(of object: NSManagedObject) -> NSPersistentStore? {
        if let store = object.binding.store ?? object.assignedStore { return store }
        guard let parent, !object.isInserted else { return nil }
        return parent.queue.ask { parent.counterpart(of: object).flatMap(parent.chosenStore) }
    }
}
