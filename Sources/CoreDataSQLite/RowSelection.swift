import CoreDataSQL
import SQLiteKit

/// The columns of one SELECT, and for each entity among its rows which of them fill which slots.
struct RowSelection {
    /// How the columns fill the slots of one entity's rows.
    final class Filling {
        let plan: RowPlan
        /// Owned; as many as the entity has fields.
        let cells: UnsafeBufferPointer<CellPlacement>
        /// Slots with the number of an entity, which the file numbers otherwise than the graph.
        let entityNumberSlots: [Int]

        init(plan: RowPlan, cells: [CellPlacement]) {
            self.plan = plan
            let owned = UnsafeMutableBufferPointer<CellPlacement>.allocate(capacity: cells.count)
            _ = owned.initialize(from: cells)
            self.cells = UnsafeBufferPointer(owned)
            entityNumberSlots = plan.fields.filter(\.isEntityNumber).map(\.slot)
        }

        deinit { cells.deallocate() }
    }

    /// `Z_PK`, `Z_ENT`, `Z_OPT`, then each value column once.
    private(set) var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    private var fillings: [Int: Filling] = [:]

    init(_ plans: [RowPlan]) {
        var places: [String: Int] = [:]
        for plan in plans {
            let cells = plan.fields.map { field in
                let column = places[field.column] ?? columns.count
                if column == columns.count {
                    places[field.column] = column
                    columns.append(field.column)
                }
                return CellPlacement(
                    column: column, tagOffset: EntityLayout.tagsOffset + field.slot,
                    valueOffset: plan.layout.valuesOffset + field.slot * 8)
            }
            fillings[plan.mapping.number] = Filling(plan: plan, cells: cells)
        }
    }

    /// What to do with rows of an entity; nil for an entity that the selection was not made for.
    func filling(number: Int64) -> Filling? {
        Int(exactly: number).flatMap { fillings[$0] }
    }

    /// The columns as a list in SQL, of the table alias `t0`.
    var list: String { columns.map { "t0." + SQLIdentifier.quoted($0) }.joined(separator: ", ") }
}
