import CoreDataStore

/// Copies all records of one store to another, empty one of any type, by operations that every store supports.
///
/// The keys of all records are in memory, but the values of only one portion (500 records) at a time.
struct StoreCopying {
    private static let portion = 500

    struct Target {
        let key: Int64
        let layout: Int
    }

    let source: NSPersistentStore
    let from: any ObjectStore
    let destination: NSPersistentStore
    let to: any ObjectStore
    /// Writes the large values of the present portion to where the destination keeps such values.
    private var largeValues: any LargeValueWriting
    /// The sorted keys of the source's records, for each entity.
    private var keys: [(layout: EntityLayout, keys: [Int64])] = []
    /// The destination's key and entity of each record, by the number of the root entity's layout and the source's key.
    private(set) var targets: [Int: [Int64: Target]] = [:]

    private let order: CopyOrder
    /// Whether every record has the key in the destination that it has in the source.
    private(set) var keepsKeys = true

    init(
        source: NSPersistentStore, from: any ObjectStore, destination: NSPersistentStore, to: any ObjectStore,
        _ order: CopyOrder
    ) {
        self.order = order
        self.source = source
        self.from = from
        self.destination = destination
        self.to = to
        largeValues = to.largeValueWriter()
    }

    /// Copies the rows, then the links of relationships, which need the rows, then members' orders, which need the
    /// links.
    mutating func run() throws {
        guard let coordinator = source.persistentStoreCoordinator else { return }
        for layout in coordinator.modelLayout.entities
        where !layout.entity.isAbstract && source.keeps(layout.entity, of: coordinator.managedObjectModel) {
            keys.append((layout, try allKeys(of: layout)))
        }
        try giveKeys()
        try copyRows()
        try copyMembers(of: Self.isLinkedFromHere) { $0.links += $1 }
        try copyMembers(of: \.isOrdered) { plan, members in
            guard let first = members.first else { return }
            plan.orders.append(
                .init(
                    relationship: first.relationship, owner: first.owner, members: members.map(\.member.key)))
        }
    }

    // MARK: Keys

    private func allKeys(of layout: EntityLayout) throws -> [Int64] {
        try Self.keys(of: layout, source, from).sorted()
    }

    private static func keys(
        of layout: EntityLayout, _ source: NSPersistentStore, _ from: any ObjectStore
    ) throws -> [Int64] {
        let query = FetchQuery(
            binding: source.binding(for: layout), includesSubentities: false, includesValues: false)
        switch try from.fetch(query) {
        case .addresses(let addresses): return Array(addresses.keys)
        case .rows(let runs): return runs.flatMap { run in run.range.map { run.slab.key($0) } }
        }
    }

    /// Whether all keys of a store are in the range that stores assign. A copy keeps such keys, unless it numbers the
    /// records of all entities together.
    static func hasPlainKeys(_ source: NSPersistentStore) throws -> Bool {
        guard let from = source.objects, let coordinator = source.persistentStoreCoordinator else { return false }
        return try coordinator.modelLayout.entities.allSatisfy { layout in
            guard !layout.entity.isAbstract, source.keeps(layout.entity, of: coordinator.managedObjectModel) else {
                return true
            }
            return try keys(of: layout, source, from).allSatisfy { plainKeys ~= $0 }
        }
    }

    private static let plainKeys = Int64(1)..<1 << 48

    /// Determines the key of every record in the destination: the same key as in the source, since an empty store can
    /// reserve all keys up to the greatest one.
    ///
    /// Records get new keys, in the order of the present ones, if a key is outside the range that stores assign, or if
    /// records of two entities have the same key and the destination numbers all of its records together.
    private mutating func giveKeys() throws {
        var byRoot: [Int: [(key: Int64, layout: Int)]] = [:]
        for (layout, keys) in keys { byRoot[layout.root, default: []] += keys.map { ($0, layout.number) } }
        let isPlain = byRoot.values.allSatisfy { $0.allSatisfy { Self.plainKeys ~= $0.key } }
        var demand = KeyDemand()
        for (root, records) in byRoot where !records.isEmpty {
            demand.counts[root] = isPlain ? Int(records.reduce(0) { max($0, $1.key) }) : records.count
        }
        guard !demand.isEmpty else { return }
        var grant = try to.reserveKeys(demand)
        let firsts = Set(grant.blocks.values.map(\.first))
        keepsKeys = isPlain && firsts.contains(1) && (firsts.count == 1 || Self.areDistinct(byRoot))
        for (root, records) in byRoot {
            var given: [Int64: Target] = [:]
            given.reserveCapacity(records.count)
            for record in records.sorted(by: { $0.key < $1.key }) {
                let key = keepsKeys ? record.key : grant.take(root: root)
                given[record.key] = Target(key: key, layout: record.layout)
            }
            targets[root] = given
        }
    }

