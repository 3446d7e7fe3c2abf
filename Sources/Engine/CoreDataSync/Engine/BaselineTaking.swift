/// Takes a baseline of which all parts are here into a store that has no objects and wrote nothing: records first, then what follows
/// from them, then rows, so many at a time that the memory does not grow with the store.
///
/// All of it is one transaction of the store: readers see the store without the baseline, and then with all of it.
struct BaselineTaking {
    private static let pageCount = 500
    private let configuration: SyncConfiguration
    private let storage: any SyncStorage
    private let now: UInt64
    private(set) var meta: SyncMeta
    /// The objects so far that name chunks of large values: if a baseline has one of them twice, its chunks are counted once.
    private var chunkedObjects: Set<ObjectIdentity> = []
    /// Whether there are objects that others may hide, or that may be one with others.
    private var hasDependentObjects = false
    /// Whether there are objects whose rows have to wait for those of others.
    private var hasLinkedObjects = false

    /// What is committed, in order.
    typealias Commit = (SyncPlan) throws -> Void

    init(_ configuration: SyncConfiguration, _ storage: any SyncStorage, _ meta: SyncMeta, at now: UInt64) {
        self.configuration = configuration
        self.storage = storage
        self.now = now
        self.meta = meta
    }

    /// Whether a store has nothing with which a baseline would have to be merged.
    static func isPossible(_ state: SyncState) throws -> Bool {
        guard let rebase = state.meta.rebase, rebase.former == nil, state.meta.applied.isEmpty else { return false }
        return try [StateKey.object, StateKey.log].allSatisfy {
            try state.storage.entries(withPrefix: [$0], after: nil, atMost: 1).isEmpty
        }
    }

    mutating func take(from sender: PeerID, _ commit: Commit) throws {
        let count = try SyncState(storage, configuration.schema, meta).staged(from: sender)?.numbers.count ?? 0
        for number in 0..<count { try takeRecords(number, sender, commit) }
        if hasDependentObjects {
            let nothing = SyncState(MemoryStorage(), configuration.schema, meta)
            try forEachPage(commit) { taking, state, objects, _ in
                let open = try objects.filter { try state.record($0)?.derived.survivor == nil }
                var projector = Projector(
                    state: state, old: nothing, functions: taking.configuration.functions,
                    isInPart: taking.configuration.isInPart)
                _ = try projector.update(TouchedObjects(placed: Set(open)))
            }
            try forEachPage(commit) { try $0.announce($2, $1, &$3) }
        }
        if hasLinkedObjects { try forEachPage(commit) { try $0.insert($2, $1, &$3) } }
        if configuration.schema.entities.values.contains(where: \.hasLists) {
            try forEachPage(commit) { try $0.order($2, $1, &$3) }
        }
        let state = SyncState(storage, configuration.schema, meta)
        try state.dropParts()
        try finish(SyncPlan(), state, commit)
    }

    private mutating func takeRecords(_ number: Int, _ sender: PeerID, _ commit: Commit) throws {
        let part = try SyncState(storage, configuration.schema, meta).stagedPart(number, from: sender)
        for start in stride(from: 0, to: part.objects.count, by: Self.pageCount) {
            let state = SyncState(storage, configuration.schema, meta)
            var plan = SyncPlan()
            for object in part.objects[start..<min(start + Self.pageCount, part.objects.count)] {
                try take(object, state, &plan)
            }
            try finish(plan, state, commit)
        }
        let state = SyncState(storage, configuration.schema, meta)
        for link in part.links { state.set(link.tags, for: link.key) }
        state.dropPart(number, from: sender)
        try finish(SyncPlan(), state, commit)
    }

    /// Takes a record. Of most objects nothing else decides whether they are shown, so that what follows is known at once, and the row too
    /// if the entity has no relationships.
    private mutating func take(_ object: BaselineObject, _ state: SyncState, _ plan: inout SyncPlan) throws {
        var record = object.record
        if chunkedObjects.contains(object.id) { _ = try state.record(object.id) }
        if !record.chunks.isEmpty { chunkedObjects.insert(object.id) }
        defer { state.set(record, for: object.id) }
        if !record.deletions.isEmpty { state.set([], for: [StateKey.grave] + state.key(object.id)) }
        guard let entity = configuration.schema.entities[record.entity], entity.isIndependent,
            configuration.isInPart == nil,
            record.deletions.isEmpty, record.united.isEmpty
        else {
            (hasDependentObjects, hasLinkedObjects) = (true, true)
            return
        }
        record.derived.survivor = object.id
        record.derived.members = [object.id]
        record.derived.isVisible = true
        record.derived.isStored = true
        plan.announced.append(SyncPlan.AnnouncedRow(object: object.id, entity: entity.name))
        guard entity.hasNoLinks else {
            hasLinkedObjects = true
            return
        }
        state.set(record, for: object.id)
        plan.isAnnounced = true
        let view = ObjectView(state: state, functions: configuration.functions)
        if let row = try view.row(object.id, where: view.isStored) { plan.rows.append(.insert(row)) }
    }

