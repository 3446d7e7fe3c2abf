import CoreDataSQL
import SQLiteKit

/// Finds out why rows were refused by a unique index: which properties, and which other rows have the values.
///
/// Asked within the transaction that wrote all other rows, before it is taken back.
struct UniquenessSearch {
    let file: StoreFile

    /// The conflicts of refused rows; rows that collide with the same other row are one conflict.
    func conflicts(of rows: [SavePlan.Row]) throws -> [UniquenessConflict] {
        var order: [Collision] = []
        var found: [Collision: (rows: [RowAddress], holder: RowAddress?)] = [:]
        for row in rows {
            for (constraint, holder) in try holders(for: row) {
                let collision = Collision(constraint: constraint, root: row.slab.layout.root, key: holder?.key)
                if found[collision] == nil { order.append(collision) }
                found[collision, default: ([], holder)].rows.append(row.address)
            }
        }
        return order.compactMap { collision in
            found[collision].map {
                UniquenessConflict(constraint: collision.constraint, rows: $0.rows, holder: $0.holder)
            }
        }
    }

    private struct Collision: Hashable {
        let constraint: [String]
        let root: Int
        let key: Int64?
    }

    /// The constraints that a row breaks, with the rows that have the values; an index of the file's own has no names.
    func holders(for row: SavePlan.Row) throws -> [([String], RowAddress?)] {
        let known = try Self.constraints(of: row.slab.layout.entity).compactMap { constraint in
            try holder(of: constraint, row).map { (constraint, Optional($0)) }
        }
        return known.isEmpty ? [([], nil)] : known
    }

    /// The groups of names that must be unique together, those of ancestors included.
    private static func constraints(of entity: NSEntityDescription) -> [[String]] {
        var groups: [[String]] = []
        var next: NSEntityDescription? = entity
        while let current = next {
            for names in current.uniquenessConstraintNames where !groups.contains(names) { groups.append(names) }
            next = current.superentity
        }
        return groups
    }

    /// Another row with the same values; nil when there is none, or one of the values is nil.
    private func holder(of constraint: [String], _ row: SavePlan.Row) throws -> RowAddress? {
        guard let plan = file.plan(for: row) else { return nil }
        let fields = constraint.compactMap { name in
            plan.fields.first { plan.layout.slots[$0.slot].name == name && $0.element == nil && !$0.isEntityNumber }
        }
        guard fields.count == constraint.count else { return nil }
        let conditions = fields.map { SQLIdentifier.quoted($0.column) + " = ?" }.joined(separator: " AND ")
        let statement = try file.connection.prepare(
            "SELECT Z_PK, Z_ENT FROM \(SQLIdentifier.quoted(plan.mapping.table)) WHERE \(conditions) AND Z_PK <> ?")
        for (index, field) in fields.enumerated() {
            try statement.bind(Self.value(row, field.slot), at: index + 1)
        }
        try statement.bind(row.key, at: fields.count + 1)
        guard try statement.step(), let other = file.plan(number: statement.int64(1)) else { return nil }
        return RowAddress(binding: other.binding, key: statement.int64(0))
    }

    private static func value(_ row: SavePlan.Row, _ slot: Int) -> Value {
        switch row.slab.tag(row.index, slot) {
        case RowTag.integer: .integer(row.slab.integer(row.index, slot))
        case RowTag.real: .real(row.slab.real(row.index, slot))
        case RowTag.text: .text(String(decoding: row.slab.bytes(row.index, slot), as: UTF8.self))
        case RowTag.blob: .blob(Array(row.slab.bytes(row.index, slot)))
        default: .null
        }
    }
}
