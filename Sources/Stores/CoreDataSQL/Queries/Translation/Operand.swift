import CoreDataStore

/// One side of a comparison, as the translator sees it.
indirect enum Operand {
    /// A value that is the same for all rows; `NSNull` is replaced by nil.
    case constant(Any?)
    case scalar(SQLExpression, ValueKind)
    case record(Record)
    /// A record's entity, as the entity number.
    case entity(SQLExpression)
    /// The name of a record's entity, given by its number, and the numbers that are possible; NULL if there is no
    /// record.
    case entityName(SQLExpression, [Int])
    /// A list in braces with at least one element that depends on the row.
    case list([Operand])
    case collection(Collection)
    case combined(CombinedCollections)

    /// The operand's type, for messages.
    var typeName: String {
        switch self {
        case .constant(let value): value.map { String(describing: type(of: $0)) } ?? "nil"
        case .scalar(_, let kind): kind.name
        case .record(let record): "an object of \(record.entity.name)"
        case .entity: "NSEntityDescription"
        case .entityName: "the name of an entity"
        case .list: "a list"
        case .collection(let collection): "a collection of \(collection.mapping.name)"
        case .combined(let combined): combined.operation.rawValue
        }
    }

    /// Whether the operand is a record identified by its own primary key, which is never NULL.
    var isOwnRow: Bool {
        if case .record(let record) = self { record.isOwnRow } else { false }
    }
}

/// A row of some entity, identified by its key.
struct Record: Hashable {
    /// The column with the row's key: its own `Z_PK`, or a foreign key that refers to it.
    let key: SQLColumn
    /// The row's entity, and the index of the source (the FROM clause) that has the column.
    let entity: EntityMapping
    let source: Int

    var isOwnRow: Bool { key.name == "Z_PK" }

    static func == (left: Record, right: Record) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The objects of a to-many relationship, or a value of each object.
struct Collection {
    let owner: Record
    let mapping: ToManyMapping
    /// The key path from an object of the relationship to the value.
    var path: ArraySlice<String> = []
    /// The conditions that the objects must meet, each with the name of the variable that stands for the object.
    var filters: [(variable: String, predicate: NSPredicate)] = []
    /// Whether nil values are excluded from the elements.
    var leavesOutNil = false
    /// Whether equal values count as one element.
    var isDistinct = false
    /// Whether rows of a join table that refer to a missing row are excluded. In memory they always are; in SQL this
    /// needs a join, so it is done only if a missing row would change the result.
    var leavesOutMissing = false
}

/// The union, intersection or difference of two collections.
struct CombinedCollections {
    let operation: SetOperation
    var left: Operand
    var right: Operand
}

extension Operand {
    /// Excludes the rows of join tables that refer to missing rows.
    mutating func leaveOutMissing() {
        switch self {
        case .collection(var collection):
            collection.leavesOutMissing = true
            self = .collection(collection)
        case .combined(var combined):
            combined.left.leaveOutMissing()
            combined.right.leaveOutMissing()
            self = .combined(combined)
        default: break
        }
    }

    /// Whether the operand is a constant that is not nil.
    var isConstantValue: Bool { if case .constant(_?) = self { true } else { false } }

    /// The key path from an object of a collection to its value; empty for an operand that is not a collection.
    var path: ArraySlice<String> { if case .collection(let collection) = self { collection.path } else { [] } }
}

extension QueryError {
    /// Makes the error of an operand that a function does not accept.
    static func unsuitable(_ function: ExpressionFunction, _ operand: Operand) -> QueryError {
        QueryError(.unsuitableType, "the function \(function.rawValue) cannot use \(operand.typeName)")
    }
}
