import CSwiftRuntime
import CoreDataStore

/// Reads from the stores of a coordinator.
final class StoreDataSource: FetchDataSource {
    private unowned let context: NSManagedObjectContext
    /// The query generation that the context is pinned to; see `setQueryGenerationFrom(_:)`.
    var generation: NSQueryGenerationToken?
    /// The states of stores that a running fetch reads; empty at other times.
    var heldStates: [HeldState] = []
    /// The replicas that the context reads; nil if it reads none.
    var replicas: ReplicaReading?

    init(context: NSManagedObjectContext) { self.context = context }

    /// The source of a store's rows for the context: a running fetch's state, the pinned generation, replicas, or the
    /// store.
    ///
    /// `request` is the request being executed, for stores of the program's own that get it.
    func source(
        of store: NSPersistentStore, for request: NSPersistentStoreRequest? = nil
    ) throws -> any RowSource {
        if let held = heldStates.first(where: { $0.store === store }) { return held }
        if let serving = store.objectServing {
            return ObjectServingSource(
                store, serving: serving, origin: RequestOrigin(context: context, request: request))
        }
        guard generation != nil else { return replicaRows(of: store) ?? store }
        return try context.pinnedGeneration().generation(of: store) ?? store
    }

    /// The rows of a store's replicas; nil if the store itself is read.
    func replicaRows(of store: NSPersistentStore) -> ReplicaRows? { replicas?.rows(of: store, for: context) }

    func knows(_ object: NSManagedObject) -> Bool { object.flags.isDisjoint(with: .unstored) }

    /// The row from the cache, or else from the store, read together with those of the faults that were made with this
    /// one.
    func rowOfFault(_ object: NSManagedObject) throws -> RowSnapshot? {
        guard let store = object.binding.store else { throw CoreDataError.storeRemoved(object.objectID) }
        let source = try source(of: store)
        let root = object.layout.root
        if let row = source.rowCache.rowOfFault(root: root, key: object.key, maximumAge: context.stalenessInterval) {
            coredata_note_cached_fault()
            return row
        }
        let start = coredata_instruments_start()
        defer { if start != 0 { context.recordFault(object, since: start) } }
        if object.slab == nil {
            try context.readAhead(of: object)
            if let slab = object.slab { return RowSnapshot(slab: slab, index: Int(object.rowIndex)) }
        }
        return try source.storedRow(object.binding, key: object.key)
    }

    func row(_ binding: EntityBinding, key: Int64) throws -> RowSnapshot? {
        try binding.store.map { try source(of: $0) }?.anyRow(binding, key: key)
    }

    func knownRow(_ binding: EntityBinding, key: Int64, maximumAge: TimeInterval) -> RowSnapshot? {
        guard let store = binding.store, let source = try? source(of: store) else { return nil }
        return source.rowCache.row(root: binding.layout.root, key: key, maximumAge: maximumAge)
    }

    func rows(_ binding: EntityBinding, keys: [Int64]) throws -> [RowSnapshot] {
        guard let store = binding.store else { return [] }
        // Keys are unique within a hierarchy, so reading by the root entity finds rows of all its sub-entities.
        let root = context.modelLayout.layout(of: binding.layout.entity.rootEntity).map(store.binding(for:)) ?? binding
        return try source(of: store).storedRows(root, keys: keys)
    }

    /// Keeps a cached row that is newer than the object's, or young enough: a refresh must read the store's current
    /// row.
    func forgetRow(of object: NSManagedObject) {
        guard let store = object.binding.store, let source = try? source(of: store) else { return }
        source.forgetRow(
            object.binding, key: object.key, unlessNewerThan: object.snapshotVersion,
            orYoungerThan: max(0, context.stalenessInterval))
    }

    func members(of relationship: NSRelationshipDescription, owner: NSManagedObject) throws -> AddressList {
        let start = coredata_instruments_start()
        let source = try owner.binding.store.map { try self.source(of: $0) }
        let found = try source?.reading {
            try $0.reader.members(of: relationship, owner: owner.binding, key: owner.key)
        }
        if start != 0 {
            context.recordMembers(.members, relationship, of: owner, rows: found?.count ?? 0, since: start)
        }
        return found ?? AddressList()
    }

    func members(
        of relationship: NSRelationshipDescription, owners: [NSManagedObject]
    ) throws -> [ObjectIdentifier: [NSManagedObject]] {
        var groups: [ObjectIdentifier: (store: NSPersistentStore, owners: [NSManagedObject])] = [:]
        for owner in owners {
            guard let store = owner.binding.store else { continue }
            groups[ObjectIdentifier(store), default: (store, [])].owners.append(owner)
        }
        var members: [ObjectIdentifier: [NSManagedObject]] = [:]
        for (store, owners) in groups.values {
            let byKey = try self.members(of: relationship, owners, in: store)
            for owner in owners { members[ObjectIdentifier(owner)] = byKey[owner.key] ?? [] }
        }
        return members
    }

