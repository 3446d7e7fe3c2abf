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
        let isEntityNumber: Bool
    }

    let mapping: EntityMapping
    let layout: EntityLayout
    let binding: EntityBinding
    let fields: [Field]
    /// The statement that inserts a row: key, entity number, version, then the fields.
    let insertion: String

    init(mapping: EntityMapping, layout: EntityLayout, binding: EntityBinding) {
        self.mapping = mapping
        self.layout = layout
        self.binding = binding
        var fields: [Field] = []
        for slot in 0..<layout.storedCount {
            switch layout.slots[slot].content {
            case .attribute(let attribute, _):
                guard let column = mapping.attribute(attribute.name)?.column else { continue }
                fields.append(Field(column: column, slot: slot, isEntityNumber: false))
            case .toOne(let relationship):
                guard let toOne = mapping.toOne(relationship.name) else { continue }
                fields.append(Field(column: toOne.column, slot: slot, isEntityNumber: false))
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
}