    private static func areDistinct(_ records: [Int: [(key: Int64, layout: Int)]]) -> Bool {
        var seen: Set<Int64> = []
        return records.values.allSatisfy { $0.allSatisfy { seen.insert($0.key).inserted } }
    }

    private func address(_ layout: EntityLayout, _ key: Int64) -> RowAddress? {
        guard let target = targets[layout.root]?[key] else { return nil }
        return RowAddress(binding: destination.binding(for: layout.model.entities[target.layout]), key: target.key)
    }

    // MARK: Rows

    private mutating func copyRows() throws {
        let total = keys.reduce(0) { $0 + $1.keys.count }
        var done = 0
        for (layout, keys) in keys {
            for start in stride(from: 0, to: keys.count, by: Self.portion) {
                let portion = Array(keys[start..<min(start + Self.portion, keys.count)])
                let runs = try from.rows(of: source.binding(for: layout), keys: portion)
                try save { copying, plan in try copying.insert(runs, layout, into: &plan) }
                done += portion.count
                order.progress(done, total)
            }
        }
    }

    private func insert(_ runs: [RowRun], _ layout: EntityLayout, into plan: inout SavePlan) throws {
        var slab = RowSlab(binding: destination.binding(for: layout), capacity: Self.portion)
        for run in runs where run.slab.layout === layout {
            for index in run.range {
                guard let target = targets[layout.root]?[run.slab.key(index)] else { continue }
                if slab.isFull { slab = RowSlab(binding: slab.binding, capacity: Self.portion) }
                try copy(run.slab, index, as: target.key, into: slab)
                if to.roundsDecimals { slab.keepDecimals(ofRow: slab.count - 1) }
                plan.inserts.append(
                    .init(slab: slab, index: slab.count - 1, changed: SlotSet(), expectedVersion: 0))
            }
        }
    }

    private func copy(_ row: RowSlab, _ index: Int, as key: Int64, into slab: RowSlab) throws {
        let copy = slab.appendRow(key: key, version: max(1, row.version(index)))
        for slot in 0..<row.layout.storedCount {
            let tag = row.tag(index, slot)
            switch row.layout.slots[slot].content {
            case .targetNumber: continue
            case .toOne(let relationship):
                guard tag == RowTag.integer, let target = target(of: relationship, in: row, index, slot) else {
                    continue
                }
                slab.set(RowTag.integer, UInt64(bitPattern: target.key), row: copy, slot: slot)
                slab.set(RowTag.integer, UInt64(target.layout), row: copy, slot: slot + 1)
            case .attribute(let attribute, let kind)
            where tag == RowTag.blob && attribute.allowsExternalBinaryDataStorage && kind != .composite:
                guard let value = try largeValue(row.bytes(index, slot)) else { continue }
                let form = try largeValues.storedForm(of: value)
                form.withUnsafeBytes { slab.set(tag, slab.append($0), row: copy, slot: slot) }
            case .attribute(let attribute, .composite) where tag == RowTag.blob:
                let form = try recoded(row.bytes(index, slot), attribute)
                form.withUnsafeBytes { slab.set(tag, slab.append($0), row: copy, slot: slot) }
            case .attribute:
                let isText = tag == RowTag.text || tag == RowTag.blob
                let bits = isText ? slab.append(row.bytes(index, slot)) : row.bits(index, slot)
                if tag != RowTag.null { slab.set(tag, bits, row: copy, slot: slot) }
            }
        }
    }

