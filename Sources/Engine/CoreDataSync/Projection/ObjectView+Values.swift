extension ObjectView {
    /// The value of an attribute of objects that are one.
    func value(of members: [ObjectIdentity], _ attribute: SyncAttribute, _ entity: SyncEntity) throws -> SyncValue {
        if members.count == 1, attribute.rule != .counter, attribute.rule != .set {
            let found = try state.record(members[0])?.writes[attribute.id] ?? []
            if found.count < 2 { return found.first?.write.value ?? attribute.defaultValue }
        }
        var writes: [Write] = []
        for member in try contributors(members, attribute, entity) {
            writes += try state.record(member)?.writes[attribute.id].map(\.write) ?? []
        }
        writes.sort(by: Write.isEarlier)
        if attribute.rule == .counter { return try counter(of: members, attribute, writes) }
        guard let last = writes.last else { return attribute.defaultValue }
        if attribute.rule == .set { return Self.elements(writes) }
        return writes.count == 1 ? last.value : winner(of: writes, attribute.rule)
    }

    /// The value that a rule chooses of several, the earliest first.
    func winner(of writes: [Write], _ rule: MergeRule) -> SyncValue {
        let values = writes.map(\.value)
        switch rule {
        case .lastWriter, .counter, .set: return values.last ?? .null
        case .firstWriter: return values.first ?? .null
        case .greatest: return values.dropFirst().reduce(values.first ?? .null) { $0.isLess(than: $1) ? $1 : $0 }
        case .least: return values.dropFirst().reduce(values.first ?? .null) { $1.isLess(than: $0) ? $1 : $0 }
        case .custom(let name): return functions[name]?(values) ?? values.last ?? .null
        }
    }

    private func counter(
        of members: [ObjectIdentity], _ attribute: SyncAttribute, _ writes: [Write]
    ) throws -> SyncValue {
        var open: [PeerID: SyncValue] = [:]
        for member in members {
            for (peer, sum) in try state.record(member)?.sums[attribute.id] ?? [:] {
                open[peer] = (open[peer] ?? .null).adding(sum.value)
            }
        }
        for (peer, counted) in writes.last?.counted ?? [:] {
            open[peer] = open[peer]?.difference(from: counted) ?? open[peer]
        }
        // What a setting had seen counts no more, so that a counter that was set to null is null.
        let added = open.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
        return added.reduce(writes.last?.value ?? attribute.defaultValue) { $0.adding($1.value) }
    }

    private static func elements(_ writes: [Write]) -> SyncValue {
        let elements = Set(writes.map(\.value)).map { ($0, $0.encoded) }
        return .array(elements.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0))
    }

    /// The members whose values count: all, but for attributes of unique constraints the one that was written last, so that the values
    /// of a constraint are always those that one object has.
    func contributors(
        _ members: [ObjectIdentity], _ attribute: SyncAttribute, _ entity: SyncEntity
    ) throws -> [ObjectIdentity] {
        guard members.count > 1, let unit = entity.keyUnits.first(where: { $0.contains(attribute.id) }) else {
            return members
        }
        var best: (member: ObjectIdentity, write: Write)?
        for member in members {
            guard let record = try state.record(member) else { continue }
            for write in unit.flatMap({ record.writes[$0].map(\.write) }) {
                guard let known = best else {
                    best = (member, write)
                    continue
                }
                let isLater =
                    (known.write.time, known.write.transaction) != (write.time, write.transaction)
                    ? (known.write.time, known.write.transaction) < (write.time, write.transaction)
                    : known.member < member
                if isLater { best = (member, write) }
            }
        }
        return best.map { [$0.member] } ?? members
    }

    /// The entries that an object has in the index of unique values; none for a constraint with a value of null.
    func keys(of object: ObjectIdentity) throws -> [[UInt8]] {
        guard let entity = try entity(object) else { return [] }
        var keys: [[UInt8]] = []
        for constraint in entity.constraints {
            var key: [UInt8] = []
            StateKey.append(UInt64(constraint.id.rawValue), count: 4, to: &key)
            var isComplete = true
            for attribute in constraint.attributes {
                guard let attribute = entity.attribute(attribute) else { continue }
                let value = try value(of: [object], attribute, entity)
                isComplete = isComplete && !value.isNull
                key += value.comparable.encoded
            }
            if isComplete { keys.append(key) }
        }
        return keys
    }
}

extension SyncValue {
    /// The value with one form for numbers that a database takes for equal.
    fileprivate var comparable: SyncValue {
        switch self {
        case .double(let value) where value == 0: .double(0)
        case .float(let value) where value == 0: .float(0)
        case .date(let value) where value == 0: .date(0)
        default: self
        }
    }
}
