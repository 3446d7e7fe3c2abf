import CoreDataSQL

/// Inserts the rows of a batch, some hundred at a time, and resolves collisions with the unique values of other rows.
struct BatchInsertionRun {
    private static let rowsAtOnce = 500

    private let batch: BatchInsertion
    private let source: ChangeSource
    private let store: PostgresStore
    private var outcome = BatchOutcome()
    private var reported: Set<RowKey> = []
    /// By the key allocated for a row of the portion: the existing row that is overwritten instead of inserting the
    /// row.
    private var holders: [Int64: RowAddress] = [:]

    init(_ batch: BatchInsertion, by source: ChangeSource, _ store: PostgresStore) {
        self.batch = batch
        self.source = source
        self.store = store
    }

    mutating func run() throws -> BatchOutcome {
        let root = batch.binding.layout.root
        while true {
            var demand = KeyDemand()
            demand.counts[root] = Self.rowsAtOnce
            var grant = try store.checkOutKeys(demand)
            var copies = RowCopies()
            var rows: [SavePlan.Row] = []
            while rows.count < Self.rowsAtOnce, let row = try batch.next(grant.take(root: root)) {
                rows.append(copies.insertion(of: row))
            }
            let isAtEnd = rows.count < Self.rowsAtOnce
            if !rows.isEmpty { try insert(rows) }
            if isAtEnd { return outcome }
        }
    }

    private mutating func insert(_ given: [SavePlan.Row]) throws {
        try store.requireTargets(of: given)
        var plan = SavePlan()
        plan.source = source
        plan.inserts = given
        holders = [:]
        // Each iteration resolves the collision of at least one row.
        for _ in 0...given.count {
            switch try store.save(plan) {
            case .saved: return note(given, plan)
            case .conflicts, .keysTaken:
                throw CoreDataError.make(
                    NSManagedObjectMergeError,
                    "The batch was not carried out: others changed rows that it writes over.",
                    hint: "Try again.")
            case .constraintConflicts(let conflicts): try settle(conflicts, &plan)
            }
        }
    }

    private mutating func note(_ given: [SavePlan.Row], _ plan: SavePlan) {
        let inserted = Set(plan.inserts.map(\.key))
        for row in given {
            guard let address = holders[row.key] ?? (inserted.contains(row.key) ? row.address : nil) else { continue }
            outcome.count += 1
            guard batch.report == .addresses, reported.insert(RowKey(address)).inserted else { continue }
            outcome.addresses.append(address)
        }
    }

    private mutating func settle(_ conflicts: [UniquenessConflict], _ plan: inout SavePlan) throws {
        guard batch.collisions != .refuse else { throw refusal(conflicts) }
        let colliding = Set(conflicts.flatMap { $0.rows.map { RowKey($0) } })
        let rows = plan.inserts.filter { colliding.contains(RowKey($0.address)) }
        // If a row that already overwrites another one collides again, there is no solution.
        guard !rows.isEmpty, !plan.updates.contains(where: { colliding.contains(RowKey($0.address)) }) else {
            throw refusal(conflicts)
        }
        plan.inserts.removeAll { colliding.contains(RowKey($0.address)) }
        guard batch.collisions == .overwrite else { return }
        for row in rows { try overwrite(with: row, conflicts, &plan) }
    }

    /// Overwrites the only row that has the same unique values with the values of `row`.
    private mutating func overwrite(
        with row: SavePlan.Row, _ conflicts: [UniquenessConflict], _ plan: inout SavePlan
    ) throws {
        let own = conflicts.filter { $0.rows.contains { $0.key == row.key } }
        let holders = Set(own.compactMap { $0.holder.map { RowKey($0) } })
        guard holders.count == 1, let holder = own.first?.holder,
            holder.binding.layout.entity.isKindOf(entity: batch.binding.layout.entity)
        else { throw refusal(own) }
        self.holders[row.key] = holder
        if let index = plan.inserts.firstIndex(where: { $0.key == holder.key }) {
            let earlier = plan.inserts[index]
            var changed = earlier.changed
            changed.formUnion(row.write(to: earlier.slab, earlier.slab.row(earlier.index)))
            plan.inserts[index] = SavePlan.Row(
                slab: earlier.slab, index: earlier.index, changed: changed, expectedVersion: 0)
        } else if let index = plan.updates.firstIndex(where: { $0.key == holder.key }) {
            let earlier = plan.updates[index]
            var changed = earlier.changed
            changed.formUnion(row.write(to: earlier.slab, earlier.slab.row(earlier.index)))
            plan.updates[index] = SavePlan.Row(
                slab: earlier.slab, index: earlier.index, changed: changed, expectedVersion: earlier.expectedVersion)
        } else if let run = try store.session.rows(of: holder.binding, keys: [holder.key]).first {
            var copies = RowCopies()
            plan.updates.append(
                copies.update(of: RowSnapshot(slab: run.slab, index: run.range.lowerBound)) { slab, _, memory in
                    row.write(to: slab, memory)
                })
        }
    }

    private func refusal(_ conflicts: [UniquenessConflict]) -> NSError {
        SaveRefusal.collision(
            of: conflicts.map(\.constraint), row: "A row of the batch, after \(outcome.count) others: ")
    }
}
