import CoreDataSQL
import PostgresKit

/// Finds the rows of a plan whose unique values other rows also have.
///
/// Runs in the transaction that has written all rows, before the server checks the constraints: one query for each
/// constraint of each table, independent of the number of rows.
struct PostgresUniquenessSearch {
    private struct Search {
        let constraint: [String]
        let statement: PostgresStatement
    }

    private let shape: PostgresShape
    private var searches: [Search] = []
    /// The order in which the plan's rows get their values, by row: among rows with the same values, the first keeps
    /// them.
    private var turns: [RowKey: Int] = [:]

    /// - Parameter rows: the rows that are written, in the order in which they get their values.
    init(_ rows: [SavePlan.Row], _ shape: PostgresShape) throws {
        self.shape = shape
        guard shape.hasConstraints else { return }
        for (turn, row) in rows.enumerated() { turns[RowKey(row.address)] = turn }
        for group in Dictionary(grouping: rows, by: { $0.slab.layout.number }).sorted(by: { $0.key < $1.key }) {
            guard let layout = group.value.first?.slab.layout else { continue }
            let table = try shape.table(of: layout)
            for constraint in layout.entity.allUniquenessConstraintNames {
                add(constraint, table: table, rows: group.value)
            }
        }
    }

    private mutating func add(_ constraint: [String], table: RowTable, rows: [SavePlan.Row]) {
        guard let fields = table.fields(named: constraint) else { return }
        // An inserted row expects no version; an updated row can only collide if it changes a property of the
        // constraint.
        let concerned = rows.filter { row in
            row.expectedVersion == 0 || fields.contains { row.changed.contains($0.slot) }
        }
        guard !concerned.isEmpty else { return }
        let name = shape.schema.table(table.mapping.table)
        let same = fields.map { shape.schema.sameValue($0.column, in: table.mapping.table, first: "o", second: "t") }
        searches.append(
            Search(
                constraint: constraint,
                statement: PostgresStatement(
                    "SELECT t.Z_PK, t.Z_ENT, o.Z_PK, o.Z_ENT FROM \(name) t JOIN \(name) o "
                        + "ON \(same.joined(separator: " AND ")) AND o.Z_PK <> t.Z_PK WHERE t.Z_PK = ANY($1) "
                        + "ORDER BY t.Z_PK, o.Z_PK",
                    [.integers(concerned.map(\.key))])))
    }

    var statements: [PostgresStatement] { searches.map(\.statement) }

    /// A row that collides, and the row that keeps the values.
    private struct Collision {
        let constraint: Int
        let row: RowAddress
        let holder: RowAddress
    }

    /// - Throws: `SaveRefusal` with all conflicts; rows that collide with the same other row form one conflict.
    func requireUnique(_ results: [PostgresResult]) throws {
        var collisions: [Collision] = []
        for (number, result) in zip(searches.indices, results) { collisions += self.collisions(number, result) }
        guard !collisions.isEmpty else { return }
        // The conflicts of the plan's first rows are reported first.
        collisions.sort { (turn(of: $0.row), $0.constraint) < (turn(of: $1.row), $1.constraint) }
        var order: [Mark] = []
        var rows: [Mark: (holder: RowAddress, rows: [RowAddress])] = [:]
        for collision in collisions {
            let mark = Mark(constraint: searches[collision.constraint].constraint, holder: RowKey(collision.holder))
            if rows[mark] == nil { order.append(mark) }
            rows[mark, default: (collision.holder, [])].rows.append(collision.row)
        }
        throw SaveRefusal(
            outcome: .constraintConflicts(
                order.compactMap { mark in
                    rows[mark].map { UniquenessConflict(constraint: mark.constraint, rows: $0.rows, holder: $0.holder) }
                }))
    }

    private struct Mark: Hashable {
        let constraint: [String]
        let holder: RowKey
    }

    /// Returns the position of a row in that order; existing rows precede all rows of the plan.
    private func turn(of address: RowAddress) -> Int { turns[RowKey(address), default: -1] }

    private func collisions(_ number: Int, _ result: PostgresResult) -> [Collision] {
        var found: [RowKey: Collision] = [:]
        for row in 0..<result.rowCount {
            guard let own = address(result, row: row, column: 0), let other = address(result, row: row, column: 2),
                turn(of: own) > turn(of: other)
            else { continue }
            if let known = found[RowKey(own)], turn(of: known.holder) <= turn(of: other) { continue }
            found[RowKey(own)] = Collision(constraint: number, row: own, holder: other)
        }
        return Array(found.values)
    }

    private func address(_ result: PostgresResult, row: Int, column: Int) -> RowAddress? {
        guard let key = result.int64(row, column), let number = result.int64(row, column + 1),
            let table = shape.table(number: number)
        else { return nil }
        return RowAddress(binding: table.binding, key: key)
    }
}
