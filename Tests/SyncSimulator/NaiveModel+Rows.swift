import CoreDataSync

extension NaiveModel {
    /// The rows of a store that keeps everything.
    package func rows() -> [ObjectIdentity: SyncRow] {
        var computation = NaiveRows(self)
        return computation.rows()
    }
}

/// The steps from objects to rows, each over all objects.
private struct NaiveRows {
    let model: NaiveModel
    private var united: [ObjectIdentity: Set<ObjectIdentity>] = [:]
    private var existing: Set<ObjectIdentity> = []
    private var viable: Set<ObjectIdentity> = []
    private var groupOf: [ObjectIdentity: ObjectIdentity] = [:]
    private var members: [ObjectIdentity: [ObjectIdentity]] = [:]
    private var visible: Set<ObjectIdentity> = []

    private typealias Tagged = (object: ObjectIdentity, change: NaiveModel.Change, link: SyncLink)

    init(_ model: NaiveModel) { self.model = model }

    private var objects: [ObjectIdentity] { model.created.keys.sorted() }

    private func entity(_ object: ObjectIdentity) -> SyncEntity? { model.created[object]?.entity }

    mutating func rows() -> [ObjectIdentity: SyncRow] {
        united = classes(objects, model.unions)
        findExisting()
        findViable()
        findGroups()
        findVisible()
        var rows: [ObjectIdentity: SyncRow] = [:]
        for survivor in visible { rows[survivor] = row(survivor) }
        return rows
    }

    private func classes(_ objects: [ObjectIdentity], _ pairs: [(ObjectIdentity, ObjectIdentity)]) -> [ObjectIdentity:
        Set<ObjectIdentity>]
    {
        var classes = Dictionary(uniqueKeysWithValues: objects.map { ($0, Set([$0])) })
        for (one, other) in pairs {
            guard let first = classes[one], let second = classes[other] else { continue }
            let union = first.union(second)
            for object in union { classes[object] = union }
        }
        return classes
    }

    // MARK: Existence

    private mutating func findExisting() {
        existing = Set(objects.filter { !isDeleted(united[$0] ?? []) })
        var isDone = false
        while !isDone {
            isDone = true
            for (link, change) in model.links {
                guard let pair = model.schema.relationships[link.relationship] else { continue }
                if pair.target?.deleteRule == .deny, !change.isToDeleted, existing.contains(link.source),
                    !existing.contains(link.target)
                {
                    isDone = !revive(link.target) && isDone
                }
                if pair.source.deleteRule == .deny, existing.contains(link.target), !existing.contains(link.source) {
                    isDone = !revive(link.source) && isDone
                }
            }
        }
    }

    private mutating func revive(_ object: ObjectIdentity) -> Bool {
        guard let all = united[object] else { return false }
        existing.formUnion(all)
        return true
    }

    private func isDeleted(_ members: Set<ObjectIdentity>) -> Bool {
        let deletions = members.flatMap { model.deletions[$0] ?? [] }
        guard !deletions.isEmpty else { return false }
        for member in members where entity(member)?.deletion == .editRevives {
            var edits: [TransactionID] = []
            for writes in (model.writes[member] ?? [:]).values { edits += writes.map(\.origin) }
            edits += model.otherEdits[member] ?? []
            for item in model.links where item.link.source == member || item.link.target == member {
                edits.append(item.change.origin)
            }
            if edits.contains(where: { edit in !deletions.contains { $0.seen.covers(edit) || $0.origin == edit } }) {
                return false
            }
        }
        return true
    }

    // MARK: Viability

    private func active(_ sources: [ObjectIdentity], _ pair: SyncRelationship) -> Tagged? {
        let all = model.links.filter { $0.link.relationship == pair.id && sources.contains($0.link.source) }
            .map { (object: $0.link.target, change: $0.change, link: $0.link) }
        let alive = all.filter { existing.contains($0.object) }
        return (alive.isEmpty ? all : alive).max { Self.isEarlier($0, $1) }
    }

