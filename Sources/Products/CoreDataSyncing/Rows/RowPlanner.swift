import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// Makes a save plan of the engine's changes of rows.
struct RowPlanner {
    let finder: RowFinder
    let map: IdentityMap
    private let largeValues: any LargeValueWriting
    private var plan = SavePlan()
    private var present: [IdentityMap.Row: RowSnapshot] = [:]
    private var slabs: [Int: RowSlab] = [:]
    /// All slabs with rows of the plan.
    private(set) var filled: [RowSlab] = []
    /// What the plan changes.
    private(set) var changes = SavedChanges()

    init(_ finder: RowFinder, _ map: IdentityMap) {
        self.finder = finder
        self.map = map
        largeValues = finder.source.largeValueWriter()
    }

    /// Makes the plan; new objects get their rows in the map.
    ///
    /// - Parameter areAnnounced: Whether the new objects have keys already.
    mutating func plan(_ rows: [RowChange], areAnnounced: Bool = false) throws -> SavePlan {
        let inserted = rows.compactMap { change -> SyncRow? in if case .insert(let row) = change { row } else { nil } }
        if !areAnnounced {
            try readPresent(rows)
            try giveKeys(inserted)
        }
        for change in rows {
            switch change {
            case .insert(let row): try insert(row)
            case .update(let row): try update(row)
            case .delete(let object, _, _), .evict(let object, _): try delete(object)
            }
        }
        return plan
    }

    /// Removes large values that were written for a plan that was not saved.
    func discard() { largeValues.discard(after: 0) }

    // MARK: Rows and keys

    private mutating func readPresent(_ rows: [RowChange]) throws {
        var keys: [SchemaID: [Int64]] = [:]
        for change in rows {
            guard let place = try map.place(of: change.object) else { continue }
            keys[place.entity, default: []].append(place.row.key)
        }
        for (entity, keys) in keys {
            guard let entity = finder.mapping[entity] else { continue }
            let root = finder.mapping.root(of: entity.layout)
            for (key, snapshot) in try finder.snapshots(entity.layout, keys) {
                present[IdentityMap.Row(root: root, key: key)] = snapshot
            }
        }
    }

    private mutating func giveKeys(_ rows: [SyncRow]) throws {
        var demand = KeyDemand()
        var entities: [(object: ObjectIdentity, entity: EntityMapping)] = []
        for row in rows {
            guard let entity = finder.mapping.entity(named: row.entity) else { continue }
            try leave(row.id)
            entities.append((row.id, entity))
            demand.counts[entity.layout.root, default: 0] += 1
        }
        guard !demand.isEmpty else { return }
        plan.keys = try finder.source.reserveKeys(demand)
        var grant = plan.keys
        for (object, entity) in entities {
            let row = IdentityMap.Row(
                root: finder.mapping.root(of: entity.layout), key: grant.take(root: entity.layout.root))
            map.set(object, IdentityMap.Place(row: row, entity: entity.entity.id))
        }
    }

    /// Gives objects keys whose rows come with later plans.
    static func giveKeys(_ announced: [SyncPlan.AnnouncedRow], _ finder: RowFinder, _ map: IdentityMap) throws {
        var demand = KeyDemand()
        let entities = announced.map { finder.mapping.entity(named: $0.entity) }
        for entity in entities { if let entity { demand.counts[entity.layout.root, default: 0] += 1 } }
        guard !demand.isEmpty else { return }
        var grant = try finder.source.reserveKeys(demand)
        for (row, entity) in zip(announced, entities) {
            guard let entity else { continue }
            let place = IdentityMap.Row(
                root: finder.mapping.root(of: entity.layout), key: grant.take(root: entity.layout.root))
            map.set(row.object, IdentityMap.Place(row: place, entity: entity.entity.id))
        }
    }

    /// Deletes the row that an object has before it gets one of another entity.
    private mutating func leave(_ object: ObjectIdentity) throws {
        if try map.place(of: object) != nil { try delete(object) }
    }

    private mutating func slab(_ layout: EntityLayout) -> RowSlab {
        if let slab = slabs[layout.number], !slab.isFull { return slab }
        let slab = RowSlab(binding: finder.binding(layout), capacity: 32)
        slabs[layout.number] = slab
        filled.append(slab)
        return slab
    }

    // MARK: Changes

    private mutating func insert(_ row: SyncRow) throws {
        guard let entity = finder.mapping.entity(named: row.entity), let place = try map.place(of: row.id) else {
            return
        }
        let slab = slab(entity.layout)
        let pointer = slab.appendRow(key: place.row.key, version: 1)
        let defaults = entity.layout.defaultRow
        for slot in 0..<entity.layout.storedCount {
            guard case .attribute(let attribute, _) = entity.layout.slots[slot].content, let defaults,
                !attribute.allowsExternalBinaryDataStorage
            else { continue }
            slab.copy(slot, of: defaults, index: 0, slot: slot, into: pointer)
        }
        _ = try fill(slab, slab.count - 1, row, entity)
        if finder.source.roundsDecimals { slab.keepDecimals(ofRow: slab.count - 1) }
        let written = SavePlan.Row(slab: slab, index: slab.count - 1, changed: SlotSet(), expectedVersion: 0)
        plan.inserts.append(written)
        changes.inserted.append(written.address.objectID)
        try addMembers(row, entity, written.address, isNew: true)
    }

