import CoreDataSQL
import PostgresKit

/// Rows of one entity that one statement inserts or updates, each column of them an array.
struct RowBatch {
    /// So many rows at most go into one statement, whose arrays have to fit into memory and into a message.
    static let mostRows = 10_000

    private let table: RowTable
    private let shape: PostgresShape
    private let fields: [RowTable.Field]

    /// All columns of an entity, or with `slots` the changed ones.
    init(_ table: RowTable, _ shape: PostgresShape, updating slots: SlotSet? = nil) {
        self.table = table
        self.shape = shape
        fields = slots.map { table.fields(updating: $0) } ?? table.fields
    }

    private var name: String { shape.schema.table(table.mapping.table) }

    private var columns: [String] { fields.map { SQLIdentifier.quoted($0.column) } }

    /// Inserts the rows.
    func insertion(of rows: ArraySlice<SavePlan.Row>) throws -> PostgresStatement {
        let targets = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
        let types = ["int8[]", "int8[]"] + fields.map { ColumnArray.name(of: $0.type) }
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1)" }
        let names = ["k", "o"] + fields.indices.map { "c\($0)" }
        let values = ["u.k", "\(table.mapping.number)", "u.o"] + fields.indices.map { "u.c\($0)" }
        return PostgresStatement(
            "INSERT INTO \(name) (\(targets)) SELECT \(values.joined(separator: ", ")) "
                + "FROM unnest(\(arrays.joined(separator: ", "))) AS u(\(names.joined(separator: ", ")))",
            [try integers(rows) { $0.key }, try integers(rows) { $0.version }]
                + (try fields.map { try array($0, rows) }))
    }

    /// Writes the changed columns over the rows of the expected versions; gives the keys of those that were there.
    func update(of rows: ArraySlice<SavePlan.Row>) throws -> PostgresStatement {
        let types = ["int8[]", "int8[]", "int8[]"] + fields.map { ColumnArray.name(of: $0.type) }
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1)" }
        let names = ["k", "e", "o"] + fields.indices.map { "c\($0)" }
        let sets = ["Z_OPT = u.o"] + zip(columns, fields.indices).map { "\($0) = u.c\($1)" }
        return PostgresStatement(
            "UPDATE \(name) t SET \(sets.joined(separator: ", ")) "
                + "FROM unnest(\(arrays.joined(separator: ", "))) AS u(\(names.joined(separator: ", "))) "
                + "WHERE t.Z_PK = u.k AND coalesce(t.Z_OPT, 0) = u.e RETURNING t.Z_PK",
            [
                try integers(rows) { $0.key }, try integers(rows) { $0.expectedVersion },
                try integers(rows) { $0.version },
            ] + (try fields.map { try array($0, rows) }))
    }

    /// Writes columns of rows as they are, which are the same rows afterwards: without effect on their versions.
    func rewriting(of rows: ArraySlice<SavePlan.Row>) throws -> PostgresStatement {
        let types = ["int8[]"] + fields.map { ColumnArray.name(of: $0.type) }
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1)" }
        let names = ["k"] + fields.indices.map { "c\($0)" }
        let sets = zip(columns, fields.indices).map { "\($0) = u.c\($1)" }
        return PostgresStatement(
            "UPDATE \(name) t SET \(sets.joined(separator: ", ")) "
                + "FROM unnest(\(arrays.joined(separator: ", "))) AS u(\(names.joined(separator: ", "))) "
                + "WHERE t.Z_PK = u.k",
            [try integers(rows) { $0.key }] + (try fields.map { try array($0, rows) }))
    }

    private func integers(
        _ rows: ArraySlice<SavePlan.Row>, _ value: (SavePlan.Row) -> Int64
    ) throws -> PostgresParameter {
        var array = ColumnArray(.integer, capacity: rows.count)
        for row in rows { array.append(value(row)) }
        return try array.parameter()
    }

    private func array(_ field: RowTable.Field, _ rows: ArraySlice<SavePlan.Row>) throws -> PostgresParameter {
        var array = ColumnArray(field.type, capacity: rows.count)
        for row in rows {
            if let element = field.row.element {
                append(element, field.slot, of: row, to: &array)
            } else if field.row.isEntityNumber {
                appendEntityNumber(field.slot, of: row, to: &array)
            } else {
                array.append(row.slab.storedValue(row.index, field.slot))
            }
        }
        return try array.parameter()
    }

    private func appendEntityNumber(_ slot: Int, of row: SavePlan.Row, to array: inout ColumnArray) {
        guard row.slab.tag(row.index, slot) == RowTag.integer else { return array.appendNull() }
        let number = Int(truncatingIfNeeded: row.slab.integer(row.index, slot))
        array.append(Int64(shape.entityNumber(ofLayout: number)))
    }

    private func append(_ element: Int, _ slot: Int, of row: SavePlan.Row, to array: inout ColumnArray) {
        guard row.slab.tag(row.index, slot) == RowTag.blob else { return array.appendNull() }
        let elements = CompositeCoding.elements(in: row.slab.bytes(row.index, slot))
        guard element < elements.count else { return array.appendNull() }
        array.append(elements[element])
    }
}
