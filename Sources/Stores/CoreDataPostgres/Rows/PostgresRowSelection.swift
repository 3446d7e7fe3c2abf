import CoreDataSQL

/// The columns of a SELECT, and for each entity how the columns fill the slots of its rows.
struct PostgresRowSelection {
    /// How the columns fill the slots of one entity's rows.
    struct Filling {
        let table: RowTable
        /// The columns that fill a slot unchanged.
        let cells: [(column: Int, slot: Int, type: ColumnType)]
        /// The slots with entity numbers, which must be converted from the database's numbers.
        let entityNumbers: [Int]
        /// The slots with composite values, and the columns of their elements in order; nil for an element without
        /// column.
        let composites: [(slot: Int, columns: [(column: Int, type: ColumnType)?])]
    }

    /// `Z_PK`, `Z_ENT`, `Z_OPT`, then each value column once.
    private(set) var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    /// The columns as a select list, for the table alias `t0`.
    private(set) var list = ""
    private var fillings: [Int: Filling] = [:]
    /// The filling for all rows if one entity alone uses the table.
    private var sole: Filling?

    init(_ tables: [RowTable]) {
        var places: [String: Int] = [:]
        for table in tables {
            var cells: [(column: Int, slot: Int, type: ColumnType)] = []
            var composites: [Int: [(column: Int, type: ColumnType)?]] = [:]
            for field in table.fields {
                let column = places[field.column] ?? columns.count
                if column == columns.count {
                    places[field.column] = column
                    columns.append(field.column)
                }
                guard let element = field.row.element else {
                    cells.append((column, field.slot, field.type))
                    continue
                }
                let missing = element - composites[field.slot, default: []].count
                composites[field.slot, default: []] += Array(repeating: nil, count: max(0, missing))
                composites[field.slot, default: []].append((column, field.type))
            }
            fillings[table.mapping.number] = Filling(
                table: table, cells: cells, entityNumbers: table.fields.filter(\.row.isEntityNumber).map(\.slot),
                composites: composites.map { (slot: $0, columns: $1) })
        }
        if let table = tables.first, table.mapping.isAloneInTable { sole = fillings[table.mapping.number] }
        list = columns.map { "t0." + SQLIdentifier.quoted($0) }.joined(separator: ", ")
    }

    /// Returns the filling for rows of an entity; nil for an entity that was not selected, and for an abstract one.
    func filling(number: Int64) -> Filling? {
        let found = Int(exactly: number).flatMap { fillings[$0] } ?? sole
        return found.flatMap { $0.table.mapping.isAbstract ? nil : $0 }
    }
}
