import CoreDataStore

extension QueryTranslator {
    /// Returns the condition of `value IN collection`.
    mutating func membership(
        of value: Operand, in collection: Operand, _ options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        switch collection {
        case .constant(nil): return .truth(false)
        case .constant(let content):
            if let list = elements(of: content) { return try membership(of: value, among: list, options) }
            guard content is String else { break }
            return try part(value, of: collection, options)
        case .list(let operands):
            return .disjunction(try operands.map { try equality(value, right: $0, options: options) })
        case .collection(var collection):
            // At the end of a path, a missing row counts as nil, so it matters unless the value is a constant other
            // than nil.
            if !collection.path.isEmpty, !value.isConstantValue { collection.leavesOutMissing = true }
            return try exists(in: collection) { try $0.equality(value, right: $1, options: options) }
        case .combined(let combined):
            let isInLeft = try membership(of: value, in: combined.left, options)
            switch combined.operation {
            case .union: return .disjunction([isInLeft, try membership(of: value, in: combined.right, options)])
            case .intersect: return .conjunction([isInLeft, try membership(of: value, in: combined.right, options)])
            case .minus:
                return .conjunction([isInLeft, try membership(of: value, in: combined.right, options).negated])
            }
        case .scalar(let text, .text):
            return try part(value, of: .scalar(text, .text), options)
        case .scalar, .record, .entity, .entityName: break
        }
        throw ExpressionError.unsuitableRightSide(operation: "IN")
    }

    /// Returns the condition of `collection CONTAINS value`; a text contains its substrings.
    mutating func containment(
        of value: Operand, in collection: Operand, _ options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        switch collection {
        case .list, .collection, .combined: return try membership(of: value, in: collection, options)
        case .constant(let content?) where elements(of: content) != nil:
            return try membership(of: value, in: collection, options)
        default: return try search(.contains, left: collection, right: value, options: options)
        }
    }

    /// Returns the condition that a value is a substring of a text; false if the value is not a text.
    private func part(
        _ value: Operand, of text: Operand, _ options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        switch value {
        case .scalar(_, .text), .constant(is String):
            return try search(.contains, left: text, right: value, options: options)
        case .collection(let collection): throw needsQuantifier(collection)
        default: return .truth(false)
        }
    }

    private func membership(
        of value: Operand, among list: [Any?], _ options: NSComparisonPredicate.Options
    ) throws -> SQLExpression {
        let values = list.compactMap { present($0) }
        let isNil: SQLExpression =
            values.count == list.count ? .truth(false) : try equality(value, right: .constant(nil), options: options)
        switch value {
        case .constant(let value):
            return .truth(list.contains { ValueOrder.areEqual(value, $0, options: options) })
        case .scalar(_, let kind) where kind.isOpaque:
            guard values.isEmpty else { throw opaque(kind) }
            return isNil
        case .scalar(_, .number(.exact)):
            return .disjunction(try list.map { try equality(value, right: .constant(present($0)), options: options) })
        case .scalar(let column, let kind):
            let effective = kind.ignoring(options)
            let parameters = values.compactMap { parameter(for: $0, kind, effective) }
            return .disjunction([Self.among(folded(column, kind: kind, options: effective), parameters), isNil])
        case .record(let record):
            let keys = values.compactMap { key(of: $0, like: record.entity) }
            return .disjunction([Self.among(.column(record.key), keys.map { .integer($0) }), isNil])
        case .entity:
            return .disjunction(try list.map { try equality(value, right: .constant(present($0)), options: options) })
        case .list, .collection, .combined, .entityName: throw unsuitable("IN", left: value, right: .constant(list))
        }
    }

    /// Returns the condition that an expression has one of some values: one parameter for each, or one JSON array if
    /// there are many.
    private static func among(_ value: SQLExpression, _ parameters: [SQLParameter]) -> SQLExpression {
        guard parameters.count > 1 else {
            return parameters.first.map { .comparison(.equal, value, .parameter($0)) } ?? .truth(false)
        }
        guard parameters.count > QueryLimits.valuesInText else { return .among(value, parameters) }
        return .disjunction(SQLList.lists(of: parameters).map { .listed(value, $0) })
    }
}
