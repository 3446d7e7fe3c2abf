import CoreDataSQL
import SQLiteKit

/// Finds out why a unique index rejected rows: the properties concerned, and the rows that have the same values.
///
/// Runs within the transaction that has written all other rows, before it is rolled back. One statement looks up many
/// rows of an entity, so that the number of statements stays small.
struct SQLiteUniquenessSearch {
    /// The maximum number of rows that one statement looks up.
    static let batchSize = 500

    let file: StoreFile

    /// Returns the conflicts of rejected rows; rows that collide with the same other row form one conflict.
    func conflicts(of rows: [SavePlan.Row]) throws -> [UniquenessConflict] {
        let found = try holders(of: rows)
        var order: [Collision] = []
        var colliding: [Collision: (rows: [RowAddress], holder: RowAddress?)] = [:]
        for (row, holders) in zip(rows, found) {
            for (constraint, holder) in holders {
                let collision = Collision(constraint: constraint, root: row.slab.layout.root, key: holder?.key)
                if colliding[collision] == nil { order.append(collision) }
                colliding[collision, default: ([], holder)].rows.append(row.address)
            }
        }
        return order.compactMap { collision in
            colliding[collision].map {
                UniquenessConflict(constraint: collision.constraint, rows: $0.rows, holder: $0.holder)
            }
        }
    }

    /// Throws if a row has the same values as another, in case the file lacks the unique index that would reject the
    /// row.
    ///
    /// - Throws: `SaveRefusal` with the conflicts.
    func requireUnique(_ rows: [SavePlan.Row]) throws {
        let found = try search(rows) { row, lookup in
            row.expectedVersion == 0 || lookup.slots.contains { row.changed.contains($0) }
        }
        let colliding = zip(rows, found).filter { !$1.isEmpty }.map(\.0)
        guard !colliding.isEmpty else { return }
        throw SaveRefusal(outcome: .constraintConflicts(try conflicts(of: colliding)))
    }

    private struct Collision: Hashable {
        let constraint: [String]
        let root: Int
        let key: Int64?
    }

    /// Returns the constraints that a row violates, each with the row that has the same values. If no constraint of the
    /// model is violated, an index outside the model refused the row: the result is one entry without names and row.
    func holders(for row: SavePlan.Row) throws -> [([String], RowAddress?)] { try holders(of: [row])[0] }

    /// Returns for each row the constraints that it violates, with the rows that have the same values.
    private func holders(of rows: [SavePlan.Row]) throws -> [[([String], RowAddress?)]] {
        // A unique index that is not in the model has no property names.
        try search(rows) { _, _ in true }.map { $0.isEmpty ? [([], nil)] : $0 }
    }

    /// Returns for each row the constraints that it violates, among those that `isRequested` selects, with the rows
    /// that have the same values; empty for a row without a collision.
    private func search(
        _ rows: [SavePlan.Row], _ isRequested: (SavePlan.Row, UniquenessLookup) -> Bool
    ) throws -> [[([String], RowAddress?)]] {
        var holders = rows.map { _ in [([String], RowAddress?)]() }
        for numbers in Dictionary(grouping: rows.indices, by: { rows[$0].slab.layout.number }).values {
            guard let first = numbers.first, let plan = file.plan(for: rows[first]) else { continue }
            for constraint in plan.layout.entity.allUniquenessConstraintNames {
                guard let lookup = UniquenessLookup(constraint, plan) else { continue }
                let requested = numbers.filter { isRequested(rows[$0], lookup) }
                for start in stride(from: 0, to: requested.count, by: Self.batchSize) {
                    let batch = Array(requested[start..<min(start + Self.batchSize, requested.count)])
                    for (place, holder) in try lookup.holders(of: batch.map { rows[$0] }, in: file) {
                        holders[numbers[start + place]].append((constraint, holder))
                    }
                }
            }
        }
        return holders
    }
}

/// Finds rows of a table that have the same values as given rows; null values never match.
private struct UniquenessLookup {
    private let table: String
    private let fields: [RowField]

    var slots: [Int] { fields.map(\.slot) }

    /// Returns nil for a constraint whose properties the table does not store.
    init?(_ constraint: [String], _ plan: RowPlan) {
        table = SQLIdentifier.quoted(plan.mapping.table)
        guard let fields = RowField.fields(named: constraint, of: plan.layout, among: plan.fields) else { return nil }
        self.fields = fields
    }

    /// Returns other rows with the same values, with the indexes of the given rows.
    func holders(of rows: [SavePlan.Row], in file: StoreFile) throws -> [(place: Int, holder: RowAddress)] {
        let statement = try file.connection.prepare(text(count: rows.count))
        var parameter = 0
        for (place, row) in rows.enumerated() {
            for value in [.integer(Int64(place)), .integer(row.key)] + fields.map({ Self.value(row, $0) }) {
                parameter += 1
                try statement.bind(value, at: parameter)
            }
        }
        var holders: [(place: Int, holder: RowAddress)] = []
        while try statement.step() {
            let place = Int(statement.int64(0))
            guard holders.last?.place != place, let other = file.plan(number: statement.int64(2)) else { continue }
            holders.append((place, RowAddress(binding: other.binding, key: statement.int64(1))))
        }
        return holders
    }

    private func text(count: Int) -> String {
        let marks = "(" + Array(repeating: "?", count: fields.count + 2).joined(separator: ", ") + ")"
        let names = ["place", "own"] + fields.indices.map { "v\($0)" }
        let conditions = fields.enumerated().map { "t.\(SQLIdentifier.quoted($1.column)) = w.v\($0)" }
        return "WITH w(\(names.joined(separator: ", "))) AS "
            + "(VALUES \(Array(repeating: marks, count: count).joined(separator: ", "))) "
            + "SELECT w.place, t.Z_PK, t.Z_ENT FROM w CROSS JOIN \(table) t ON \(conditions.joined(separator: " AND ")) "
            + "AND t.Z_PK <> w.own ORDER BY w.place, t.Z_PK"
    }

    private static func value(_ row: SavePlan.Row, _ field: RowField) -> Value {
        let value = field.storedValue(in: row.slab, row.index)
        return switch value.tag {
        case RowTag.integer: .integer(value.integer)
        case RowTag.real: .real(value.real)
        case RowTag.text: .text(String(decoding: value.bytes, as: UTF8.self))
        case RowTag.blob: .blob(Array(value.bytes))
        default: .null
        }
    }
}
