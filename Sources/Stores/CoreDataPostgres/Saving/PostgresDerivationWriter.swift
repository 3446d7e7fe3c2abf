import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Computes the derived attributes that one save affects, in memory, and writes those that differ.
///
/// Needs a few round trips, independent of the number of rows: for owners before and after the rows are written, for
/// the rows and the rows on which their values depend, and for writing.
struct PostgresDerivationWriter {
    private let session: PostgresSession
    private let plan: DerivationPlan
    private var scope: AffectedDerivations
    private(set) var changes = DerivedChanges()

    /// Returns nil if the store has no derived attributes to compute.
    init?(_ session: PostgresSession) {
        guard let columns = session.shape.derivedColumns else { return nil }
        self.session = session
        plan = session.shape.derivationPlan
        scope = AffectedDerivations(columns)
    }

    /// Notes the rows that a plan changes, and finds the owners that they have before it is carried out; sends the
    /// statements that begin the transaction first.
    mutating func prepare(for plan: SavePlan, after beginning: [PostgresStatement]) throws {
        scope.note(plan)
        try find(scope.takeFormer(), after: beginning)
    }

    private mutating func find(
        _ searches: [AffectedDerivations.OwnerSearch], after beginning: [PostgresStatement] = []
    ) throws {
        let statements = searches.map { PostgresStatement($0.query, [.integers(Array($0.keys))]) }
        guard !beginning.isEmpty || !statements.isEmpty else { return }
        let results = try session.connection.pipeline(beginning + statements)
        for (search, result) in zip(searches, results.dropFirst(beginning.count)) {
            for row in 0..<result.rowCount {
                if let owner = result.int64(row, 0) { scope.note(owner: owner, of: search.derivation) }
            }
        }
    }

    /// Computes and writes the values, after the plan has been carried out.
    ///
    /// - Throws: `SaveRefusal` for values that violate a uniqueness constraint.
    mutating func write() throws {
        try find(scope.takePresent())
        let rows = try differingRows()
        guard !rows.isEmpty else { return }
        let shape = session.shape
        var statements: [PostgresStatement] = []
        let groups = Dictionary(grouping: rows) { Group(layout: $0.slab.layout.number, slots: $0.changed) }
        for group in groups.values {
            guard let first = group.first else { continue }
            let batch = RowBatch(try shape.table(of: first.slab.layout), shape, updating: first.changed)
            statements.append(try batch.rewriting(of: group[...]))
        }
        let uniqueness = try PostgresUniquenessSearch(rows, shape)
        let results = try session.connection.pipeline(statements + uniqueness.statements)
        try uniqueness.requireUnique(Array(results[statements.count...]))
    }

    private struct Group: Hashable {
        let layout: Int
        let slots: SlotSet
    }

    /// Returns the affected rows whose computed values differ from the stored ones, with the computed values.
    private mutating func differingRows() throws -> [SavePlan.Row] {
        let time = Date()
        let records = ServerRecords(session)
        var found: [SavePlan.Row] = []
        for (root, names) in affectedByRoot() {
            let rows = try session.rows(of: root, keys: Array(names.keys)).flatMap { run in
                run.range.map { RowSnapshot(slab: run.slab, index: $0) }
            }
            records.prefetch(paths(of: rows), from: rows)
            for row in rows {
                let slots = plan.slots[row.slab.layout.number].filter {
                    names[row.key]?.contains(row.slab.layout.slots[$0.slot].name) == true
                }
                let differing = DerivedValues(slots, of: row, records, time: time).differing(from: row)
                if !differing.isEmpty { found.append(changed(row, differing)) }
            }
        }
        try records.requireRead()
        return found
    }

    /// Returns, by root entity and key, the names of the attributes to compute.
    private func affectedByRoot() -> [(root: EntityBinding, names: [Int64: Set<String>])] {
        var byRoot: [Int: [Int64: Set<String>]] = [:]
        for (derivation, keys) in zip(scope.columns.derivations, scope.affected) where !keys.isEmpty {
            guard let root = session.shape.layouts.layout(of: derivation.entity)?.root else { continue }
            for key in keys { byRoot[root, default: [:]][key, default: []].insert(derivation.attribute.name) }
        }
        return byRoot.compactMap { root, names in
            session.shape.layouts.entities.first { $0.root == root }
                .map { (session.shape.store.binding(for: $0), names) }
        }
    }

    private func paths(of rows: [RowSnapshot]) -> Set<[String]> {
        let layouts = Set(rows.map(\.slab.layout.number))
        return RelationshipPaths(layouts.flatMap { plan.slots[$0].compactMap(\.expression) }).paths
    }

    /// Returns a row with new values, and records them in `changes`.
    private mutating func changed(
        _ row: RowSnapshot, _ cells: [(slot: Int, cell: DerivedCell)]
    ) -> SavePlan.Row {
        let slab = RowSlab(binding: row.slab.binding, capacity: 1)
        let index = slab.appendCopy(of: row.slab, row.index)
        var slots = SlotSet()
        for (slot, cell) in cells {
            cell.write(to: slab, index, slot)
            slots.insert(slot)
            changes.note(cell, slot: slot, of: RowAddress(binding: row.slab.binding, key: row.key))
        }
        return SavePlan.Row(slab: slab, index: index, changed: slots, expectedVersion: row.version)
    }
}
