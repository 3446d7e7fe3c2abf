import CoreDataStore

/// One side of a comparison.
indirect enum Operand {
    /// A value that does not depend on the row; nil, and `NSNull` that stands for it, as nil.
    case constant(Any?)
    case scalar(SQLExpression, ValueKind)
    case record(Record)
    /// The number of a record's entity.
    case entity(SQLExpression)
    /// The name of a record's entity, one of those with the numbers; NULL without a record.
    case entityName(SQLExpression, [Int])
    /// Values in braces of which at least one depends on the row.
    case list([Operand])
    case collection(Collection)
    case combined(CombinedCollections)

    /// What the operand is, for messages.
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

    /// Whether the operand is a record found by its own key, which is never nil.
    var isOwnRow: Bool {
        if case .record(let record) = self { record.isOwnRow } else { false }
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
    /// What the objects must fulfil, and the names under which the conditions know them.
    var filters: [(variable: String, predicate: NSPredicate)] = []
    /// Whether nil values are not elements.
    var leavesOutNil = false
    /// Whether equal values are one element.
    var isDistinct = false
    /// Whether pairs of a join table that lead to no row are not elements. In memory they never are; here that is looked up
    /// only where a missing row would change the answer.
    var leavesOutMissing = false
}

/// The elements of one collection and of another, of both, or of the one only.
struct CombinedCollections {
    let operation: SetOperation
    var left: Operand
    var right: Operand
}

extension Operand {
    /// Makes pairs of join tables that lead to no row no elements.
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

    /// Whether the operand is one value that is known and not nil.
    var isConstantValue: Bool { if case .constant(_?) = self { true } else { false } }

    /// The steps from an object of a collection to its value; empty for an operand that is not a collection.
    var path: ArraySlice<String> { if case .collection(let collection) = self { collection.path } else { [] } }
}

extension QueryError {
    /// The error for what a function cannot use.
    static func unsuitable(_ function: ExpressionFunction, _ operand: Operand) -> QueryError {
        QueryError(.unsuitableType, "the function \(function.rawValue) cannot use \(operand.typeName)")
    }
}