    /// The members of owners in one store, by the owners' keys.
    private func members(
        of relationship: NSRelationshipDescription, _ owners: [NSManagedObject], in store: NSPersistentStore
    ) throws -> [Int64: [NSManagedObject]] {
        guard let layout = relationship.entity.flatMap(context.modelLayout.layout(of:)) else { return [:] }
        let binding = store.binding(for: layout)
        let found = try source(of: store).reading { reading in
            let found = try reading.reader.members(of: relationship, owner: binding, keys: owners.map(\.key))
            _ = reading.published(.rows(found.rows))
            return found
        }
        guard let found else { return [:] }
        let maker = RowMaterializer(context: context, asFaults: true, refreshes: false)
        let objects = maker.objects(for: found.rows)
        if found.areParallel { return grouped(objects, by: found.pairs) }
        let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var members: [Int64: [NSManagedObject]] = [:]
        for pair in found.pairs {
            if let member = byKey[pair.member] { members[pair.owner, default: []].append(member) }
        }
        return members
    }

    /// The members of each owner by its key, where each object is the member of the pair with its number.
    private func grouped(
        _ objects: [NSManagedObject], by pairs: [(owner: Int64, member: Int64)]
    ) -> [Int64: [NSManagedObject]] {
        var members: [Int64: [NSManagedObject]] = [:]
        var start = 0
        while start < pairs.count {
            let owner = pairs[start].owner
            let end = pairs[start...].firstIndex { $0.owner != owner } ?? pairs.count
            members[owner, default: []].append(contentsOf: objects[start..<end])
            start = end
        }
        return members
    }

    func ownersBreakingCount(
        of relationship: NSRelationshipDescription, among owners: [NSManagedObject]
    ) throws -> Set<ObjectIdentifier> {
        guard !context.mayHaveTakenMembers(of: relationship) else {
            return try context.readOwnersBreakingCount(of: relationship, among: owners)
        }
        var broken: Set<ObjectIdentifier> = []
        var groups: [ObjectIdentifier: (store: NSPersistentStore, owners: [NSManagedObject])] = [:]
        for owner in owners {
            guard let store = owner.binding.store else { continue }
            groups[ObjectIdentifier(store), default: (store, [])].owners.append(owner)
        }
        for (store, owners) in groups.values {
            // A custom store of the program may not support such a predicate.
            let found =
                store.objectServing == nil
                ? try breakingCount(relationship, owners, in: store)
                : try owners.filter { relationship.refuses(count: try members(of: relationship, owner: $0).count) }
            broken.formUnion(found.map(ObjectIdentifier.init))
        }
        return broken
    }

    private func breakingCount(
        _ relationship: NSRelationshipDescription, _ owners: [NSManagedObject], in store: NSPersistentStore
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: relationship.entity?.name ?? "")
        request.affectedStores = [store]
        request.includesPropertyValues = false
        request.predicate = relationship.countPredicate(among: owners)
        let found = try answerers(of: FetchExecution(request, in: context)).flatMap {
            try $0.addresses(limit: 0, offset: 0).map(\.key)
        }
        let keys = Set(found)
        return owners.filter { keys.contains($0.key) }
    }

    func answerers(of fetch: FetchExecution) throws -> [any FetchAnswering] {
        try stores(of: fetch).map {
            StoreAnswer(fetch: fetch, store: $0, source: try source(of: $0, for: fetch.request))
        }
    }

    /// The stores that a fetch reads.
    func stores(of fetch: FetchExecution) -> [NSPersistentStore] {
        context.coordinator.stores(keeping: fetch.layout.entity, for: fetch.request)
    }
}

/// One store's answer to a fetch.
private struct StoreAnswer: FetchAnswering {
    let fetch: FetchExecution
    let store: NSPersistentStore
    let source: any RowSource

    func objects(limit: Int, offset: Int) throws -> [NSManagedObject] {
        if let selection = try SelectedAttributes(fetch) {
            let query = try selection.query(store.binding(for: fetch.layout), limit: limit, offset: offset)
            return try source.reading { try $0.reader.values(query) }.map(selection.objects) ?? []
        }
        let query = query(limit: limit, offset: offset)
        switch try source.reading({ try $0.published($0.reader.fetch(query)) }) {
        case nil: return []
        case .addresses(let addresses) where needsRows(query):
            let maker = RowMaterializer(context: fetch.context, request: fetch.request)
            return maker.objects(for: .records(try records(at: addresses)))
        case .addresses(let addresses):
            fetch.context.faultBatches.note(addresses)
            // Only records of one entity, without duplicates, can be registered together.
            return store.objectServing == nil || addresses.isOfOneEntity && addresses.isAscending
                ? fetch.context.objects(at: addresses) : addresses.map { fetch.context.object(at: $0) }
        case .rows(let runs):
            return RowMaterializer(context: fetch.context, request: fetch.request).objects(for: runs)
        }
    }

