/// What a store has in its state alone: transactions that are no longer in its log, and that a baseline lacks.
///
/// The records keep of each such transaction what later ones did not replace, under its identity. So it can be written once more like
/// one of the log. Deletions that were forgotten here, and unions, which have no transaction in records, are written as if this store
/// had written them before it took the baseline: they had seen what it had.
struct CompactedHistory {
    private let state: SyncState
    private let baseline: Baseline
    /// The transactions that the log has, which are written once more as they are.
    private let logged: Set<TransactionID>
    private let known: [ObjectIdentity: ObjectRecord]
    private var found: [TransactionID: Found] = [:]
    private var further: [SyncOperation] = []

    private struct Found {
        var time: HybridTime
        var operations: [SyncOperation] = []
        /// Whether the state has its time, and not only that of an object which it changed.
        var isTimed = false
        /// Of each author the first transaction that is shown beside this one, so that neither had seen the other.
        var concurrent: [PeerID: UInt64] = [:]
    }

    /// - Parameter state: The state of the store before it takes the baseline.
    init(_ state: SyncState, lackingIn baseline: Baseline, logged: [SyncTransaction]) throws {
        self.state = state
        self.baseline = baseline
        self.logged = Set(logged.flatMap { [$0.id, $0.origin] })
        known = Dictionary(baseline.objects.map { ($0.id, $0.record) }, uniquingKeysWith: { first, _ in first })
        for object in try state.allObjects() {
            if let record = try state.record(object) { try collect(object, record) }
        }
        for link in baseline.links { try collectRemoval(link) }
        for object in known.keys.sorted() where try state.isForgotten(object) { further.append(.delete(object)) }
    }

    /// The last transactions of authors that were applied here, and that neither the log nor the baseline has.
    private var lastOnes: [TransactionID] {
        state.meta.applied.sorted.filter { !baseline.applied.covers($0) && !logged.contains($0) }
    }

    /// The transactions with what they had seen, each after those that it builds on.
    ///
    /// - Parameters:
    ///   - logged: Those of the log, which are written once more as well.
    ///   - size: The greatest size of a transaction, in bytes.
    func transactions(_ logged: [LoggedTransaction], size: Int) -> [LoggedTransaction] {
        var all = logged + furtherTransactions(size)
        for (id, item) in found {
            all.append((SyncTransaction(id, time: item.time, operations: item.operations), seen(id, item)))
        }
        // The last one of each author counts those before it as applied, of which nothing is left.
        for last in lastOnes where found[last] == nil {
            all.append((SyncTransaction(last, time: HybridTime(rawValue: 0), operations: []), VersionVector()))
        }
        return inOrder(all)
    }

    /// By time, since a transaction has a later one than all that its author had seen; those of which the state has no time come right after
    /// what they change, and no transaction before an earlier one of its author, which would count as applied.
    private func inOrder(_ all: [LoggedTransaction]) -> [LoggedTransaction] {
        var latest: [PeerID: HybridTime] = [:]
        var items: [(time: HybridTime, isLate: Bool, item: LoggedTransaction)] = []
        for item in all.sorted(by: { $0.transaction.origin < $1.transaction.origin }) {
            let origin = item.transaction.origin
            let time = max(item.transaction.time, latest[origin.author] ?? item.transaction.time)
            latest[origin.author] = time
            let isTimed = found[origin].map(\.isTimed) ?? !item.transaction.operations.isEmpty
            items.append((time, !isTimed, item))
        }
        items.sort { one, other in
            if one.time != other.time { return one.time < other.time }
            if one.isLate != other.isLate { return other.isLate }
            return one.item.transaction.origin < other.item.transaction.origin
        }
        return items.map(\.item)
    }

    private func furtherTransactions(_ size: Int) -> [LoggedTransaction] {
        guard !further.isEmpty else { return [] }
        let meta = state.meta
        let last = meta.applied[meta.identity]
        return SyncFrame.portions(of: further, size: size).enumerated().map { number, operations in
            let id = TransactionID(meta.identity, last + 1 + UInt64(number))
            return (SyncTransaction(id, time: meta.clock.last, operations: operations), meta.applied)
        }
    }

    /// What a transaction had seen, as far as it decides what the transaction replaces: no more than its author by its last one here.
    private func seen(_ id: TransactionID, _ item: Found) -> VersionVector {
        var sequences = (state.meta.dependencies[id.author] ?? VersionVector()).sequences
        sequences[id.author] = id.sequence - 1
        for (author, sequence) in item.concurrent { sequences[author] = min(sequences[author] ?? 0, sequence - 1) }
        return VersionVector(sequences)
    }

    private func isLost(_ id: TransactionID) -> Bool {
        !baseline.applied.covers(id) && state.meta.applied.covers(id) && !logged.contains(id)
    }

