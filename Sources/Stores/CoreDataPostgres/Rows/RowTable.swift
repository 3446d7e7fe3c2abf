import CoreDataSQL

/// Maps the columns of an entity's table to the slots of a slab's rows, for reading and writing.
///
/// Invariant: every slot number is less than the layout's `storedCount`, so that a row's memory has room for it.
final class RowTable: Sendable {
    /// A slot, and the column with its value.
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

    /// Returns the fields for property names and for key paths to elements of composites; nil if one has no field.
    func fields(named names: [String]) -> [RowField]? {
        RowField.fields(named: names, of: layout, among: fields.map(\.row))
    }

    /// Returns the fields whose columns an update of some slots writes.
    func fields(updating slots: SlotSet) -> [Field] {
        fields.filter { slots.contains($0.slot) || $0.row.isEntityNumber && slots.contains($0.slot - 1) }
    }
}
