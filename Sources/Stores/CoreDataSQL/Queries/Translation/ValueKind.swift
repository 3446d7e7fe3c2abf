import CoreDataStore

/// The kind of an expression's values, determined before the query runs, so that the database never guesses a type.
///
/// Values of different kinds are unequal and have no order, as in memory.
enum ValueKind: Hashable {
    case number(NumberKind)
    case text
    case date
    case data
    case uuid
    case url
    /// Values of a value transformer; SQL can only test whether they are nil.
    case opaque
    /// A complete composite attribute; SQL can only test whether any of its elements has a value.
    case composite(CompositePlace)

    init?(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            self = .number(.whole)
        case .doubleAttributeType, .floatAttributeType: self = .number(.real)
        case .decimalAttributeType: self = .number(.decimal)
        case .stringAttributeType: self = .text
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType: self = .data
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .url
        case .transformableAttributeType: self = .opaque
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
        }
    }

    var numberKind: NumberKind? {
        guard case .number(let kind) = self else { return nil }
        return kind
    }

    /// The kind as words, for messages.
    var name: String {
        switch self {
        case .number: "a number"
        case .text: "a text"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .opaque: "a value that only its transformer understands"
        case .composite: "a composite attribute"
        }
    }

    /// Whether values may be texts of numbers with more digits than a real number has; only SQL functions compare
    /// these.
    var isExact: Bool { self == .number(.exact) }

    /// Whether values can only be compared with nil.
    var isOpaque: Bool {
        switch self {
        case .opaque, .composite: true
        default: false
        }
    }

    /// Whether values of the two kinds can be equal.
    func isComparable(to other: ValueKind) -> Bool {
        if numberKind != nil { return other.numberKind != nil }
        return self == other && !isOpaque
    }

    /// Returns a value of this kind as a parameter; nil for values of other kinds, and for numbers, which `NumberBound`
    /// converts.
    func parameter(for value: Any, options: NSComparisonPredicate.Options) -> SQLParameter? {
        switch self {
        case .number, .opaque, .composite: return nil
        case .text: return (value as? String).map { .text(TextFolding.folded($0, options: options)) }
        case .date:
            guard let seconds = (value as? Date)?.timeIntervalSinceReferenceDate, !seconds.isNaN else { return nil }
            return .real(seconds)
        case .data: return (value as? Data).map { .blob($0) }
        case .uuid: return (value as? UUID).map { uuid in .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }) }
        case .url: return (value as? URL).map { .text(TextFolding.folded($0.absoluteString, options: options)) }
        }
    }
}

/// The precision of a number, as known before the query runs.
enum NumberKind: Hashable {
    case whole
    case real
    /// A stored decimal; arithmetic with it has decimal results.
    case decimal
    /// A computed decimal, or a constant with too many digits: a text if no integer or real equals it.
    case exact
    /// An integer, or a real if the result exceeded 64 bits.
    case mixed

    var isDecimal: Bool { self == .decimal || self == .exact }

    /// Returns the kind of the result of an arithmetic operator.
    static func result(_ left: NumberKind, _ right: NumberKind) -> NumberKind {
        if left.isDecimal || right.isDecimal { return .exact }
        return left == .real || right == .real ? .real : .mixed
    }
}

/// A composite attribute and the entity that has it, for messages.
struct CompositePlace: Hashable {
    let entity: String
    let key: String
    /// The path to one of its elements.
    let element: String
}