    private mutating func forEachPage(
        _ commit: Commit, _ body: (BaselineTaking, SyncState, [ObjectIdentity], inout SyncPlan) throws -> Void
    ) throws {
        var last: [UInt8]?
        while true {
            let state = SyncState(storage, configuration.schema, meta)
            let page = try state.readObjects(after: last, atMost: Self.pageCount)
            guard let end = page.last else { return }
            var plan = SyncPlan()
            try body(self, state, page.map(\.object), &plan)
            try finish(plan, state, commit)
            last = end.key
        }
    }

    private mutating func finish(_ plan: SyncPlan, _ state: SyncState, _ commit: Commit) throws {
        var plan = plan
        plan.rows = try plan.rows.compactMap { try state.withoutAbsent($0) { _ in .null } }
        if state.isChanged { plan.state = try state.changes(at: now) }
        meta = state.meta
        if !plan.isEmpty { try commit(plan) }
    }

    // MARK: Rows

    /// Decides what the store keeps, and announces the rows: others may refer to them before they are inserted.
    private func announce(_ objects: [ObjectIdentity], _ state: SyncState, _ plan: inout SyncPlan) throws {
        let view = ObjectView(state: state, functions: configuration.functions)
        for object in objects where try view.isVisible(object) && !view.isStored(object) {
            guard let row = try view.row(object, where: view.isVisible), configuration.isInPart?(row) ?? true,
                var record = try state.record(object)
            else { continue }
            record.derived.isStored = true
            state.set(record, for: object)
            plan.announced.append(SyncPlan.AnnouncedRow(object: object, entity: row.entity))
        }
    }

    private func insert(_ objects: [ObjectIdentity], _ state: SyncState, _ plan: inout SyncPlan) throws {
        plan.isAnnounced = true
        let view = ObjectView(state: state, functions: configuration.functions)
        for object in objects where try view.isStored(object) {
            // Objects of entities without relationships have theirs already, unless they depend on others.
            guard try !isInserted(object, state) else { continue }
            guard var row = try view.row(object, where: view.isStored) else { continue }
            for name in orderedNames(row) { row.links[name] = nil }
            plan.rows.append(.insert(row))
        }
    }

    private func isInserted(_ object: ObjectIdentity, _ state: SyncState) throws -> Bool {
        guard let record = try state.record(object), let entity = configuration.schema.entities[record.entity] else {
            return false
        }
        return entity.hasNoLinks && entity.isIndependent && configuration.isInPart == nil && record.united.isEmpty
            && record.deletions.isEmpty
    }

    /// The contents of lists, which need the rows of their members.
    private func order(_ objects: [ObjectIdentity], _ state: SyncState, _ plan: inout SyncPlan) throws {
        let view = ObjectView(state: state, functions: configuration.functions)
        for object in objects where try view.isStored(object) {
            guard let entity = try view.entity(object), entity.hasLists,
                let row = try view.row(object, where: view.isStored)
            else { continue }
            let names = orderedNames(row)
            let lists = row.links.filter { names.contains($0.key) && !$0.value.isEmpty }
            if !lists.isEmpty { plan.rows.append(.update(SyncRow(object, entity: row.entity, links: lists))) }
        }
    }

    private func orderedNames(_ row: SyncRow) -> [String] {
        configuration.schema.entity(named: row.entity)?.namesOfLists ?? []
    }
}

extension SyncEntity {
    /// The names of the ordered relationships.
    fileprivate var namesOfLists: [String] {
        outgoing.filter(\.source.isOrdered).map(\.source.name)
            + incoming.compactMap { $0.target }.filter(\.isOrdered).map(\.name)
    }

    /// Whether an object of the entity that was neither deleted nor united is shown as itself, whatever others are.
    fileprivate var isIndependent: Bool {
        constraints.isEmpty && outgoing.allSatisfy { !$0.sourceNeedsTarget }
            && incoming.allSatisfy { !$0.targetNeedsSource }
    }

    fileprivate var hasNoLinks: Bool { outgoing.isEmpty && incoming.isEmpty }

    fileprivate var hasLists: Bool { !namesOfLists.isEmpty }
}
