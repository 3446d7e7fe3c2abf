import CoreDataSQL

/// How the rows of one entity go from the columns of its table to the slots of a slab, and back.
///
/// Invariant: every slot number is below the layout's `storedCount`, so a row's memory has room for it.
final class RowTable: Sendable {
    /// One slot, and the column with its value.
    struct Field: Sendable {
        let row: RowField
        let type: ColumnType

        var column: String { row.column }
        var slot: Int { row.slot }
    }

    let mapping: EntityMapping
    let layout: EntityLayout
    let binding: EntityBinding
    let fields: [Field]

    init(mapping: EntityMapping, layout: EntityLayout, binding: EntityBinding, _ schema: PostgresSchema) {
        self.mapping = mapping
        self.layout = layout
        self.binding = binding
        fields = RowField.fields(of: layout, in: mapping).compactMap { field in
            schema.types.type(of: field.column, in: mapping.table).map { Field(row: field, type: $0) }
        }
    }

    /// The fields for names of properties and for paths to elements of composite attributes; nil if one does not have a field.
    func fields(named names: [String]) -> [RowField]? {
        RowField.fields(named: names, of: layout, among: fields.map(\.row))
    }

    /// The fields of the columns that an update of some slots writes.
    func fields(updating slots: SlotSet) -> [Field] {
        fields.filter { slots.contains($0.slot) || $0.row.isEntityNumber && slots.contains($0.slot - 1) }
    }
}
