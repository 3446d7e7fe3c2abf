import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Carries out batch requests as save plans: history, derived values and checks are the same as in a save.
///
/// An update or a deletion reads all its rows, so memory use grows with their number.
extension PostgresStore: BatchWriting {
    package var batchWriting: (any BatchWriting)? { self }

    /// The maximum number of attempts if other transactions change the batch's rows meanwhile.
    private static let mostAttempts = 8

    package func update(_ batch: BatchUpdate, by source: ChangeSource) throws -> BatchOutcome {
        try repeated {
            try requireTargets(of: [batch.constants])
            let rows = try snapshots(batch.query)
            let records = ServerRecords(session)
            let expressions = batch.expressions.map(\.expression) + batch.elements.compactMap(\.expression)
            records.prefetch(RelationshipPaths(expressions).paths, from: rows)
            var copies = RowCopies()
            var plan = SavePlan()
            plan.source = source
            plan.updates = try rows.map { row in
                try copies.update(of: row) { slab, index, memory in
                    var slots = batch.constants.write(to: slab, memory)
                    for (slot, expression) in batch.expressions {
                        let own = batch.query.binding.layout.slots[slot]
                        guard case .attribute(let attribute, let kind) = own.content,
                            case .attribute(let place) = slab.layout.places[own.name]
                        else { continue }
                        let value = try Self.computed {
                            let value = try expression.value(on: StoredRecord(row, of: records))
                            _ = try SlotCoding.accept(value, for: attribute, kind)
                            return value
                        }
                        DerivedCell(value, of: attribute).write(to: slab, index, place)
                        slots.insert(place)
                    }
                    try Self.writeElements(of: batch, to: slab, index, slots: &slots) { expression, attribute in
                        try Self.computed {
                            try DerivedCell(
                                accepting: expression.value(on: StoredRecord(row, of: records)), of: attribute)
                        }
                    }
                    return slots
                }
            }
            try records.requireRead()
            guard try write(plan) else { return nil }
            return outcome(of: rows.map { RowAddress(binding: $0.slab.binding, key: $0.key) }, batch.report)
        }
    }

    /// Writes single elements of composite attributes into a row, which may be of a subentity, and adds their slots to
    /// `slots`.
    private static func writeElements(
        of batch: BatchUpdate, to slab: RowSlab, _ index: Int, slots: inout SlotSet,
        value: (NSExpression, NSAttributeDescription) throws -> DerivedCell
    ) throws {
        let layout = batch.query.binding.layout
        for (slot, elements) in Dictionary(grouping: batch.elements, by: \.slot) {
            guard case .attribute(let composite, _) = layout.slots[slot].content,
                case .attribute(let place) = slab.layout.places[composite.name]
            else { continue }
            var cells: [Int: DerivedCell] = [:]
            for element in elements {
                switch element.source {
                case .constant(let cell): cells[element.place] = cell
                case .computed(let expression): cells[element.place] = try value(expression, element.attribute)
                }
            }
            let coding = CompositeCoding(slab.storedValue(index, place), of: composite, replacing: cells)
            let bits = coding.isNull ? 0 : coding.bytes.withUnsafeBytes { slab.append($0) }
            slab.set(coding.isNull ? RowTag.null : RowTag.blob, bits, row: slab.row(index), slot: place)
            slots.insert(place)
        }
    }

    package func delete(_ batch: BatchDeletion, by source: ChangeSource) throws -> BatchOutcome {
        try repeated {
            var deletion = BatchDeletionPlan(session)
            var plan = try deletion.plan(deleting: snapshots(batch.query))
            plan.source = source
            guard try write(plan) else { return nil }
            let addresses = plan.deletions.map(\.address)
                .sorted { ($0.binding.layout.root, $0.key) < ($1.binding.layout.root, $1.key) }
            return outcome(of: addresses, batch.report)
        }
    }

    package func insert(_ batch: BatchInsertion, by source: ChangeSource) throws -> BatchOutcome {
        _ = try shape.table(of: batch.binding.layout)
        var insertion = BatchInsertionRun(batch, by: source, self)
        return try savingTogether { try insertion.run() }
    }

    // MARK: Steps

    /// Runs a block in a transaction, up to `mostAttempts` times, each time in a new one, until it returns an outcome.
    ///
    /// The block returns nil when another transaction has changed its rows meanwhile.
    private func repeated(_ body: () throws -> BatchOutcome?) throws -> BatchOutcome {
        for _ in 0..<Self.mostAttempts {
            do {
                return try savingTogether {
                    guard let outcome = try body() else { throw RowsChanged() }
                    return outcome
                }
            } catch is RowsChanged {
                continue
            }
        }
        throw CoreDataError.make(
            NSManagedObjectMergeError, "The batch was not carried out: others changed its rows again and again.",
            hint: "Try again.")
    }

    private struct RowsChanged: Error {}

    private func snapshots(_ query: FetchQuery) throws -> [RowSnapshot] {
        let table = try shape.table(of: query.binding.layout)
        return try session.rows(query, table).flatMap { run in
            run.range.map { RowSnapshot(slab: run.slab, index: $0) }
        }
    }

    private func outcome(of addresses: [RowAddress], _ report: BatchReport) -> BatchOutcome {
        BatchOutcome(count: addresses.count, addresses: report == .addresses ? addresses : [])
    }

    /// Carries out a plan; returns false if another transaction has changed its rows.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` if a uniqueness constraint would be violated.
    private func write(_ plan: SavePlan) throws -> Bool {
        switch try plan.isEmpty ? .saved(SaveReceipt()) : save(plan) {
        case .saved: return true
        case .conflicts, .keysTaken: return false
        case .constraintConflicts(let conflicts): throw SaveRefusal.collision(of: conflicts.map(\.constraint))
        }
    }

    /// Computes a value; throws `NSCoreDataError` if the expression has no value, or one that does not fit the
    /// attribute.
    private static func computed<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw CoreDataError.make(NSCoreDataError, "\(error)", underlying: error)
        }
    }

    /// Throws `NSManagedObjectReferentialIntegrityError` unless the destination rows of given to-one relationships
    /// exist.
    func requireTargets(of rows: [SavePlan.Row]) throws {
        var wanted: [Int: (name: String, layout: EntityLayout, keys: Set<Int64>)] = [:]
        for row in rows where row.slab.layout.hasReferences {
            for slot in 0..<row.slab.layout.storedCount where row.changed.contains(slot) {
                guard case .toOne(let relationship) = row.slab.layout.slots[slot].content,
                    let reference = row.slab.reference(row.index, slot), let number = reference.target,
                    shape.layouts.entities.indices.contains(number)
                else { continue }
                let layout = shape.layouts.entities[number]
                wanted[layout.root, default: (relationship.name, layout, [])].keys.insert(reference.key)
            }
        }
        for (name, layout, keys) in wanted.values {
            let table = schemaTable(of: layout)
            let found = try session.reporting("be read") {
                try session.query("SELECT Z_PK FROM \(table) WHERE Z_PK = ANY($1)", [.integers(Array(keys))])
            }
            guard found.rowCount < keys.count else { continue }
            throw CoreDataError.make(
                NSManagedObjectReferentialIntegrityError,
                "The object that '\(name)' is to lead to is not in the store any more.")
        }
    }

    private func schemaTable(of layout: EntityLayout) -> String {
        let mapping = shape.schema.store.entity(named: layout.entity.name ?? "")
        return shape.schema.table(mapping?.table ?? "")
    }
}
