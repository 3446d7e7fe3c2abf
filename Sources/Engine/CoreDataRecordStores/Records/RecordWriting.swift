import CoreDataStore

/// Applies one save to the tables, once the save has been found to have no conflicts.
///
/// Invariants:
/// 1. Until `carryOut()` is called, the tables are unchanged.
/// 2. `fresh` are the slabs that nothing outside of this save refers to: their rows may still be changed in place.
struct RecordWriting {
    let tables: RecordTables
    private let plan: SavePlan
    /// The rows to insert, and the rows that replace others.
    let newRows: [RowSnapshot]
    /// The rows that the save deletes or replaces.
    let formerRows: [RowSnapshot]
    private(set) var touchedEntities: Set<Int> = []
    /// The computed derived values that differ from those in the plan's rows, or in the stored rows.
    private(set) var derived = DerivedChanges()

    private var removedPairs: [[KeyPair]]
    private var addedPairs: [[KeyPair]]
    /// The numbers of the fresh slabs in their pools.
    private var fresh: [ObjectIdentifier: Int] = [:]
    private var fillers: [Int: RowSlab] = [:]

    init(_ plan: SavePlan, of tables: RecordTables) {
        self.tables = tables
        self.plan = plan
        newRows =
            plan.inserts.map { RowSnapshot(slab: $0.slab, index: $0.index) }
            + plan.updates.map { PartialRowUpdate.merged($0, over: tables.row(of: $0)) }
        formerRows =
            plan.deletions.compactMap { tables.row(root: $0.address.binding.layout.root, key: $0.address.key) }
            + plan.updates.compactMap { tables.row(of: $0) }
        removedPairs = tables.indexes.map { _ in [] }
        addedPairs = removedPairs
    }

    mutating func carryOut() {
        var affected = DerivationScope(tables: tables)
        affected.note(changed: formerRows)
        affected.note(linked: plan.links)
        removeDeleted()
        writeRows()
        for number in tables.indexes.indices {
            tables.indexes[number].change(removing: removedPairs[number], adding: addedPairs[number])
        }
        writeLinks()
        for order in plan.orders { write(order) }
        affected.note(changed: newRows)
        affected.note(linked: plan.links)
        derive(affected)
        // The row caches get the slabs that are not part of the plan.
        tables.noteMade(Array(fillers.values))
    }

    // MARK: Rows

    private mutating func removeDeleted() {
        var removed: [Int: [KeyPair]] = [:]
        for deletion in plan.deletions {
            let (root, key) = (deletion.address.binding.layout.root, deletion.address.key)
            guard let row = tables.row(root: root, key: key) else { continue }
            Self.note(row, in: &removedPairs, tables.plan)
            noteLinks(of: row, in: &removed)
            retire(root: root, key: key)
            tables.roots[root].places.remove(key)
        }
        for (number, pairs) in removed { tables.links[number].change(removing: pairs, adding: []) }
    }

    /// Collects the pairs that contain a row, including pairs of inverse-less relationships of which the row is a
    /// member.
    private func noteLinks(of row: RowSnapshot, in pairs: inout [Int: [KeyPair]]) {
        let layout = row.slab.layout
        for relationship in layout.toMany {
            guard case .links(let number, let backwards) = tables.plan.source(of: relationship) else { continue }
            pairs[number, default: []] += tables.links[number].pairs(of: row.key, backwards: backwards)
        }
        for (number, root) in tables.plan.inverseless where root == layout.root {
            pairs[number, default: []] += tables.links[number].pairs(of: row.key, backwards: true)
        }
    }

    private mutating func writeRows() {
        for (root, count) in insertedCounts { tables.roots[root].places.reserve(count) }
        for row in newRows {
            let root = row.slab.layout.root
            let former = tables.row(root: root, key: row.key)
            if let former {
                Self.note(former, in: &removedPairs, unlessIn: row, tables.plan)
                retire(root: root, key: row.key)
            }
            Self.note(row, in: &addedPairs, unlessIn: former, tables.plan)
            place(row)
            tables.noteKey(row.key, root: root)
        }
    }

    private var insertedCounts: [Int: Int] {
        plan.inserts.reduce(into: [:]) { $0[$1.slab.layout.root, default: 0] += 1 }
    }

    /// Collects the pairs for a row's to-one references, except for references that `other` (the row before or after
    /// the save) has too: the member then keeps its position in an ordered relationship.
    ///
    /// Static, since a method that accesses `pairs` through `self` would copy the entire list with each append.
    static func note(
        _ row: RowSnapshot, in pairs: inout [[KeyPair]], unlessIn other: RowSnapshot? = nil, _ plan: RelationPlan
    ) {
        for indexed in plan.indexedSlots[row.slab.layout.number] {
            guard let target = row.slab.reference(row.index, indexed.slot),
                other.flatMap({ $0.slab.reference($0.index, indexed.slot)?.key }) != target.key
            else { continue }
            pairs[indexed.index].append(KeyPair(owner: target.key, member: row.key))
        }
    }