    func count(limit: Int, offset: Int) throws -> Int {
        let query = query(limit: limit, offset: offset)
        return try source.reading { try $0.reader.count(query) } ?? 0
    }

    func count(among objects: [NSManagedObject]) throws -> Int {
        let stored = objects.filter { $0.binding.store === store }
        guard !stored.isEmpty else { return 0 }
        if store.objectServing != nil {
            // A custom store of the program may not support a predicate about the record itself.
            let wanted = Set(stored.map { RowKey($0) })
            return try addresses(limit: 0, offset: 0).filter { wanted.contains(RowKey($0)) }.count
        }
        let query = FetchQuery(
            binding: store.binding(for: fetch.layout), includesSubentities: fetch.request.includesSubentities,
            predicate: condition(among: stored))
        return try source.reading { try $0.reader.count(query) } ?? 0
    }

    func piece(limit: Int) throws -> RecordPiece {
        let isSorted = fetch.request.sortDescriptors?.isEmpty == false
        guard fetch.readsValues || isSorted else {
            let list = try addresses(limit: limit, offset: 0)
            return .records((0..<list.count).map { FoundRecord(list[$0]) })
        }
        let query = query(limit: limit, offset: 0, includesValues: true)
        switch try source.reading({ try $0.published($0.reader.fetch(query)) }) {
        case .rows(let runs): return .rows(runs)
        case .addresses(let addresses): return .records(try records(at: addresses))
        case nil: return .records([])
        }
    }

    /// Whether the rows must be read with another query, since the store returned only addresses.
    private func needsRows(_ query: FetchQuery) -> Bool {
        query.includesValues && (!fetch.request.returnsObjectsAsFaults || fetch.request.shouldRefreshRefetchedObjects)
    }

    /// The records at some addresses with their rows, which are read now; without records that no longer exist.
    private func records(at addresses: AddressList) throws -> [FoundRecord] {
        guard addresses.count > 0 else { return [] }
        let first = addresses[0].binding
        let root = fetch.layout.model.layout(of: first.layout.entity.rootEntity).map(store.binding(for:)) ?? first
        let found = try source.storedRows(root, keys: Array(addresses.keys))
        let rows = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return addresses.compactMap { address in
            rows[address.key].map { FoundRecord(RowAddress(binding: $0.slab.binding, key: address.key), row: $0) }
        }
    }

    func addresses(limit: Int, offset: Int) throws -> AddressList {
        let query = query(limit: limit, offset: offset, includesValues: false)
        guard case .addresses(let found)? = try source.reading({ try $0.reader.fetch(query) }) else {
            return AddressList()
        }
        return found
    }

    func scan(_ column: SectionColumn) throws -> SectionScan? {
        let query = query(
            limit: fetch.request.fetchLimit, offset: fetch.request.fetchOffset, includesValues: false)
        return try source.reading { try $0.reader.sectionScanning?.scan(query, by: column) } ?? nil
    }

    func source(limit: Int, offset: Int, for running: RunningSources) throws -> any RecordSource {
        // Later reads cannot use the state of a running fetch, and replicas do not keep a state for long.
        let lasting = (source as? HeldState)?.store ?? (source as? ReplicaRows)?.store ?? source
        return try SnapshotReading(store: store, source: lasting, owner: fetch.context.name, running: running).records(
            query(limit: limit, offset: offset, includesValues: true))
    }

    private func query(limit: Int, offset: Int) -> FetchQuery {
        query(limit: limit, offset: offset, includesValues: fetch.readsValues)
    }

    private func query(limit: Int, offset: Int, includesValues: Bool) -> FetchQuery {
        let request = fetch.request
        return FetchQuery(
            binding: store.binding(for: fetch.layout), includesSubentities: request.includesSubentities,
            predicate: fetch.predicate, sortDescriptors: request.sortDescriptors ?? [], limit: limit, offset: offset,
            includesValues: includesValues)
    }

    /// The predicate of the request, combined with the condition that the record is one of some objects.
    private func condition(among objects: [NSManagedObject]) -> NSPredicate {
        let membership = NSComparisonPredicate(
            leftExpression: NSExpression.expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: objects.map(\.objectID)), modifier: .direct, type: .in)
        guard let predicate = fetch.predicate else { return membership }
        return NSCompoundPredicate(andPredicateWithSubpredicates: [membership, predicate])
    }
}
