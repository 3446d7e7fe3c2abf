import CoreDataSync

/// A second model of sync, slow and simple: it takes all transactions that were ever applied, forgets nothing, and computes the rows from
/// the beginning by comparing every change with every other.
package struct NaiveModel {
    struct Change {
        let origin: TransactionID
        let time: HybridTime
        let seen: VersionVector
        let place: Int
        let operation: SyncOperation
        /// Whether the change is a link to an object that was deleted in sight of a peer that wrote old edits once more.
        var isToDeleted = false
    }

    let schema: SyncSchema
    let functions: MergeFunctions
    private(set) var created: [ObjectIdentity: (entity: SyncEntity, time: HybridTime)] = [:]
    private(set) var deletions: [ObjectIdentity: [Change]] = [:]
    private(set) var unions: [(ObjectIdentity, ObjectIdentity)] = []
    /// The writes of an attribute that no other replaced, the earliest first.
    private(set) var writes: [ObjectIdentity: [SchemaID: [Change]]] = [:]
    private(set) var sums: [ObjectIdentity: [SchemaID: [SyncValue]]] = [:]
    private(set) var links: [(link: SyncLink, change: Change)] = []
    /// The transactions that took something away from an object or added to a counter of it.
    private(set) var otherEdits: [ObjectIdentity: [TransactionID]] = [:]

    package init(_ transactions: [TransactionID: SyncTransaction], applied: VersionVector, _ schema: SyncSchema) {
        self.schema = schema
        functions = SimulatedModel.functions
        let changes = Self.changes(transactions, applied)
        for change in changes { collect(change) }
        removeReplaced(changes)
    }

    /// The changes of applied transactions with what each had seen, but for those that a carried transaction leaves out.
    private static func changes(_ transactions: [TransactionID: SyncTransaction], _ applied: VersionVector) -> [Change]
    {
        let sorted = transactions.values.filter { applied.covers($0.id) }.sorted { $0.id < $1.id }
        let allBases = Self.bases(sorted)
        let carriers = Self.carriers(sorted, allBases)
        var changes: [Change] = []
        var bases: [Int: VersionVector] = [:]
        for transaction in sorted {
            let basis = allBases[transaction.id] ?? VersionVector()
            if let carrier = carriers[transaction.origin], carrier != transaction.id { continue }
            for operation in transaction.operations {
                if transaction.carried != nil { bases[changes.count] = basis }
                changes.append(
                    Change(
                        origin: transaction.origin, time: transaction.time, seen: transaction.carried?.seen ?? basis,
                        place: changes.count, operation: operation))
            }
        }
        return changes.compactMap { change in
            guard let basis = bases[change.place] else { return change }
            let deleted = changes.filter { basis.covers($0.origin) }.compactMap { other -> ObjectIdentity? in
                if case .delete(let object) = other.operation { object } else { nil }
            }
            guard !change.operation.changedObjects.contains(where: deleted.contains) else { return nil }
            var kept = change
            if case .link(let link) = change.operation { kept.isToDeleted = deleted.contains(link.target) }
            return kept
        }
    }

    /// What each transaction builds on.
    private static func bases(_ sorted: [SyncTransaction]) -> [TransactionID: VersionVector] {
        var known: [PeerID: VersionVector] = [:]
        var bases: [TransactionID: VersionVector] = [:]
        for transaction in sorted {
            var basis = known[transaction.id.author] ?? VersionVector()
            for dependency in transaction.dependencies { basis.include(dependency) }
            if transaction.id.sequence > 1 {
                basis.include(TransactionID(transaction.id.author, transaction.id.sequence - 1))
            }
            known[transaction.id.author] = basis
            bases[transaction.id] = basis
        }
        return bases
    }

    /// For each transaction that was written once more the one that counts: its author knew that the author of the others was retired.
    private static func carriers(
        _ sorted: [SyncTransaction], _ bases: [TransactionID: VersionVector]
    ) -> [TransactionID: TransactionID] {
        var retirements: [PeerID: [TransactionID]] = [:]
        for transaction in sorted {
            for case .retire(let peer) in transaction.operations {
                retirements[peer, default: []].append(transaction.id)
            }
        }
        var carriers: [TransactionID: TransactionID] = [:]
        for transaction in sorted where transaction.carried != nil {
            guard let other = carriers[transaction.origin] else {
                carriers[transaction.origin] = transaction.id
                continue
            }
            let isLater = retirements[other.author]?.contains { bases[transaction.id]?.covers($0) ?? false } ?? false
            if isLater { carriers[transaction.origin] = transaction.id }
        }
        return carriers
    }

    private mutating func collect(_ change: Change) {
        switch change.operation {
        case .create(let ordinal, let entity):
            if let entity = schema.entities[entity] {
                created[ObjectIdentity(change.origin, ordinal)] = (entity, change.time)
            }
        case .delete(let object): deletions[object, default: []].append(change)
        case .unite(let one, let other): unions.append((one, other))
        case .set(let object, let attribute, _), .include(let object, let attribute, _),
            .count(let object, let attribute, _, _):
            writes[object, default: [:]][attribute, default: []].append(change)
        case .add(let object, let attribute, let value):
            sums[object, default: [:]][attribute, default: []].append(value)
            otherEdits[object, default: []].append(change.origin)
        case .clear(let object, _), .exclude(let object, _, _):
            otherEdits[object, default: []].append(change.origin)
        case .unlink(_, let source, let target):
            for object in [source, target] { otherEdits[object, default: []].append(change.origin) }
        case .link(let link): links.append((link, change))
        default: break
        }
    }

    // MARK: Replacing

    private mutating func removeReplaced(_ changes: [Change]) {
        for (object, attributes) in writes {
            for (attribute, list) in attributes {
                let kept = list.filter { write in !changes.contains { $0.replaces(write) && $0.isAfter(write) } }
                writes[object]?[attribute] = kept.sorted { Self.isEarlier($0, $1) }
            }
        }
        links = links.filter { item in
            !changes.contains { $0.replaces(item.link, item.change) && $0.isAfter(item.change) }
        }
    }

    static func isEarlier(_ left: Change, _ right: Change) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.origin != right.origin { return left.origin < right.origin }
        return left.value.encoded.lexicographicallyPrecedes(right.value.encoded)
    }
}

