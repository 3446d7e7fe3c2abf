import CoreDataStore

/// The condition of a partial index: a predicate over columns of the index's own table.
///
/// SQLite uses the index only if the condition of a query implies that of the index, so no result changes. For this
/// SQLite also considers the values that are bound to the query's parameters.
package indirect enum IndexCondition: Sendable, Equatable {
    /// A comparison with a literal by an SQL operator; only `IS` and `IS NOT` treat NULL as a value.
    case comparison(column: String, sign: String, literal: String)
    case all([IndexCondition])
    case any([IndexCondition])

    /// Returns the column of a property, and the attribute's type; the type is nil for the key of a relationship.
    typealias Columns = (_ property: String) -> (column: String, type: NSAttributeType?)?

    /// Returns nil for a predicate that contains anything but the entity's own columns and constants.
    init?(_ predicate: NSPredicate, columns: Columns) {
        self.init(PredicateNode(predicate), columns)
    }

    private init?(_ node: PredicateNode, _ columns: Columns) {
        switch node {
        case .and(let parts):
            let known = parts.compactMap { IndexCondition($0, columns) }
            guard known.count == parts.count else { return nil }
            self = .all(known)
        case .or(let parts):
            let known = parts.compactMap { IndexCondition($0, columns) }
            guard known.count == parts.count else { return nil }
            self = .any(known)
        case .comparison(let comparison): self.init(comparison, columns)
        case .constant, .not, .opaque: return nil
        }
    }

    private init?(_ comparison: NSComparisonPredicate, _ columns: Columns) {
        guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty else { return nil }
        let (left, right) = (comparison.leftExpression.form, comparison.rightExpression.form)
        let operation = comparison.predicateOperatorType
        if case .keyPath(nil, let path) = left, let (column, type) = columns(path) {
            switch (operation, right) {
            case (.between, .aggregate(let bounds)) where bounds.count == 2:
                let parts = zip([">=", "<="], bounds).compactMap {
                    Self.part(column, type: type, sign: $0, value: $1.form)
                }
                guard parts.count == 2 else { return nil }
                self = .all(parts)
            case (.in, .aggregate(let values)) where !values.isEmpty:
                let literals = values.compactMap { value in
                    if case .constant(let constant?) = value.form {
                        type.flatMap { Self.literal(constant, $0) }
                    } else {
                        nil
                    }
                }
                guard literals.count == values.count else { return nil }
                self = .comparison(column: column, sign: "IN", literal: "(\(literals.joined(separator: ", ")))")
            default:
                guard let sign = Self.signs[operation],
                    let part = Self.part(column, type: type, sign: sign, value: right)
                else {
                    return nil
                }
                self = part
            }
        } else if case .keyPath(nil, let path) = right, let (column, type) = columns(path) {
            guard let sign = Self.signs[operation],
                let part = Self.part(column, type: type, sign: Self.mirrored[sign] ?? sign, value: left)
            else { return nil }
            self = part
        } else {
            return nil
        }
    }

    private static let signs: [NSComparisonPredicate.Operator: String] = [
        .equalTo: "=", .notEqualTo: "IS NOT", .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">",
        .greaterThanOrEqualTo: ">=",
    ]
    private static let mirrored = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]

    private static func part(
        _ column: String, type: NSAttributeType?, sign: String, value: ExpressionForm
    ) -> IndexCondition? {
        guard case .constant(let constant) = value else { return nil }
        guard let constant, !(constant is NSNull) else {
            switch sign {
            case "=": return .comparison(column: column, sign: "IS", literal: "NULL")
            case "IS NOT": return .comparison(column: column, sign: "IS NOT", literal: "NULL")
            default: return nil
            }
        }
        // In memory strings are ordered by Unicode rules, in a database by bytes.
        guard let type, type != .stringAttributeType || sign == "=" || sign == "IS NOT" else { return nil }
        return literal(constant, type).map { .comparison(column: column, sign: sign, literal: $0) }
    }

    /// Returns a value as an SQL literal in the form that the attribute's column stores; nil if it has no literal.
    private static func literal(_ value: Any, _ type: NSAttributeType) -> String? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            guard case .integer(let integer)? = ExactNumber(value) else { return nil }
            return String(integer)
        case .doubleAttributeType, .floatAttributeType:
            return ExactNumber(value).flatMap { real($0.double) }
        case .dateAttributeType:
            return (value as? Date).flatMap { real($0.timeIntervalSinceReferenceDate) }
        case .stringAttributeType:
            guard let text = value as? String, !text.utf8.contains(0) else { return nil }
            return SQLIdentifier.literal(text)
        default: return nil
        }
    }

    private static func real(_ value: Double) -> String? { value.isFinite ? "\(value)" : nil }

    /// The condition as SQL, to follow `WHERE`.
    var sql: String {
        switch self {
        case .comparison(let column, let sign, let literal): "\(SQLIdentifier.quoted(column)) \(sign) \(literal)"
        case .all(let parts): parts.map(\.group).joined(separator: " AND ")
        case .any(let parts): parts.map(\.group).joined(separator: " OR ")
        }
    }

    private var group: String { if case .comparison = self { sql } else { "(\(sql))" } }

    /// Returns the condition with other column names.
    func renamed(_ name: (String) -> String) -> IndexCondition {
        switch self {
        case .comparison(let column, let sign, let literal):
            .comparison(column: name(column), sign: sign, literal: literal)
        case .all(let parts): .all(parts.map { $0.renamed(name) })
        case .any(let parts): .any(parts.map { $0.renamed(name) })
        }
    }
}
