import CoreDataSQL

/// Converts a batch deletion to a save plan: the rows, the rows that their delete rules delete, and those that lose a
/// reference.
struct BatchDeletionPlan {
    private let session: PostgresSession
    private var doomed: [RowKey: RowSnapshot] = [:]

    private var layouts: ModelLayout { session.shape.layouts }

    init(_ session: PostgresSession) { self.session = session }

    /// - Throws: 1600 if the delete rule Deny forbids the deletion, `NSPersistentStoreSaveConflictsError` if a required
    ///   relationship would become empty.
    mutating func plan(deleting rows: [RowSnapshot]) throws -> SavePlan {
        var open = add(rows)
        while !open.isEmpty {
            var reached: [RowSnapshot] = []
            for group in groups(open) {
                for relationship in relationships(of: group, with: .cascadeDeleteRule) {
                    reached += try targets(of: relationship, from: group).map(\.row)
                }
            }
            open = add(reached)
        }
        try requireNoDenial()
        try requireNoEmptiedInverse()
        var plan = SavePlan()
        plan.deletions = doomed.values.map {
            SavePlan.Deletion(
                address: RowAddress(binding: $0.slab.binding, key: $0.key), expectedVersion: $0.version)
        }
        plan.updates = try nullifications()
        return plan
    }

    /// Adds rows to delete, and returns those that are new.
    private mutating func add(_ rows: [RowSnapshot]) -> [RowSnapshot] {
        rows.filter { row in
            let key = RowKey(table: row.slab.layout.root, key: row.key)
            guard doomed[key] == nil else { return false }
            doomed[key] = row
            return true
        }
    }

    private func isDoomed(_ row: RowSnapshot) -> Bool {
        doomed[RowKey(table: row.slab.layout.root, key: row.key)] != nil
    }

    private func groups(_ rows: some Collection<RowSnapshot>) -> [[RowSnapshot]] {
        Dictionary(grouping: rows, by: { $0.slab.layout.number }).sorted { $0.key < $1.key }.map(\.value)
    }

    private func relationships(of group: [RowSnapshot], with rule: NSDeleteRule) -> [NSRelationshipDescription] {
        let entity = group.first?.slab.layout.entity
        return (entity?.relationshipsByName.values.filter { $0.deleteRule == rule && !$0.isTransient } ?? [])
            .sorted { $0.name < $1.name }
    }