    /// Reads a large value; nil if it cannot be read and `order` allows leaving it out.
    private func largeValue(_ stored: UnsafeRawBufferPointer) throws -> Data? {
        do {
            return try from.largeValue(stored: stored)
        } catch {
            guard order.leavesOutUnreadable else { throw error }
            return nil
        }
    }

    /// The destination's key and entity of the record that a to-one slot refers to; nil if that record does not exist.
    private func target(
        of relationship: NSRelationshipDescription, in row: RowSlab, _ index: Int, _ slot: Int
    ) -> Target? {
        let layouts = row.layout.model.entities
        let number = row.tag(index, slot + 1) == RowTag.integer ? row.integer(index, slot + 1) : -1
        let known = number >= 0 && number < Int64(layouts.count) ? layouts[Int(number)] : nil
        let layout = known ?? relationship.destinationEntity.flatMap { row.layout.model.layout(of: $0) }
        return layout.flatMap { targets[$0.root]?[row.integer(index, slot)] }
    }

    /// Returns a composite with its large elements in the destination's form.
    private func recoded(_ bytes: UnsafeRawBufferPointer, _ composite: NSAttributeDescription) throws -> [UInt8] {
        var coding = CompositeCoding()
        for (element, leaf) in zip(CompositeCoding.elements(in: bytes), CompositeCoding.leaves(of: composite)) {
            switch element.tag {
            case RowTag.blob where leaf.attribute.allowsExternalBinaryDataStorage:
                guard let value = try largeValue(element.bytes) else {
                    coding.append(RowTag.null, bits: 0)
                    continue
                }
                let form = try largeValues.storedForm(of: value)
                form.withUnsafeBytes { coding.append(RowTag.blob, bytes: $0) }
            case RowTag.text, RowTag.blob: coding.append(element.tag, bytes: element.bytes)
            default: coding.append(element.tag, bits: element.bits)
            }
        }
        return coding.bytes
    }

    // MARK: Relationships

    /// For the to-many relationships that `isWanted` selects, reads the members of all records; `add` adds what the
    /// destination must save of them to a plan.
    private mutating func copyMembers(
        of isWanted: (NSRelationshipDescription) -> Bool, _ add: (inout SavePlan, [SavePlan.LinkChange]) -> Void
    ) throws {
        for (layout, keys) in keys {
            let relationships = layout.toMany.filter(isWanted)
            guard !relationships.isEmpty else { continue }
            for start in stride(from: 0, to: keys.count, by: Self.portion) {
                try save { copying, plan in
                    for key in keys[start..<min(start + Self.portion, keys.count)] {
                        for relationship in relationships {
                            add(&plan, try copying.memberships(of: relationship, layout, key))
                        }
                    }
                }
            }
        }
    }

    private func memberships(
        of relationship: NSRelationshipDescription, _ layout: EntityLayout, _ key: Int64
    ) throws -> [SavePlan.LinkChange] {
        guard let owner = address(layout, key) else { return [] }
        let members = try from.members(of: relationship, owner: source.binding(for: layout), key: key)
        return members.compactMap { member in
            address(member.binding.layout, member.key).map {
                .init(relationship: relationship, owner: owner, member: $0, isRemoval: false)
            }
        }
    }

    /// Whether the links of a relationship are copied from this end: they are not in the members' rows, and of two ends
    /// that share them this is the first by name.
    private static func isLinkedFromHere(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return true }
        guard inverse.isToMany else { return false }
        guard relationship.mutualInverse != nil else { return true }
        return (relationship.entity?.name ?? "", relationship.name) <= (inverse.entity?.name ?? "", inverse.name)
    }

    private mutating func save(_ fill: (Self, inout SavePlan) throws -> Void) throws {
        largeValues = to.largeValueWriter()
        var wasSaved = false
        defer { if !wasSaved { largeValues.discard(after: 0) } }
        var plan = SavePlan()
        try fill(self, &plan)
        guard !plan.isEmpty else { return }
        if case .saved = try to.save(plan) { wasSaved = true }
        guard wasSaved else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store cannot be copied: somebody else writes to the copy.",
                hint: "Choose a place that nobody else uses.")
        }
    }
}
