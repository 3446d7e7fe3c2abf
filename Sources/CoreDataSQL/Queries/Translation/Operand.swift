import CoreDataGraph

/// One side of a comparison.
enum Operand {
    /// A value that does not depend on the row; nil, and `NSNull` that stands for it, as nil.
    case constant(Any?)
    case scalar(SQLExpression, ValueKind)
    case record(Record)
    /// The number of a record's entity.
    case entity(SQLExpression)
    /// Values in braces of which at least one depends on the row.
    case list([Operand])
    case collection(Collection)

    /// What the operand is, for messages.
    var typeName: String {
        switch self {
        case .constant(let value): value.map { String(describing: type(of: $0)) } ?? "nil"
        case .scalar(_, let kind): "\(kind)"
        case .record(let record): record.entity.name
        case .entity: "NSEntityDescription"
        case .list: "a list"
        case .collection(let collection): "a collection of \(collection.mapping.name)"
        }
    }
}

/// A row of some entity, known by its key.
struct Record: Hashable {
    /// The column with the row's key: its own `Z_PK`, or the foreign key that leads to it.
    let key: SQLColumn
    /// The number of the entity, and the source in whose FROM the column is.
    let entity: EntityMapping
    let source: Int

    var isOwnRow: Bool { key.name == "Z_PK" }

    static func == (left: Record, right: Record) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The objects of a to-many relationship, or a value of each.
struct Collection {
    let owner: Record
    let mapping: ToManyMapping
    /// The steps from an object of the relationship to the value that is meant.
    var path: ArraySlice<String> = []
    /// What the objects must fulfil, and the name under which the condition knows them.
    var filter: (variable: String, predicate: NSPredicate)?
}
