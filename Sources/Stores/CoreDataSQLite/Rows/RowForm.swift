import CoreDataSQL
import SQLiteKit

/// The text of a row's insertion or update, and where in a slab's rows the values of its parameters are.
///
/// The same for every save, so that a save of one object puts no text together.
final class RowForm {
    let isInsertion: Bool
    let text: String
    let fields: [RowField]
    /// Values that are bound as they are in the row; owned.
    let cells: UnsafeBufferPointer<CellPlacement>
    /// Values that are not: numbers of entities, and elements of composites; with the parameters they are for.
    let translated: [(field: RowField, parameter: Int)]
    /// The large values that an update replaces; nil if it does not replace any.
    let largeValues: LargeValueColumns?

    /// The insertion of a row, or with `slots` the update of those of its columns.
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