    private static func isEarlier(_ left: Tagged, _ right: Tagged) -> Bool {
        if left.change.time != right.change.time { return left.change.time < right.change.time }
        if left.change.origin != right.change.origin { return left.change.origin < right.change.origin }
        return left.object < right.object
    }

    private mutating func findViable() {
        viable = existing
        var count = -1
        while count != viable.count {
            count = viable.count
            viable = viable.filter { needed($0).allSatisfy { viable.contains($0) } }
        }
    }

    private func needed(_ object: ObjectIdentity) -> [ObjectIdentity] {
        var found: [ObjectIdentity] = []
        for pair in entity(object)?.outgoing ?? [] where pair.source.isMandatory || pair.target?.deleteRule == .cascade
        {
            if let target = active([object], pair) { found.append(target.object) }
        }
        return found
    }

    // MARK: Groups

    private mutating func findGroups() {
        var pairs = model.unions
        var owners: [String: ObjectIdentity] = [:]
        for object in objects where viable.contains(object) {
            for constraint in entity(object)?.constraints ?? [] {
                let values = constraint.attributes.map { model.writes[object]?[$0]?.last?.value ?? .null }
                guard !values.contains(where: \.isNull) else { continue }
                let key = "\(constraint.id)\(values.map(\.encoded))"
                if let owner = owners[key] { pairs.append((owner, object)) } else { owners[key] = object }
            }
        }
        for (_, all) in classes(objects, pairs) where !all.isDisjoint(with: viable) {
            let survivor = all.min { left, right in
                let (one, other) = (model.created[left]?.time ?? .zero, model.created[right]?.time ?? .zero)
                return one != other ? one < other : left < right
            }
            guard let survivor else { continue }
            members[survivor] = all.sorted()
            for member in all { groupOf[member] = survivor }
        }
    }

    private func targets(_ survivor: ObjectIdentity, _ pair: SyncRelationship) -> [ObjectIdentity: Tagged] {
        let sources = members[survivor] ?? []
        var found: [ObjectIdentity: Tagged] = [:]
        if !pair.source.isToMany {
            if let link = active(sources, pair), let target = groupOf[link.object] { found[target] = link }
            return found
        }
        for (link, change) in model.links where link.relationship == pair.id && sources.contains(link.source) {
            guard let target = groupOf[link.target] else { continue }
            let tagged: Tagged = (link.target, change, link)
            if found[target].map({ Self.isEarlier($0, tagged) }) ?? true { found[target] = tagged }
        }
        return found
    }

    private func kept(_ survivor: ObjectIdentity, _ pair: SyncRelationship) -> [ObjectIdentity: Tagged] {
        guard pair.isOwnInverse else { return keptAtBothEnds(survivor, pair) }
        return first(survivor, pair).filter { first($0.key, pair)[survivor] != nil }
    }

    private func first(_ survivor: ObjectIdentity, _ pair: SyncRelationship) -> [ObjectIdentity: Tagged] {
        let found = targets(survivor, pair)
        guard pair.source.isToMany, pair.source.maximumCount > 0 else { return found }
        let first = found.sorted { Self.precedes($0, $1) }.prefix(pair.source.maximumCount)
        return Dictionary(uniqueKeysWithValues: first.map { ($0.key, $0.value) })
    }

    private func keptAtBothEnds(_ survivor: ObjectIdentity, _ pair: SyncRelationship) -> [ObjectIdentity: Tagged] {
        let found = first(survivor, pair)
        guard let end = pair.target, !end.isToMany else { return found }
        return found.filter { target, _ in
            var rivals: [(key: ObjectIdentity, value: Tagged)] = []
            for source in members.keys {
                if let link = targets(source, pair)[target] { rivals.append((source, link)) }
            }
            return rivals.max { Self.precedes($0, $1) }?.key == survivor
        }
    }

    private static func precedes(
        _ left: (key: ObjectIdentity, value: Tagged), _ right: (key: ObjectIdentity, value: Tagged)
    ) -> Bool {
        let (one, other) = (left.value.change, right.value.change)
        if one.time != other.time { return one.time < other.time }
        return one.origin != other.origin ? one.origin < other.origin : left.key < right.key
    }