    /// Returns the destination rows of a relationship of rows of one entity, each with the key of a row that refers to
    /// it.
    private func targets(
        of relationship: NSRelationshipDescription, from group: [RowSnapshot]
    ) throws -> [(owner: Int64, row: RowSnapshot)] {
        guard let layout = group.first?.slab.layout,
            let destination = relationship.destinationEntity.flatMap(layouts.layout(of:))
        else { return [] }
        switch layout.places[relationship.name] {
        case .toOne(let slot):
            var owners: [Int64: Int64] = [:]
            for row in group { if let key = row.slab.reference(row.index, slot)?.key { owners[key] = row.key } }
            let root = layouts.entities.first { $0.root == destination.root } ?? destination
            let runs = try session.rows(of: session.shape.store.binding(for: root), keys: Array(owners.keys))
            return snapshots(runs).map { (owners[$0.key] ?? 0, $0) }
        case .toMany:
            let binding = session.shape.store.binding(for: layout)
            let found = try session.members(of: relationship, owner: binding, keys: group.map(\.key))
            let rows = Dictionary(snapshots(found.rows).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            return found.pairs.compactMap { owner, member in rows[member].map { (owner, $0) } }
        case .attribute, .fetched, nil: return []
        }
    }

    private func snapshots(_ runs: [RowRun]) -> [RowSnapshot] {
        runs.flatMap { run in run.range.map { RowSnapshot(slab: run.slab, index: $0) } }
    }

    private func requireNoDenial() throws {
        for group in groups(doomed.values) {
            for relationship in relationships(of: group, with: .denyDeleteRule) {
                guard let target = try targets(of: relationship, from: group).first(where: { !isDoomed($0.row) }) else {
                    continue
                }
                let name = group.first?.slab.layout.entity.name ?? ""
                throw CoreDataError.make(
                    NSValidationRelationshipDeniedDeleteError,
                    "'\(name)' with the key \(target.owner) cannot be deleted, since its relationship "
                        + "'\(relationship.name)' is not empty.",
                    hint: "Delete what it leads to first, or take it out of the relationship.",
                    userInfo: [NSValidationKeyErrorKey: relationship.name])
            }
        }
    }

    private func requireNoEmptiedInverse() throws {
        for group in groups(doomed.values) {
            for relationship in relationships(of: group, with: .nullifyDeleteRule) {
                guard let mandatory = MandatoryInverse(relationship),
                    let key = try keyOfEmptied(mandatory, by: group), let layout = group.first?.slab.layout
                else { continue }
                throw mandatory.violation(key: key, deleting: layout.entity)
            }
        }
    }

    /// Returns the key of a remaining row whose relationship would contain fewer objects than required; nil if there is
    /// none.
    private func keyOfEmptied(_ mandatory: MandatoryInverse, by group: [RowSnapshot]) throws -> Int64? {
        let staying = try targets(of: mandatory.relationship, from: group).map(\.row).filter { !isDoomed($0) }
        guard mandatory.inverse.isToMany else {
            let keys = Set(group.map(\.key))
            return staying.first { refers($0, mandatory.inverse, to: keys) }?.key
        }
        for owners in groups(staying) {
            // A relationship that is its own inverse may list a member twice; it must count once.
            var kept = Dictionary(owners.map { ($0.key, Set<Int64>()) }, uniquingKeysWith: { first, _ in first })
            guard let layout = owners.first?.slab.layout,
                let root = mandatory.inverse.destinationEntity.flatMap(layouts.layout(of:))?.root
            else { continue }
            let binding = session.shape.store.binding(for: layout)
            let found = try session.members(of: mandatory.inverse, owner: binding, keys: Array(kept.keys))
            for (owner, member) in found.pairs where doomed[RowKey(table: root, key: member)] == nil {
                kept[owner, default: []].insert(member)
            }
            if let emptied = kept.filter({ $0.value.count < mandatory.minimum }).keys.min() { return emptied }
        }
        return nil
    }

    private func refers(_ row: RowSnapshot, _ inverse: NSRelationshipDescription, to keys: Set<Int64>) -> Bool {
        guard case .toOne(let slot)? = row.slab.layout.places[inverse.name],
            let key = row.slab.reference(row.index, slot)?.key
        else { return false }
        return keys.contains(key)
    }

    /// Returns updates of the remaining rows whose to-one relationships refer to deleted rows: these become null. Rows
    /// of join tables, and references without inverse, are removed when the deletions are carried out.
    private func nullifications() throws -> [SavePlan.Row] {
        var lost: [RowKey: (row: RowSnapshot, slots: SlotSet)] = [:]
        for group in groups(doomed.values) {
            let keys = Set(group.map(\.key))
            for relationship in relationships(of: group, with: .nullifyDeleteRule) {
                guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { continue }
                for target in try targets(of: relationship, from: group) where !isDoomed(target.row) {
                    guard case .toOne(let slot)? = target.row.slab.layout.places[inverse.name],
                        refers(target.row, inverse, to: keys)
                    else { continue }
                    let place = RowKey(table: target.row.slab.layout.root, key: target.row.key)
                    lost[place, default: (target.row, SlotSet())].slots.insert(slot)
                }
            }
        }
        var copies = RowCopies()
        return lost.values.map { row, slots in
            copies.update(of: row) { slab, _, memory in
                for slot in 0..<slab.layout.storedCount where slots.contains(slot) {
                    slab.set(RowTag.null, 0, row: memory, slot: slot)
                    slab.set(RowTag.null, 0, row: memory, slot: slot + 1)
                }
                return slots
            }
        }
    }
}