    private mutating func retire(root: Int, key: Int64) {
        guard let place = tables.roots[root].places[key] else { return }
        touchedEntities.insert(Int(place.entity))
        tables.pools[Int(place.entity)].setDead(Int(place.slab), Int(place.index))
    }

    private mutating func place(_ row: RowSnapshot) {
        let layout = row.slab.layout
        touchedEntities.insert(layout.number)
        let pool = tables.pools[layout.number]
        let number = fresh[ObjectIdentifier(row.slab)] ?? pool.add(row.slab)
        fresh[ObjectIdentifier(row.slab)] = number
        pool.setLive(number, row.index)
        tables.roots[layout.root].places.set(
            SlabPosition(entity: Int32(layout.number), slab: Int32(number), index: Int32(row.index)), for: row.key)
    }

    // MARK: Relationships

    private func writeLinks() {
        var removed: [Int: [KeyPair]] = [:]
        var added: [Int: [KeyPair]] = [:]
        for link in plan.links {
            guard case .links(let number, let backwards) = tables.plan.source(of: link.relationship),
                tables.row(root: link.owner.binding.layout.root, key: link.owner.key) != nil,
                tables.row(root: link.member.binding.layout.root, key: link.member.key) != nil
            else { continue }
            let pair = KeyPair(owner: link.owner.key, member: link.member.key)
            let stored = backwards ? pair.reversed : pair
            if link.isRemoval {
                removed[number, default: []].append(stored)
            } else {
                added[number, default: []].append(stored)
            }
        }
        for number in Set(removed.keys).union(added.keys) {
            tables.links[number].change(removing: removed[number] ?? [], adding: added[number] ?? [])
        }
    }

    private func write(_ order: SavePlan.OrderChange) {
        switch tables.plan.source(of: order.relationship) {
        case .index(let number): tables.indexes[number].setOrder(of: order.members, owner: order.owner.key)
        case .links(let number, let backwards):
            tables.links[number].setOrder(of: order.members, owner: order.owner.key, backwards: backwards)
        case nil: return
        }
    }

    // MARK: Derived values

    /// Computes those derived values of the new rows that are part of uniqueness constraints, since they are compared
    /// before the tables change.
    mutating func deriveUniqueValues() {
        let names = Set(tables.constraints.flatMap(\.names))
        guard !tables.derivations.isEmpty, !names.isEmpty else { return }
        for row in newRows {
            let slots = tables.derivations.slots[row.slab.layout.number].filter {
                $0.comesFromOwnRow && names.contains($0.attribute.name)
            }
            write(DerivedValues(slots, of: row, tables, time: Date()), to: row)
        }
    }

    private mutating func derive(_ scope: DerivationScope) {
        guard !tables.derivations.isEmpty else { return }
        let time = Date()
        for row in newRows {
            let slots = tables.derivations.slots[row.slab.layout.number]
            write(DerivedValues(slots, of: row, tables, time: time), to: row)
        }
        let written = Set(newRows.map { RowKey(table: $0.slab.layout.root, key: $0.key) })
        for record in scope.affected.subtracting(written) {
            guard let row = tables.row(root: record.table, key: record.key) else { continue }
            let slots = tables.derivations.slots[row.slab.layout.number].filter { $0.expression != nil }
            let values = DerivedValues(slots, of: row, tables, time: time)
            guard note(values, of: row) else { continue }
            rewrite(row, values)
        }
    }

    private mutating func write(_ values: DerivedValues, to row: RowSnapshot) {
        if note(values, of: row) { values.write(to: row.slab, row.index) }
    }

    /// Notes the values that differ from those in a row; returns false if none does.
    private mutating func note(_ values: DerivedValues, of row: RowSnapshot) -> Bool {
        let differing = values.differing(from: row)
        let address = RowAddress(binding: row.slab.binding, key: row.key)
        for (slot, cell) in differing { derived.note(cell, slot: slot, of: address) }
        return !differing.isEmpty
    }

    /// Replaces a row by a copy with other derived values; the row itself cannot be changed, since others may be
    /// reading it.
    private mutating func rewrite(_ row: RowSnapshot, _ values: DerivedValues) {
        let layout = row.slab.layout
        if fillers[layout.number]?.isFull ?? true {
            if let full = fillers[layout.number] { tables.noteMade([full]) }
            fillers[layout.number] = RowSlab(binding: row.slab.binding, capacity: 4)
        }
        guard let slab = fillers[layout.number] else { return }
        let index = slab.appendCopy(of: row.slab, row.index)
        values.write(to: slab, index)
        retire(root: layout.root, key: row.key)
        place(RowSnapshot(slab: slab, index: index))
    }
}
