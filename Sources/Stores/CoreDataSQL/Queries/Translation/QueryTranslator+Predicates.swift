import CoreDataStore

extension QueryTranslator {
    /// Translates a predicate to a condition.
    mutating func condition(_ predicate: NSPredicate) throws -> SQLExpression {
        try condition(PredicateNode(predicate))
    }

    private mutating func condition(_ node: PredicateNode) throws -> SQLExpression {
        switch node {
        case .constant(let value): return .truth(value)
        case .and(let parts): return .conjunction(try parts.map { try condition($0) })
        case .or(let parts): return .disjunction(try parts.map { try condition($0) })
        case .not(let part): return try condition(part).negated
        case .comparison(let comparison): return try condition(comparison)
        case .opaque:
            throw QueryError(.unsupported, "a predicate in Swift code has no SQL; filter the fetched objects with it")
        }
    }

    private mutating func condition(_ predicate: NSComparisonPredicate) throws -> SQLExpression {
        do {
            return try translated(predicate)
        } catch let error as QueryError {
            throw error.placed(in: predicate)
        }
    }

    private mutating func translated(_ predicate: NSComparisonPredicate) throws -> SQLExpression {
        let comparison = OperandComparison(predicate)
        var left = try operand(predicate.leftExpression)
        let right = try operand(predicate.rightExpression)
        switch predicate.comparisonPredicateModifier {
        case .direct: return try compare(comparison, left: left, right: right)
        // Within SUBQUERY, ANY and ALL may be applied to a path of the variable that leads to a single value.
        case .any where predicate.leftExpression.isPathOfVariable && left.isOneValue,
            .all where predicate.leftExpression.isPathOfVariable && left.isOneValue:
            return try compare(comparison, left: left, right: right)
        case .any:
            // A missing row matters if its value would satisfy the condition: its key is not nil, values at the end of
            // a path are nil.
            if left.path.isEmpty ? comparison.operation == .notEqualTo : mayHoldForNil(comparison, right) {
                left.leaveOutMissing()
            }
            return try some(of: left) { try $0.compare(comparison, left: $1, right: right) }
        case .all:
            // A missing row's value could violate the condition and make ALL false.
            left.leaveOutMissing()
            return try some(of: left) { try $0.compare(comparison, left: $1, right: right).negated }.negated
        }
    }

    /// Returns the condition that `body` is true for at least one element of a collection.
    mutating func some(
        of operand: Operand, _ body: (inout QueryTranslator, Operand) throws -> SQLExpression
    ) throws -> SQLExpression {
        switch operand {
        case .collection(let collection): return try exists(in: collection, body)
        case .combined(let combined): return try exists(in: combined, body)
        case .list(let elements): return .disjunction(try elements.map { try body(&self, $0) })
        case .constant(nil): return .truth(false)
        case .constant(let value):
            guard let list = elements(of: value) else { break }
            return .disjunction(try list.map { try body(&self, .constant(present($0))) })
        case .scalar, .record, .entity, .entityName: break
        }
        throw QueryError(.needsCollection, "ANY, ALL and NONE need a to-many relationship, not \(operand.typeName)")
    }

    /// Whether the comparison may be true if its left side is nil, as a path is that continues from a missing row.
    private func mayHoldForNil(_ comparison: OperandComparison, _ right: Operand) -> Bool {
        guard comparison.operation != .notEqualTo, case .constant(let value?) = right else { return true }
        guard comparison.operation == .in, let list = elements(of: value) else { return false }
        return list.contains { present($0) == nil }
    }

    /// Returns the value, or nil for `NSNull`.
    func present(_ value: Any?) -> Any? { value is NSNull ? nil : value }
}

/// The operator of a comparison with its options; `normalized` removes the options that it makes ineffective.
struct OperandComparison {
    let operation: NSComparisonPredicate.Operator
    let options: NSComparisonPredicate.Options

    init(_ predicate: NSComparisonPredicate) {
        operation = predicate.predicateOperatorType
        options = predicate.options.contains(.normalized) ? [] : predicate.options
    }
}

extension Operand {
    /// Whether the operand is the value or the record at the end of a path without to-many relationships.
    fileprivate var isOneValue: Bool {
        switch self {
        case .scalar, .record, .entity, .entityName: true
        case .constant, .list, .collection, .combined: false
        }
    }
}