    private mutating func update(_ row: SyncRow) throws {
        guard let place = try map.place(of: row.id), let entity = finder.mapping[place.entity] else { return }
        guard let before = present[place.row] else {
            throw SyncError.refused("a row of entity '\(row.entity)' is missing")
        }
        let slab = slab(entity.layout)
        let pointer = slab.appendRow(key: before.key, version: before.version &+ 1)
        for slot in 0..<entity.layout.storedCount {
            slab.copy(slot, of: before.slab, index: before.index, slot: slot, into: pointer)
        }
        let changed = try fill(slab, slab.count - 1, row, entity)
        if finder.source.roundsDecimals { slab.keepDecimals(ofRow: slab.count - 1) }
        let written = SavePlan.Row(
            slab: slab, index: slab.count - 1, changed: changed, expectedVersion: before.version)
        plan.updates.append(written)
        changes.updated.append(written.address.objectID)
        try addMembers(row, entity, written.address, isNew: false)
    }

    private mutating func delete(_ object: ObjectIdentity) throws {
        guard let place = try map.place(of: object) else { return }
        try map.remove(object)
        guard let before = present[place.row] else { return }
        let address = RowAddress(binding: finder.binding(before.slab.layout), key: place.row.key)
        plan.deletions.append(.init(address: address, expectedVersion: before.version))
        changes.deleted.append(address.objectID)
    }

    // MARK: Values

    /// Writes the attributes and to-one relationships that a row has; returns their slots.
    private func fill(_ slab: RowSlab, _ index: Int, _ row: SyncRow, _ entity: EntityMapping) throws -> SlotSet {
        var changed = SlotSet()
        var composites: [Int: [Int: DerivedCell]] = [:]
        let pointer = slab.row(index)
        for (name, value) in row.values {
            guard let attribute = entity.attributesByName[name] else { continue }
            changed.insert(attribute.slot)
            let value = try finder.largeValues?.whole(value) ?? value
            try ValueConversion.store(value, attribute.kind, attribute.attribute, largeValues) { tag, bits, bytes in
                guard let element = attribute.element else {
                    return slab.set(tag, bytes.map { slab.append($0) } ?? bits, row: pointer, slot: attribute.slot)
                }
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                composites[attribute.slot, default: [:]][element] = DerivedCell(
                    StoredValue(tag: tag, bits: bits, bytes: bytes ?? none))
            }
        }
        for (slot, cells) in composites { setComposite(slab, index, slot, cells, entity) }
        for end in entity.ends {
            guard let slot = end.slot, let targets = row.links[end.name] else { continue }
            changed.insert(slot)
            changed.insert(slot + 1)
            try setTarget(targets.first, slab, index, slot)
        }
        return changed
    }

    private func setComposite(
        _ slab: RowSlab, _ index: Int, _ slot: Int, _ cells: [Int: DerivedCell], _ entity: EntityMapping
    ) {
        guard case .attribute(let composite, _) = entity.layout.slots[slot].content else { return }
        let coding = CompositeCoding(slab.storedValue(index, slot), of: composite, replacing: cells)
        let row = slab.row(index)
        guard !coding.isNull || !composite.isOptional else { return slab.set(RowTag.null, 0, row: row, slot: slot) }
        coding.bytes.withUnsafeBytes { slab.set(RowTag.blob, slab.append($0), row: row, slot: slot) }
    }

    private func setTarget(_ object: ObjectIdentity?, _ slab: RowSlab, _ index: Int, _ slot: Int) throws {
        let row = slab.row(index)
        guard let place = try object.flatMap({ try map.place(of: $0) }), let target = finder.mapping[place.entity]
        else {
            slab.set(RowTag.null, 0, row: row, slot: slot)
            return slab.set(RowTag.null, 0, row: row, slot: slot + 1)
        }
        slab.set(RowTag.integer, UInt64(bitPattern: place.row.key), row: row, slot: slot)
        slab.set(RowTag.integer, UInt64(target.layout.number), row: row, slot: slot + 1)
    }

    // MARK: Members

    private mutating func addMembers(
        _ row: SyncRow, _ entity: EntityMapping, _ owner: RowAddress, isNew: Bool
    ) throws {
        for end in entity.ends where end.slot == nil {
            guard let objects = row.links[end.name] else { continue }
            let members = try objects.compactMap { try address($0) }
            if end.isKeptAsLinks { try addLinks(end, owner, members, isNew: isNew) }
            if end.relationship.isOrdered, !members.isEmpty {
                plan.orders.append(
                    .init(relationship: end.relationship, owner: owner, members: members.map(\.key)))
            }
        }
    }

    private func address(_ object: ObjectIdentity) throws -> RowAddress? {
        guard let place = try map.place(of: object), let entity = finder.mapping[place.entity] else { return nil }
        return RowAddress(binding: finder.binding(entity.layout), key: place.row.key)
    }

    private mutating func addLinks(
        _ end: EntityMapping.LinkEnd, _ owner: RowAddress, _ members: [RowAddress], isNew: Bool
    ) throws {
        let before =
            isNew
            ? AddressList()
            : try finder.source.members(
                of: end.relationship, owner: owner.binding, key: owner.key)
        let former = Set(before.keys)
        let now = Set(members.map(\.key))
        for member in before where !now.contains(member.key) {
            plan.links.append(.init(relationship: end.relationship, owner: owner, member: member, isRemoval: true))
        }
        for member in members where !former.contains(member.key) {
            plan.links.append(.init(relationship: end.relationship, owner: owner, member: member, isRemoval: false))
        }
    }
}
