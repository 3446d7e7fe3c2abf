import CoreDataStore

/// What the values of an expression are; decided before the query runs, so that no database guesses.
///
/// Values of different kinds are unequal and in no order, as in memory.
enum ValueKind: Hashable {
    case number(NumberKind)
    case text
    case date
    case data
    case uuid
    case url
    /// Objects of a transformer, of which SQL sees only whether they are there.
    case opaque
    /// A composite attribute as a whole, of which SQL sees only whether any element has a value.
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

    /// What a value is, for messages.
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

    /// Whether a value may be a text that stands for more digits than a real number has: only functions compare these.
    var isExact: Bool { self == .number(.exact) }

    /// Whether values can be compared with nil alone.
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

    /// The value of this kind as a parameter; nil for a value of another kind and for numbers, which `NumberBound` places.
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

/// How exactly numbers are known before the query runs.
enum NumberKind: Hashable {
    case whole
    case real
    /// A decimal that is stored; arithmetic with it is decimal.
    case decimal
    /// A decimal that was calculated, or one of too many digits: a text where no integer or real number is the same.
    case exact
    /// Whole, or real where it became too large.
    case mixed

    var isDecimal: Bool { self == .decimal || self == .exact }

    /// The kind of a sum, product or the like.
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
