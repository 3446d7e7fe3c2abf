import CoreDataSQL
import PostgresKit

/// Builds the statements that insert or update rows of one entity, with an array parameter for each column.
///
/// A single row is sent with scalar parameters instead of arrays: the server can then cache the statement's plan.
struct RowBatch {
    /// The maximum number of rows in one statement, whose arrays must fit in memory and in a message.
    static let mostRows = 10_000

    private let table: RowTable
    private let shape: PostgresShape
    private let slots: SlotSet?
    private let fields: [RowTable.Field]

    /// Uses all columns of an entity; with `slots`, the columns of these slots.
    init(_ table: RowTable, _ shape: PostgresShape, updating slots: SlotSet? = nil) {
        self.table = table
        self.shape = shape
        self.slots = slots
        fields = slots.map { table.fields(updating: $0) } ?? table.fields
    }

    private var name: String { shape.schema.table(table.mapping.table) }

    private var columns: [String] { fields.map { SQLIdentifier.quoted($0.column) } }

    /// Returns the statement that inserts the rows.
    func insertion(of rows: ArraySlice<SavePlan.Row>) throws -> PostgresStatement {
        let isOne = rows.count == 1
        let sql =
            isOne
            ? shape.texts.text(.insertion, entity: table.mapping.number, slots: slots) { insertion(true) }
            : insertion(false)
        return PostgresStatement(sql, try parameters(rows, { $0.key }, { $0.version }))
    }

    private func insertion(_ isOne: Bool) -> String {
        let targets = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
        let source =
            isOne
            ? "VALUES (\((["$1::int8", "\(table.mapping.number)", "$2::int8"] + values(from: 3)).joined(separator: ", ")))"
            : "SELECT \((["u.k", "\(table.mapping.number)", "u.o"] + elements).joined(separator: ", ")) FROM \(arrays("k", "o"))"
        return "INSERT INTO \(name) (\(targets)) \(source)"
    }

    /// Returns the statement that updates the rows that have the expected versions; it returns their keys.
    func update(of rows: ArraySlice<SavePlan.Row>) throws -> PostgresStatement {
        let isOne = rows.count == 1
        let sql =
            isOne
            ? shape.texts.text(.update, entity: table.mapping.number, slots: slots) { update(true) } : update(false)
        return PostgresStatement(sql, try parameters(rows, { $0.key }, { $0.expectedVersion }, { $0.version }))
    }

    private func update(_ isOne: Bool) -> String {
        let sets = zip(["Z_OPT"] + columns, isOne ? ["$3::int8"] + values(from: 4) : ["u.o"] + elements)
            .map { "\($0) = \($1)" }.joined(separator: ", ")
        let source = isOne ? "" : " FROM \(arrays("k", "e", "o"))"
        let (key, version) = isOne ? ("$1::int8", "$2::int8") : ("u.k", "u.e")
        return "UPDATE \(name) t SET \(sets)\(source) "
            + "WHERE t.Z_PK = \(key) AND coalesce(t.Z_OPT, 0) = \(version) RETURNING t.Z_PK"
    }

    /// Returns the statement that sets columns without checking or changing the rows' versions.
    func rewriting(of rows: ArraySlice<SavePlan.Row>) throws -> PostgresStatement {
        let isOne = rows.count == 1
        let sets = zip(columns, isOne ? values(from: 2) : elements).map { "\($0) = \($1)" }.joined(separator: ", ")
        return PostgresStatement(
            "UPDATE \(name) t SET \(sets)\(isOne ? "" : " FROM \(arrays("k"))") "
                + "WHERE t.Z_PK = \(isOne ? "$1::int8" : "u.k")", try parameters(rows, { $0.key }))
    }

    // MARK: SQL

    /// Returns the placeholders for the fields of one row; the first has the number `number`.
    private func values(from number: Int) -> [String] {
        fields.enumerated().map { "$\($0 + number)::\(ColumnArray.elementName(of: $1.type))" }
    }

    /// The columns of the expanded arrays that contain the fields.
    private var elements: [String] { fields.indices.map { "u.c\($0)" } }

    /// Returns the FROM item that expands the arrays to rows: integers with the given names, then the fields.
    private func arrays(_ integers: String...) -> String {
        let types = integers.map { _ in "int8[]" } + fields.map { ColumnArray.name(of: $0.type) }
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1)" }.joined(separator: ", ")
        let names = integers + fields.indices.map { "c\($0)" }
        return "unnest(\(arrays)) AS u(\(names.joined(separator: ", ")))"
    }

    // MARK: Values

    private func parameters(
        _ rows: ArraySlice<SavePlan.Row>, _ integers: (SavePlan.Row) -> Int64...
    ) throws -> [PostgresParameter] {
        let columns =
            integers.map { value in
                var array = ColumnArray(.integer, capacity: rows.count)
                for row in rows { array.append(value(row)) }
                return array
            } + fields.map { column($0, rows) }
        return try columns.map { try rows.count == 1 ? $0.onlyElement() : $0.parameter() }
    }

    private func column(_ field: RowTable.Field, _ rows: ArraySlice<SavePlan.Row>) -> ColumnArray {
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
        return array
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