extension NaiveModel.Change {
    var value: SyncValue {
        switch operation {
        case .set(_, _, let value), .include(_, _, let value), .count(_, _, let value, _): value
        default: .null
        }
    }

    /// Whether this change had seen another, or follows it in the same transaction.
    fileprivate func isAfter(_ other: NaiveModel.Change) -> Bool {
        origin == other.origin ? place > other.place : seen.covers(other.origin)
    }

    fileprivate func replaces(_ write: NaiveModel.Change) -> Bool {
        switch (operation, write.operation) {
        case (.set(let one, let attribute, _), .set(let other, let otherAttribute, _)),
            (.clear(let one, let attribute), .set(let other, let otherAttribute, _)),
            (.set(let one, let attribute, _), .include(let other, let otherAttribute, _)),
            (.clear(let one, let attribute), .include(let other, let otherAttribute, _)):
            one == other && attribute == otherAttribute
        case (.count(let one, let attribute, _, _), .set(let other, let otherAttribute, _)),
            (.set(let one, let attribute, _), .count(let other, let otherAttribute, _, _)),
            (.clear(let one, let attribute), .count(let other, let otherAttribute, _, _)),
            (.count(let one, let attribute, _, _), .count(let other, let otherAttribute, _, _)):
            one == other && attribute == otherAttribute
        case (.include(let one, let attribute, let value), .include(let other, let otherAttribute, let otherValue)),
            (.exclude(let one, let attribute, let value), .include(let other, let otherAttribute, let otherValue)):
            one == other && attribute == otherAttribute && value == otherValue
        default: false
        }
    }

    fileprivate func replaces(_ link: SyncLink, _ change: NaiveModel.Change) -> Bool {
        switch operation {
        case .unlink(let relationship, let source, let target):
            return relationship == link.relationship && source == link.source && target == link.target
        case .link(let other):
            guard other.relationship == link.relationship else { return false }
            if other.source == link.source, other.target == link.target { return true }
            return other.replacesTargets && other.source == link.source
                || other.replacesSources && other.target == link.target
        default: return false
        }
    }
}

extension SyncOperation {
    /// The objects whose deletion makes a carried operation void.
    fileprivate var changedObjects: [ObjectIdentity] {
        switch self {
        case .set(let object, _, _), .clear(let object, _), .add(let object, _, _), .include(let object, _, _),
            .exclude(let object, _, _), .count(let object, _, _, _), .delete(let object), .unlink(_, let object, _):
            [object]
        case .unite(let one, let other): [one, other]
        case .link(let link): [link.source]
        default: []
        }
    }
}
