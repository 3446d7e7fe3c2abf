import CoreDataSQL
import SQLiteKit

/// A prepared statement that inserts or updates rows.
final class RowStatement {
    private let file: StoreFile
    private let plan: RowPlan
    private let form: RowForm
    private let statement: Statement
    /// The query for the large values that an update replaces; nil if there are none.
    private let largeValues: Statement?

    var isInsertion: Bool { form.isInsertion }

    private var fields: [RowField] { form.fields }

    /// The number of parameters before the fields: key, entity number and version of an insertion; version of an
    /// update.
    private var leading: Int { isInsertion ? 3 : 1 }

    /// Prepares the insertion of a row; with `slots`, the update of the columns of these slots.
    init(_ plan: RowPlan, _ file: StoreFile, updating slots: SlotSet? = nil) throws {
        self.plan = plan
        self.file = file
        form = plan.form(updating: slots)
        statement = try file.connection.prepare(form.text)
        largeValues = try form.largeValues?.query(file.connection)
    }

    func insert(_ row: SavePlan.Row) throws {
        try statement.bind(row.key, at: 1)
        try statement.bind(Int64(plan.mapping.number), at: 2)
        try statement.bind(row.version, at: 3)
        try bindValues(row)
        try statement.run()
    }

    /// Updates a row if it has the expected version; returns false if there is no such row.
    func update(_ row: SavePlan.Row) throws -> Bool {
        if let largeValues { try file.external.markReplaced(in: largeValues, key: row.key) }
        try statement.bind(row.version, at: 1)
        try bindValues(row)
        try statement.bind(row.key, at: fields.count + 2)
        try statement.bind(row.expectedVersion, at: fields.count + 3)
        try statement.run()
        return file.connection.changes == 1
    }

    /// Sets the columns to be changed to null, without changing the row's version, until the row is written.
    func park(_ row: SavePlan.Row) throws {
        let nulls = fields.map { SQLIdentifier.quoted($0.column) + " = NULL" }.joined(separator: ", ")
        try file.connection.execute(
            "UPDATE \(SQLIdentifier.quoted(plan.mapping.table)) SET \(nulls) WHERE Z_PK = ? "
                + "AND IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?", [.integer(row.key), .integer(row.expectedVersion)])
    }

    private func bindValues(_ row: SavePlan.Row) throws {
        let slab = row.slab
        try statement.bind(form.cells, of: slab.row(row.index), from: leading + 1) { slab.bytes($0) }
        for (field, parameter) in form.translated { try bind(field, of: row, at: leading + 1 + parameter) }
    }

    private func bind(_ field: RowField, of row: SavePlan.Row, at index: Int) throws {
        if let element = field.element { return try bindElement(element, field.slot, of: row, at: index) }
        guard row.slab.tag(row.index, field.slot) == RowTag.integer else { return try statement.bindNull(at: index) }
        let number = Int(truncatingIfNeeded: row.slab.integer(row.index, field.slot))
        try statement.bind(file.entityNumber(ofLayout: number), at: index)
    }

    private func bindElement(_ element: Int, _ slot: Int, of row: SavePlan.Row, at index: Int) throws {
        let isNull = row.slab.tag(row.index, slot) != RowTag.blob
        let elements = isNull ? [] : CompositeCoding.elements(in: row.slab.bytes(row.index, slot))
        guard element < elements.count else { return try statement.bindNull(at: index) }
        let value = elements[element]
        switch value.tag {
        case RowTag.integer: try statement.bind(value.integer, at: index)
        case RowTag.real: try statement.bind(value.real, at: index)
        case RowTag.text: try statement.bind(text: value.bytes, at: index, .borrowed)
        case RowTag.blob: try statement.bind(blob: value.bytes, at: index, .borrowed)
        default: try statement.bindNull(at: index)
        }
    }
}
