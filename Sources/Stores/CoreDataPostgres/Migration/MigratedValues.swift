import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Computes values of migrated rows in memory, a thousand rows at a time, within the migration's transaction.
struct MigratedValues {
    private static let rowsAtOnce = 1_000

    private let session: PostgresSession
    private let time = Date()

    init(_ session: PostgresSession) { self.session = session }

    /// Sets a new attribute of existing rows by the model's backfill rule.
    ///
    /// - Throws: `NSMigrationError` naming the attribute if its rule is invalid, or gives an unsuitable value.
    func backfill(_ attribute: NSAttributeDescription) throws {
        do {
            let expression = try NSExpression(parsing: attribute.backfillRule ?? "")
            try rewrite(attribute, paths: RelationshipPaths([expression]).paths) { row, slot, records in
                let value = try expression.value(on: StoredRecord(row, of: records))
                return [(slot, try DerivedCell(accepting: value, of: attribute))]
            }
        } catch let error as PostgresError {
            throw error
        } catch {
            throw SchemaMigration.backfillFailure(attribute, error)
        }
    }

    /// Computes a derived attribute; a time is set only where it is missing, as a migration does not count as an
    /// update.
    func derive(_ attribute: NSDerivedAttributeDescription) throws {
        let plan = session.shape.derivationPlan
        let layouts = session.shape.layouts.entities
        let slots = layouts.map { layout in
            plan.slots[layout.number].filter { layout.slots[$0.slot].name == attribute.name }
        }
        let paths = RelationshipPaths(slots.flatMap { $0.compactMap(\.expression) }).paths
        try rewrite(attribute, paths: paths) { row, slot, records in
            let own = slots[row.slab.layout.number]
            let isTime = own.contains { $0.expression == nil }
            guard !isTime || row.slab.tag(row.index, slot) == RowTag.null else { return [] }
            return DerivedValues(own, of: row, records, time: time).differing(from: row)
        }
    }

    /// Rewrites the rows of the entity that declares an attribute, and of its subentities, with the cells that `cells`
    /// returns.
    private func rewrite(
        _ attribute: NSAttributeDescription, paths: Set<[String]>,
        _ cells: (RowSnapshot, Int, ServerRecords) throws -> [(slot: Int, cell: DerivedCell)]
    ) throws {
        let shape = session.shape
        guard let mapping = attribute.entity?.name.flatMap(shape.schema.store.entity(named:)) else { return }
        let selection = shape.selection(of: mapping, withDescendants: true)
        let family = mapping.familyNumbers.map(String.init).joined(separator: ", ")
        let query =
            "SELECT \(selection.list) FROM \(shape.schema.table(mapping.table)) t0 WHERE t0.Z_PK > $1::int8 "
            + "AND t0.Z_ENT IN (\(family)) ORDER BY t0.Z_PK LIMIT \(Self.rowsAtOnce)"
        var last = Int64.min
        while true {
            let result = try session.query(query, [.integer(last)])
            guard result.rowCount > 0, let key = result.int64(result.rowCount - 1, 0) else { return }
            last = key
            var reader = PostgresRowReader(shape, selection, expectedCount: result.rowCount)
            let rows = reader.read(result).flatMap { run in
                run.range.map { RowSnapshot(slab: run.slab, index: $0) }
            }
            let records = ServerRecords(session)
            records.prefetch(paths, from: rows)
            let changed = try rows.compactMap { row -> SavePlan.Row? in
                guard case .attribute(let slot) = row.slab.layout.places[attribute.name] else { return nil }
                let values = try cells(row, slot, records)
                return values.isEmpty ? nil : Self.changed(row, values)
            }
            try records.requireRead()
            try write(changed)
        }
    }

    private func write(_ rows: [SavePlan.Row]) throws {
        let groups = Dictionary(grouping: rows) { $0.slab.layout.number }
        var statements: [PostgresStatement] = []
        for group in groups.values {
            guard let first = group.first else { continue }
            let batch = RowBatch(
                try session.shape.table(of: first.slab.layout), session.shape, updating: first.changed)
            statements.append(try batch.rewriting(of: group[...]))
        }
        _ = try session.connection.pipeline(statements)
    }

    private static func changed(_ row: RowSnapshot, _ cells: [(slot: Int, cell: DerivedCell)]) -> SavePlan.Row {
        let slab = RowSlab(binding: row.slab.binding, capacity: 1)
        let index = slab.appendCopy(of: row.slab, row.index)
        var slots = SlotSet()
        for (slot, cell) in cells {
            cell.write(to: slab, index, slot)
            slots.insert(slot)
        }
        return SavePlan.Row(slab: slab, index: index, changed: slots, expectedVersion: row.version)
    }
}

/// Creates and owns the entity bindings of a store that is not open.
final class RowOwner: BackendDelegate {
    var identifier: String! = ""
    var metadata: [String: Any]! = [:]
    var hasUnsavedMetadata = false
    private var bindings: [Int: EntityBinding] = [:]

    func binding(for layout: EntityLayout) -> EntityBinding {
        if let known = bindings[layout.number] { return known }
        let binding = EntityBinding(unowned: layout)
        bindings[layout.number] = binding
        return binding
    }

    func publish(_ slab: RowSlab) {}
}
