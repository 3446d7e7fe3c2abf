import CoreDataSQL
import SQLiteKit

/// The columns of one SELECT, and for each entity among its rows which of them fill which slots.
struct SQLiteRowSelection {
    /// How the columns fill the slots of one entity's rows.
    final class Filling {
        let plan: RowPlan
        /// Owned; as many as the entity has fields that are not elements of composites.
        let cells: UnsafeBufferPointer<CellPlacement>
        /// Slots with the number of an entity, which the file numbers otherwise than the graph.
        let entityNumberSlots: [Int]
        /// Slots with a composite value, and the columns of its elements in their order, nil for one without column.
        let composites: [(slot: Int, columns: [Int?])]
        /// Whether the cells are all that there is to do.
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

    /// The table of the rows; nil where no entity has any.
    let table: String?
    /// `Z_PK`, `Z_ENT`, `Z_OPT`, then each value column once.
    private(set) var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    private var fillings: [Int: Filling] = [:]
    /// The entity of all rows where it alone has its table.
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

    /// What to do with rows of an entity; nil for an entity that the selection was not made for.
    ///
    /// Rows of a table that one entity has for itself are of that entity, whatever number they bear.
    func filling(number: Int64) -> Filling? {
        Int(exactly: number).flatMap { fillings[$0] } ?? sole
    }

    /// The columns as a list in SQL, of the table alias `t0`.
    var list: String { columns.map { "t0." + SQLIdentifier.quoted($0) }.joined(separator: ", ") }
}
