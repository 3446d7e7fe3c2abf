import CoreDataSQL
import SQLiteKit

/// How the rows of one entity go from the columns of its table to the slots of a slab, and back.
///
/// Invariant: every slot number is below the layout's `storedCount`, so a row's memory has room for it.
final class RowPlan {
    /// One slot and where its value is in the table.
    struct Field {
        let column: String
        let slot: Int
        /// Whether the value is the number of an entity.
        var isEntityNumber = false
        /// Which element of the slot's composite value the column has; nil for a value that is not composite.
        var element: Int?
    }

    let mapping: EntityMapping
    let layout: EntityLayout
    let binding: EntityBinding
    let fields: [Field]
    /// The statement that inserts a row: key, entity number, version, then the fields.
    let insertion: String
    private static let mostForms = 64
    private var forms: [SlotSet?: RowForm] = [:]

    init(mapping: EntityMapping, layout: EntityLayout, binding: EntityBinding) {
        self.mapping = mapping
        self.layout = layout
        self.binding = binding
        var fields: [Field] = []
        for slot in 0..<layout.storedCount {
            switch layout.slots[slot].content {
            case .attribute(let attribute, _):
                fields += Self.fields(of: attribute, slot, in: mapping)
            case .toOne(let relationship):
                guard let toOne = mapping.toOne(relationship.name) else { continue }
                fields.append(Field(column: toOne.column, slot: slot))
                if let column = toOne.entityColumn {
                    fields.append(Field(column: column, slot: slot + 1, isEntityNumber: true))
                }
            case .targetNumber: continue
            }
        }
        self.fields = fields
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + fields.map(\.column)).map(SQLIdentifier.quoted)
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        insertion =
            "INSERT INTO \(SQLIdentifier.quoted(mapping.table)) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// The insertion of a row, or with `slots` the update of those of its columns; put together once.
    func form(updating slots: SlotSet?) -> RowForm {
        if let known = forms[slots] { return known }
        let made = RowForm(self, updating: slots)
        if forms.count == Self.mostForms { forms = [:] }
        forms[slots] = made
        return made
    }

    /// The column of an attribute, or those of a composite's elements.
    private static func fields(
        of attribute: NSAttributeDescription, _ slot: Int, in mapping: EntityMapping
    ) -> [Field] {
        guard attribute is NSCompositeAttributeDescription else {
            return mapping.attribute(attribute.name).map { [Field(column: $0.column, slot: slot)] } ?? []
        }
        return CompositeCoding.leaves(of: attribute).enumerated().compactMap { index, leaf in
            mapping.attributes.first { $0.name == attribute.name && $0.elementPath == leaf.path }
                .map { Field(column: $0.column, slot: slot, element: index) }
        }
    }
}
