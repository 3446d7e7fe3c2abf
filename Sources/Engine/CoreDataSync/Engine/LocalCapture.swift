/// Makes operations of what a save did, by comparison with how its objects were shown before.
struct LocalCapture {
    let view: ObjectView
    let id: TransactionID
    private(set) var operations: [SyncOperation] = []
    /// The identities of inserted objects.
    private(set) var assigned: [Int: ObjectIdentity] = [:]
    /// The rows as the save left them.
    private(set) var expected: [ObjectIdentity: SavedRow] = [:]
    /// The objects that were changed here after they had been deleted elsewhere.
    private(set) var lost: [ObjectIdentity] = []
    /// The values that are too large to be sent; the objects are captured without them.
    private(set) var tooLarge: [UnsentValue] = []
    private var links = LinkCapture()
    private let greatestValueSize: Int

    var state: SyncState { view.state }

    init(_ view: ObjectView, _ id: TransactionID, greatestValueSize: Int) {
        self.view = view
        self.id = id
        self.greatestValueSize = greatestValueSize
    }

    mutating func capture(_ changes: [LocalChange]) throws {
        var entities: [Int: SyncEntity] = [:]
        for change in changes {
            guard case .insert(let name) = change.kind, case .new(let number) = change.object,
                let entity = view.schema.entity(named: name)
            else { continue }
            assigned[number] = ObjectIdentity(id, UInt32(assigned.count))
            entities[number] = entity
        }
        for change in changes {
            switch (change.kind, change.object) {
            case (.insert, .new(let number)): if let entity = entities[number] { try insert(change, number, entity) }
            case (.delete, .known(let object)): try delete(object)
            case (.update, .known(let object)): try update(object, change)
            default: continue
            }
        }
        for change in changes where change.kind != .delete { try captureLinks(change) }
        operations += try links.operations(of: id, view)
    }

    // MARK: Objects

    private mutating func insert(_ change: LocalChange, _ number: Int, _ entity: SyncEntity) throws {
        guard let object = assigned[number] else { return }
        operations.append(.create(ordinal: object.ordinal, entity: entity.id))
        var row = SyncRow(object, entity: entity.name)
        for attribute in entity.attributes {
            let value = sendable(
                change.values[attribute.name] ?? attribute.defaultValue, attribute.defaultValue, object, attribute)
            row.values[attribute.name] = value
            if attribute.rule == .set, case .array(let elements) = value {
                for element in elements { operations.append(.include(object, attribute.id, element)) }
            } else if !value.isNull || !attribute.defaultValue.isNull {
                operations.append(.set(object, attribute.id, value))
            }
        }
        expected[object] = .whole(row)
    }

    /// The survivor as which a known object is shown; nil, and the object is lost, if it is not.
    private mutating func shown(_ object: ObjectIdentity) throws -> ObjectIdentity? {
        guard let survivor = try view.survivor(object), try view.isStored(survivor) else {
            lost.append(object)
            return nil
        }
        return survivor
    }

    private mutating func delete(_ object: ObjectIdentity) throws {
        guard let survivor = try shown(object) else { return }
        for member in try view.members(survivor) { operations.append(.delete(member)) }
        expected[survivor] = .deleted
    }

    private mutating func update(_ object: ObjectIdentity, _ change: LocalChange) throws {
        guard let survivor = try shown(object), let entity = try view.entity(survivor) else { return }
        let members = try view.members(survivor)
        guard !isPlain(change, of: entity, members) || expected[survivor] != nil else {
            return try updateValues(survivor, change, entity)
        }
        guard var row = try known(survivor) else { return }
        var isChanged = false
        for attribute in entity.attributes {
            guard let present = change.values[attribute.name], let old = row.values[attribute.name], present != old
            else { continue }
            let value = sendable(present, old, survivor, attribute)
            guard value != old else { continue }
            isChanged = true
            row.values[attribute.name] = value
            try write(value, old, attribute, survivor, members)
        }
        if isChanged {
            try completeKeyUnits(row, change, entity, survivor, members)
            unite(survivor, members)
        }
        expected[survivor] = .whole(row)
    }

    /// The row of an object with what the save did to it so far; nil if it deleted it.
    private func known(_ survivor: ObjectIdentity) throws -> SyncRow? {
        switch expected[survivor] {
        case .deleted: return nil
        case .whole(let row): return row
        case .values(let values):
            var row = try view.presentRow(survivor)
            row?.values.merge(values) { $1 }
            return row
        case nil: return try view.presentRow(survivor)
        }
    }

    /// Whether a change is one of values alone, of an object that is one with no other, and of no unique constraint.
    private func isPlain(_ change: LocalChange, of entity: SyncEntity, _ members: [ObjectIdentity]) -> Bool {
        change.links.isEmpty && members.count == 1
            && !entity.attributes.contains { attribute in
                change.values[attribute.name] != nil && entity.keyUnits.contains { $0.contains(attribute.id) }
            }
    }

    private mutating func updateValues(
        _ survivor: ObjectIdentity, _ change: LocalChange, _ entity: SyncEntity
    ) throws {
        var values: [String: SyncValue] = [:]
        let shown = try state.shownForAbsent(of: survivor)
        for attribute in entity.attributes {
            guard let present = change.values[attribute.name] else { continue }
            let old = try shown[attribute.id] ?? view.value(of: [survivor], attribute, entity)
            let value = present == old ? old : sendable(present, old, survivor, attribute)
            values[attribute.name] = value
            if value != old { try write(value, old, attribute, survivor, [survivor]) }
        }
        expected[survivor] = .values(values)
    }

