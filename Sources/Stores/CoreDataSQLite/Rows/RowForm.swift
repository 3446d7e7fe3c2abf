import CoreDataSQL
import SQLiteKit

/// The SQL that inserts or updates a row, and where a slab's row has the values of its parameters.
///
/// A form is used by all saves, so that saving one object builds no SQL text.
final class RowForm {
    let isInsertion: Bool
    let text: String
    let fields: [RowField]
    /// The values that are bound unchanged; this object owns the memory.
    let cells: UnsafeBufferPointer<CellPlacement>
    /// The values that are converted when bound: entity numbers and elements of composites; each with its parameter's
    /// index.
    let translated: [(field: RowField, parameter: Int)]
    /// The columns of large values that an update replaces; nil if there are none.
    let largeValues: LargeValueColumns?

    /// Builds the insertion of a row; with `slots`, the update of the columns of these slots.
    init(_ plan: RowPlan, updating slots: SlotSet?) {
        isInsertion = slots == nil
        fields = plan.fields.filter { field in
            guard let slots else { return true }
            return slots.contains(field.slot) || field.isEntityNumber && slots.contains(field.slot - 1)
        }
        text = slots == nil ? plan.insertion : Self.update(plan, fields)
        largeValues = slots == nil ? nil : LargeValueColumns(plan.mapping, within: Set(fields.map(\.column)))
        let parameters = fields.enumerated().map { (field: $1, parameter: $0) }
        let isPlain = { (field: RowField) in field.element == nil && !field.isEntityNumber }
        cells = Self.owned(
            parameters.filter { isPlain($0.field) }.map { field, parameter in
                CellPlacement(
                    column: parameter, tagOffset: EntityLayout.tagsOffset + field.slot,
                    valueOffset: plan.layout.valuesOffset + field.slot * 8)
            })
        translated = parameters.filter { !isPlain($0.field) }
    }

    deinit { cells.deallocate() }

    private static func update(_ plan: RowPlan, _ fields: [RowField]) -> String {
        let sets = ["Z_OPT = ?"] + fields.map { SQLIdentifier.quoted($0.column) + " = ?" }
        return "UPDATE \(SQLIdentifier.quoted(plan.mapping.table)) SET \(sets.joined(separator: ", ")) "
            + "WHERE Z_PK = ? AND IFNULL(CAST(Z_OPT AS INTEGER), 0) = ?"
    }

    private static func owned(_ cells: [CellPlacement]) -> UnsafeBufferPointer<CellPlacement> {
        let owned = UnsafeMutableBufferPointer<CellPlacement>.allocate(capacity: cells.count)
        _ = owned.initialize(from: cells)
        return UnsafeBufferPointer(owned)
    }
}