    private mutating func findVisible() {
        visible = Set(members.keys)
        var count = -1
        while count != visible.count {
            count = visible.count
            visible = visible.filter { isComplete($0) }
        }
    }

    private func isComplete(_ survivor: ObjectIdentity) -> Bool {
        for pair in entity(survivor)?.outgoing ?? [] where pair.source.isMandatory {
            guard active(members[survivor] ?? [], pair) != nil else { continue }
            if !kept(survivor, pair).keys.contains(where: { visible.contains($0) }) { return false }
        }
        return true
    }

    // MARK: Rows

    private func row(_ survivor: ObjectIdentity) -> SyncRow? {
        guard let entity = entity(survivor) else { return nil }
        var row = SyncRow(survivor, entity: entity.name)
        for attribute in entity.attributes { row.values[attribute.name] = value(survivor, attribute, entity) }
        for pair in entity.outgoing {
            row.links[pair.source.name] = kept(survivor, pair).keys.filter { visible.contains($0) }.sorted()
        }
        for pair in entity.incoming {
            guard !pair.isOwnInverse, let end = pair.target, end.isOrdered || !end.isToMany else { continue }
            var sources: [(ObjectIdentity, Tagged)] = []
            for source in visible { if let link = kept(source, pair)[survivor] { sources.append((source, link)) } }
            row.links[end.name] = end.isOrdered ? ordered(sources) : sources.map(\.0).sorted()
        }
        return row
    }

    private func ordered(_ sources: [(ObjectIdentity, Tagged)]) -> [ObjectIdentity] {
        sources.sorted { left, right in
            if let one = left.1.link.targetPosition, let other = right.1.link.targetPosition, one != other {
                return one < other
            }
            return Self.precedes((left.0, left.1), (right.0, right.1))
        }.map(\.0)
    }

    /// A counter's last setting and what was added since.
    private func counter(_ last: NaiveModel.Change?, _ added: [SyncValue]) -> SyncValue {
        var sum = added.reduce(SyncValue.int(0)) { $0.adding($1) }
        if case .count(_, _, _, let counted) = last?.operation {
            for value in counted.values { sum = sum.difference(from: value) ?? sum }
        }
        let value = last?.value ?? .null
        return sum == .int(0) ? value : value.adding(sum)
    }

    private func value(_ survivor: ObjectIdentity, _ attribute: SyncAttribute, _ entity: SyncEntity) -> SyncValue {
        var all = members[survivor] ?? []
        if let constraint = entity.constraints.first(where: { $0.attributes.contains(attribute.id) }) {
            var candidates: [(ObjectIdentity, NaiveModel.Change)] = []
            for member in all {
                for id in constraint.attributes {
                    for write in model.writes[member]?[id] ?? [] { candidates.append((member, write)) }
                }
            }
            let last = candidates.max { left, right in
                if left.1.time != right.1.time { return left.1.time < right.1.time }
                return left.1.origin != right.1.origin ? left.1.origin < right.1.origin : left.0 < right.0
            }
            if let last { all = [last.0] }
        }
        let writes = all.flatMap { model.writes[$0]?[attribute.id] ?? [] }.sorted { NaiveModel.isEarlier($0, $1) }
        let values = writes.map(\.value)
        switch attribute.rule {
        case .counter:
            let added = all.flatMap { model.sums[$0]?[attribute.id] ?? [] }
            return counter(writes.last, added)
        case .set:
            guard !values.isEmpty else { return .null }
            return .array(Set(values).sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) })
        case .firstWriter: return values.first ?? .null
        case .greatest: return values.max { $0.isLess(than: $1) } ?? .null
        case .least: return values.min { $0.isLess(than: $1) } ?? .null
        case .custom(let name):
            return values.count > 1 ? model.functions[name]?(values) ?? .null : values.first ?? .null
        case .lastWriter: return values.last ?? .null
        }
    }
}
