import CoreDataSQL
import SQLiteKit

/// The columns of a SELECT, and for each entity how the columns fill the slots of its rows.
struct SQLiteRowSelection {
    /// How the columns fill the slots of one entity's rows.
    final class Filling {
        let plan: RowPlan
        /// The cells for all fields except elements of composites; this object owns the memory.
        let cells: UnsafeBufferPointer<CellPlacement>
        /// The slots with entity numbers, which must be converted from the file's numbers.
        let entityNumberSlots: [Int]
        /// The slots with composite values, and the columns of their elements in order; nil for an element without
        /// column.
        let composites: [(slot: Int, columns: [Int?])]
        /// Whether the cells fill all slots.
        let isPlain: Bool

        init(plan: RowPlan, cells: [CellPlacement], composites: [(slot: Int, columns: [Int?])]) {
            self.plan = plan
            self.composites = composites
            let owned = UnsafeMutableBufferPointer<CellPlacement>.allocate(capacity: cells.count)
            _ = owned.initialize(from: cells)
            self.cells = UnsafeBufferPointer(owned)
            entityNumberSlots = plan.fields.filter(\.isEntityNumber).map(\.slot)
            isPlain = entityNumberSlots.isEmpty && composites.isEmpty
        }

        deinit { cells.deallocate() }
    }

    /// The table of the rows; nil if there are no plans.
    let table: String?
    /// `Z_PK`, `Z_ENT`, `Z_OPT`, then each value column once.
    private(set) var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    private var fillings: [Int: Filling] = [:]
    /// The filling for all rows if one entity alone uses the table.
    private var sole: Filling?

    init(_ plans: [RowPlan]) {
        table = plans.first?.mapping.table
        var places: [String: Int] = [:]
        for plan in plans {
            var cells: [CellPlacement] = []
            var composites: [Int: [Int?]] = [:]
            for field in plan.fields {
                let column = places[field.column] ?? columns.count
                if column == columns.count {
                    places[field.column] = column
                    columns.append(field.column)
                }
                guard let element = field.element else {
                    cells.append(
                        CellPlacement(
                            column: column, tagOffset: EntityLayout.tagsOffset + field.slot,
                            valueOffset: plan.layout.valuesOffset + field.slot * 8))
                    continue
                }
                let missing = element - composites[field.slot, default: []].count
                composites[field.slot, default: []] += Array(repeating: nil, count: max(0, missing)) + [column]
            }
            fillings[plan.mapping.number] = Filling(
                plan: plan, cells: cells, composites: composites.map { (slot: $0, columns: $1) })
        }
        if let plan = plans.first, plan.mapping.isAloneInTable { sole = fillings[plan.mapping.number] }
    }

    /// Returns the filling for rows of an entity; nil for an entity that was not selected.
    ///
    /// All rows of a table that one entity alone uses belong to that entity, whatever their entity numbers.
    func filling(number: Int64) -> Filling? {
        Int(exactly: number).flatMap { fillings[$0] } ?? sole
    }

    /// The columns as a select list, for the table alias `t0`.
    var list: String { columns.map { "t0." + SQLIdentifier.quoted($0) }.joined(separator: ", ") }
}
