import CoreDataSQL
import SQLiteKit

/// Maps the columns of an entity's table to the slots of a slab's rows, for reading and writing.
///
/// Invariant: every slot number is less than the layout's `storedCount`, so that a row's memory has room for it.
final class RowPlan {
    let mapping: EntityMapping
    let layout: EntityLayout
    let binding: EntityBinding
    let fields: [RowField]
    /// The INSERT statement; parameters: key, entity number, version, then the fields.
    let insertion: String
    private static let mostForms = 64
    private var forms: [SlotSet?: RowForm] = [:]

    init(mapping: EntityMapping, layout: EntityLayout, binding: EntityBinding) {
        self.mapping = mapping
        self.layout = layout
        self.binding = binding
        fields = RowField.fields(of: layout, in: mapping)
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + fields.map(\.column)).map(SQLIdentifier.quoted)
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        insertion =
            "INSERT INTO \(SQLIdentifier.quoted(mapping.table)) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// Returns the insertion of a row, or with `slots` the update of these columns; cached.
    func form(updating slots: SlotSet?) -> RowForm {
        if let known = forms[slots] { return known }
        let made = RowForm(self, updating: slots)
        if forms.count == Self.mostForms { forms = [:] }
        forms[slots] = made
        return made
    }
}