    private mutating func unite(_ survivor: ObjectIdentity, _ members: [ObjectIdentity]) {
        for member in members where member != survivor { operations.append(.unite(survivor, member)) }
    }

    // MARK: Values

    /// A value, or the one before it if it is too large to be sent.
    private mutating func sendable(
        _ value: SyncValue, _ old: SyncValue, _ object: ObjectIdentity, _ attribute: SyncAttribute
    ) -> SyncValue {
        let size = value.size
        guard size > greatestValueSize else { return value }
        tooLarge.append(UnsentValue(object: object, attribute: attribute.id, size: size))
        return old
    }

    private mutating func write(
        _ value: SyncValue, _ old: SyncValue, _ attribute: SyncAttribute, _ survivor: ObjectIdentity,
        _ members: [ObjectIdentity]
    ) throws {
        if attribute.rule == .counter, let difference = value.difference(from: old) {
            return operations.append(.add(survivor, attribute.id, difference))
        }
        if attribute.rule == .set { return try writeSet(value, old, attribute, survivor, members) }
        if attribute.rule == .counter {
            operations.append(.count(survivor, attribute.id, value, counted: try counted(attribute.id, members)))
        } else {
            operations.append(.set(survivor, attribute.id, value))
        }
        try clear(attribute.id, survivor, members)
    }

    /// What was added to a counter of objects that are one.
    private func counted(_ attribute: SchemaID, _ members: [ObjectIdentity]) throws -> [PeerID: SyncValue] {
        var counted: [PeerID: SyncValue] = [:]
        for member in members {
            for (peer, sum) in try state.record(member)?.sums[attribute] ?? [:] {
                counted[peer] = (counted[peer] ?? .null).adding(sum.value)
            }
        }
        return counted
    }

    private mutating func clear(
        _ attribute: SchemaID, _ survivor: ObjectIdentity, _ members: [ObjectIdentity]
    ) throws {
        for member in members where member != survivor {
            if try state.record(member)?.writes[attribute].isEmpty == false {
                operations.append(.clear(member, attribute))
            }
        }
    }

    private mutating func writeSet(
        _ value: SyncValue, _ old: SyncValue, _ attribute: SyncAttribute, _ survivor: ObjectIdentity,
        _ members: [ObjectIdentity]
    ) throws {
        let before = Set(old.elements)
        let after = Set(value.elements)
        for element in value.elements where !before.contains(element) {
            operations.append(.include(survivor, attribute.id, element))
        }
        for element in old.elements where !after.contains(element) {
            for member in members {
                let writes = try state.record(member)?.writes[attribute.id] ?? []
                if writes.contains(where: { $0.write.value == element }) {
                    operations.append(.exclude(member, attribute.id, element))
                }
            }
        }
    }

    /// Writes all values of a unique constraint at the survivor if one of them changed: they always come from one object.
    private mutating func completeKeyUnits(
        _ row: SyncRow, _ change: LocalChange, _ entity: SyncEntity, _ survivor: ObjectIdentity,
        _ members: [ObjectIdentity]
    ) throws {
        guard members.count > 1 else { return }
        for unit in entity.keyUnits {
            let attributes = entity.attributes.filter { unit.contains($0.id) }
            guard attributes.contains(where: { change.values[$0.name] != nil }) else { continue }
            for attribute in attributes where attribute.rule != .set && change.values[attribute.name] == nil {
                operations.append(.set(survivor, attribute.id, row.values[attribute.name] ?? .null))
                try clear(attribute.id, survivor, members)
            }
        }
    }

    // MARK: Links

    private mutating func resolve(_ object: LocalObject) throws -> ObjectIdentity? {
        switch object {
        case .new(let number): assigned[number]
        case .known(let object): try shown(object)
        }
    }

    private mutating func captureLinks(_ change: LocalChange) throws {
        guard !change.links.isEmpty, let owner = try resolve(change.object), case .whole(let row) = expected[owner]
        else {
            return
        }
        guard let entity = view.schema.entity(named: row.entity) else { return }
        var changed = row
        let before = links.count
        for (name, objects) in change.links.sorted(by: { $0.key < $1.key }) {
            var contents: [ObjectIdentity] = []
            for object in objects { if let object = try resolve(object) { contents.append(object) } }
            let isOrdered =
                entity.outgoing.contains { $0.source.name == name && $0.source.isOrdered }
                || entity.incoming.contains { $0.target?.name == name && $0.target?.isOrdered == true }
            if !isOrdered { contents.sort() }
            guard contents != row.links[name] ?? [] else { continue }
            changed.links[name] = contents
            if let pair = entity.outgoing.first(where: { $0.source.name == name }) {
                try links.captureTargets(contents, of: owner, pair, old: row.links[name] ?? [], view)
            } else if let pair = entity.incoming.first(where: { $0.target?.name == name }) {
                try links.captureSources(contents, of: owner, pair, old: row.links[name] ?? [], view)
            }
        }
        if links.count > before { unite(owner, try view.members(owner)) }
        expected[owner] = .whole(changed)
    }
}

extension SyncValue {
    /// The elements of a set.
    var elements: [SyncValue] {
        if case .array(let elements) = self { return elements }
        return isNull ? [] : [self]
    }
}
