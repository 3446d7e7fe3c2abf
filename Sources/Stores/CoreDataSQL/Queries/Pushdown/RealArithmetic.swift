import CoreDataStore

/// Arithmetic of reals with the same results as in memory; but the database raises an error for overflow and underflow.
///
/// Results near these limits are in doubt and are not computed. NaN becomes NULL, as in memory.
struct RealArithmetic {
    private let sign: SQLOperator
    private let left: PushedValue
    private let right: PushedValue
    private let kind: PushedValue.Kind

    /// Returns nil for other operators and for values that are not numbers.
    init?(_ sign: SQLOperator, left: PushedValue, right: PushedValue) {
        guard [.add, .subtract, .multiply, .divide].contains(sign), let first = left.real, let second = right.real
        else {
            return nil
        }
        // In memory, arithmetic with a decimal gives a decimal; adding the real 0 requests a real.
        for (decimal, other) in [(left, right), (right, left)] where decimal.kind == .decimal {
            guard sign == .add, other.expression == .parameter(.real(0)) else { return nil }
        }
        let isDate = [left.kind == .date, right.kind == .date]
        kind = isDate[0] != isDate[1] ? .date : .real
        (self.sign, self.left, self.right) = (sign, first, second)
        guard Self.size(left.expression) + Self.size(right.expression) < 200 else { return nil }
    }

    /// Returns the size of an operand's SQL: the bounds repeat the operand several times.
    private static func size(_ expression: SQLExpression) -> Int {
        switch expression {
        case .column, .parameter, .number: 1
        case .call(_, let parts): parts.reduce(1) { $0 + size($1) }
        case .arithmetic(_, let left, let right), .comparison(_, let left, let right): 1 + size(left) + size(right)
        case .conditional(let condition, let first, let second): 1 + size(condition) + size(first) + size(second)
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + size($1) }
        case .not(let part), .isNull(let part), .isNotNull(let part): 1 + size(part)
        default: 40
        }
    }

    var value: PushedValue {
        let (left, right) = (left.expression, right.expression)
        let divisor = sign == .divide ? SQLExpression.call("nullif", [right, Self.real(0)]) : right
        let limit = self.limit
        let result = SQLExpression.call("nullif", [.arithmetic(sign, left, divisor), Self.real(.nan)])
        return PushedValue(
            expression: limit == .truth(false)
                ? result : .conditional(limit, then: .parameter(.null), otherwise: result),
            kind: kind, doubt: .disjunction([self.left.doubt, self.right.doubt, limit]))
    }

    /// The condition that the result may be out of range.
    private var limit: SQLExpression {
        switch sign {
        case .add, .subtract: .disjunction([left, right].map(isHuge).filter { $0 != .truth(false) })
        case .multiply: isConstant(right) ? product(left, right) : isConstant(left) ? product(right, left) : product
        default: isConstant(right) ? quotient : anyQuotient
        }
    }

    private func isConstant(_ value: PushedValue) -> Bool { constant(value) != nil }

    private func constant(_ value: PushedValue) -> Double? {
        guard case .parameter(.real(let real)) = value.expression else { return nil }
        return real
    }

    private func isHuge(_ value: PushedValue) -> SQLExpression {
        if let constant = constant(value) { return .truth(constant.magnitude > 0x1p1022 && constant.isFinite) }
        return isBetween(value, least: 0x1p1022, most: .infinity)
    }

    /// Returns the condition that the magnitude of a value is between two bounds.
    private func isBetween(_ value: PushedValue, least: Double, most: Double) -> SQLExpression {
        let size = Self.size(of: value)
        return .conjunction([
            .comparison(.greater, size, Self.real(least)), .comparison(.less, size, Self.real(most)),
        ])
    }

    private func product(_ value: PushedValue, _ factor: PushedValue) -> SQLExpression {
        guard let factor = constant(factor)?.magnitude, factor.isFinite, factor != 0 else { return .truth(false) }
        if factor >= 1 { return isBetween(value, least: 0x1p1022 / factor, most: .infinity) }
        guard factor > 0x1p-900 else { return .truth(true) }
        return isBetween(value, least: 0, most: 0x1p-1022 / factor)
    }

    private var quotient: SQLExpression {
        guard let divisor = constant(right)?.magnitude, divisor.isFinite, divisor != 0 else { return .truth(false) }
        guard divisor > 0x1p-900, divisor < 0x1p900 else { return .truth(true) }
        return divisor >= 1
            ? isBetween(left, least: 0, most: 0x1p-1022 * divisor)
            : isBetween(left, least: 0x1p1022 * divisor, most: .infinity)
    }

    // MARK: Two values of a row

    private var product: SQLExpression {
        let (first, second) = (Self.size(of: left), Self.size(of: right))
        let large = SQLExpression.comparison(
            .greater,
            Self.product(
                Self.product(Self.greatest(first), Self.real(0x1p-513)),
                Self.product(Self.greatest(second), Self.real(0x1p-513))), Self.real(0x1p-5))
        let small = SQLExpression.comparison(
            .less, Self.product(Self.least(first), Self.real(0x1p500)),
            .arithmetic(.divide, Self.real(0x1p-513), .call("nullif", [Self.least(second), Self.real(0)])))
        return .disjunction([
            .conjunction([large, isFinite(left), isFinite(right)]),
            .conjunction([.comparison(.greater, first, Self.real(0)), small]),
        ])
    }

    private var anyQuotient: SQLExpression {
        let (first, second) = (Self.size(of: left), Self.size(of: right))
        let large = SQLExpression.comparison(
            .greater, Self.product(Self.greatest(first), Self.real(0x1p-513)),
            Self.product(Self.least(second), Self.real(0x1p500)))
        let small = SQLExpression.comparison(
            .less, Self.product(Self.least(first), Self.real(0x1p513)),
            Self.product(Self.greatest(second), Self.real(0x1p-500)))
        return .disjunction([
            .conjunction([large, isFinite(left), .comparison(.greater, second, Self.real(0))]),
            .conjunction([small, isFinite(right), .comparison(.greater, first, Self.real(0))]),
        ])
    }

    private func isFinite(_ value: PushedValue) -> SQLExpression {
        .comparison(.less, Self.size(of: value), Self.real(.infinity))
    }

    private static func real(_ value: Double) -> SQLExpression { .parameter(.real(value)) }
    private static func size(of value: PushedValue) -> SQLExpression { .call("pg_catalog.abs", [value.expression]) }
    private static func greatest(_ size: SQLExpression) -> SQLExpression { .call("greatest", [size, real(1)]) }
    private static func least(_ size: SQLExpression) -> SQLExpression { .call("least", [size, real(1)]) }
    private static func product(_ first: SQLExpression, _ second: SQLExpression) -> SQLExpression {
        .arithmetic(.multiply, first, second)
    }
}