    private mutating func add(
        _ operation: SyncOperation, to id: TransactionID, _ time: HybridTime, beside others: [TransactionID] = [],
        isTimed: Bool = true
    ) {
        var item = found[id] ?? Found(time: time)
        item.time = max(item.time, time)
        item.operations.append(operation)
        item.isTimed = item.isTimed || isTimed
        for other in others where other.author != id.author {
            item.concurrent[other.author] = min(item.concurrent[other.author] ?? .max, other.sequence)
        }
        found[id] = item
    }

    // MARK: Objects

    private mutating func collect(_ object: ObjectIdentity, _ record: ObjectRecord) throws {
        if isLost(object.creation) {
            let operation = SyncOperation.create(ordinal: object.ordinal, entity: record.entity)
            var item = found[object.creation] ?? Found(time: record.created)
            item.operations.insert(operation, at: 0)
            item.isTimed = true
            found[object.creation] = item
        }
        collectValues(object, record)
        for deletion in record.deletions where isLost(deletion.transaction) {
            add(.delete(object), to: deletion.transaction, deletion.time)
        }
        for other in record.united.sorted() where known[object]?.united.contains(other) != true {
            if object < other { further.append(.unite(object, other)) }
        }
        for pair in state.schema.relationships.values.sorted(by: { $0.id < $1.id }) {
            for (target, tags) in try state.targets(of: object, pair.id).sorted(by: { $0.key < $1.key }) {
                for tag in tags where isLost(tag.transaction) {
                    try collect(tag, LinkKey(relationship: pair.id, source: object, target: target), pair)
                }
            }
        }
    }

    private mutating func collectValues(_ object: ObjectIdentity, _ record: ObjectRecord) {
        let entity = state.schema.entities[record.entity]
        for element in record.writes.elements where isLost(element.write.transaction) {
            let (attribute, write) = (element.attribute, element.write)
            let others = record.writes[attribute].map(\.write.transaction)
            let operation: SyncOperation
            switch entity?.attribute(attribute)?.rule {
            case .set: operation = .include(object, attribute, write.value)
            case .counter: operation = .count(object, attribute, write.value, counted: write.counted)
            default: operation = .set(object, attribute, write.value)
            }
            add(operation, to: write.transaction, write.time, beside: others)
        }
        for (attribute, sums) in record.sums.sorted(by: { $0.key < $1.key }) {
            for (author, sum) in sums.sorted(by: { $0.key < $1.key }) {
                let id = TransactionID(author, sum.sequence)
                let before = known[object]?.sums[attribute]?[author]?.value ?? .null
                guard isLost(id), let value = before.isNull ? sum.value : sum.value.difference(from: before) else {
                    continue
                }
                add(.add(object, attribute, value), to: id, record.created, isTimed: false)
            }
        }
        collectRemovals(object, record, entity)
    }

    /// Values that were taken away here and that the baseline still has.
    private mutating func collectRemovals(_ object: ObjectIdentity, _ record: ObjectRecord, _ entity: SyncEntity?) {
        guard let id = record.removals.sorted.last(where: { isLost($0) }) else { return }
        for element in known[object]?.writes.elements ?? [] where state.meta.applied.covers(element.write.transaction) {
            let left = record.writes[element.attribute].map(\.write)
            let isSet = entity?.attribute(element.attribute)?.rule == .set
            guard
                !left.contains(where: { $0.transaction == element.write.transaction && $0.value == element.write.value }
                ),
                isSet || left.isEmpty
            else { continue }
            let operation: SyncOperation =
                isSet
                ? .exclude(object, element.attribute, element.write.value) : .clear(object, element.attribute)
            add(operation, to: id, record.created, isTimed: false)
        }
    }

    // MARK: Links

    private mutating func collect(_ tag: LinkTag, _ key: LinkKey, _ pair: SyncRelationship) throws {
        let replacesTargets = !pair.source.isToMany
        let replacesSources = pair.target.map { !$0.isToMany } ?? false
        var others = try state.tags(key).map(\.transaction)
        if replacesTargets {
            others += try state.targets(of: key.source, pair.id).values.flatMap { $0.map(\.transaction) }
        }
        if replacesSources {
            for source in try state.sources(of: key.target, pair.id) {
                let other = LinkKey(relationship: pair.id, source: source, target: key.target)
                others += try state.tags(other).map(\.transaction)
            }
        }
        let link = SyncLink(
            relationship: key.relationship, source: key.source, target: key.target, replacesTargets: replacesTargets,
            replacesSources: replacesSources, sourcePosition: tag.sourcePosition, targetPosition: tag.targetPosition)
        add(.link(link), to: tag.transaction, tag.time, beside: others)
    }

    /// A link that was taken away here and that the baseline still has.
    private mutating func collectRemoval(_ link: BaselineLink) throws {
        let left = Set(try state.tags(link.key).map(\.transaction))
        let removed = link.tags.filter { state.meta.applied.covers($0.transaction) && !left.contains($0.transaction) }
        guard !removed.isEmpty, let record = try state.record(link.key.source),
            let id = record.removals.sorted.last(where: { isLost($0) })
        else { return }
        let key = link.key
        add(.unlink(key.relationship, source: key.source, target: key.target), to: id, record.created, isTimed: false)
    }
}
