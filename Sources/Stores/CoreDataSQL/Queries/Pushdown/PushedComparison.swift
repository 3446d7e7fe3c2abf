import CoreDataStore

/// A comparison of two values in a database that orders numbers differently from memory.
///
/// PostgreSQL treats NaN as equal to itself and greater than all other numbers, and compares an integer with a real as
/// reals; in memory NaN is neither, and the comparison is exact.
struct PushedComparison {
    let comparison: SQLComparison
    let left: PushedValue
    let right: PushedValue

    private static let notANumber = SQLExpression.parameter(.real(.nan))
    private static let decimalNaN = PushedValue.digits("NaN")

    var condition: Pushdown.Condition {
        if let test { return Pushdown.Condition(test, unless: .disjunction([left.doubt, right.doubt])) }
        switch (left.kind, right.kind) {
        case (.mixed, .integer), (.integer, .mixed), (.mixed, .mixed):
            let (left, right) = (left.within64Bits, right.within64Bits)
            return Pushdown.Condition(
                .comparison(comparison, left.expression, right.expression),
                unless: .disjunction([left.doubt, right.doubt]))
        case (.integer, .real):
            return Pushdown.Condition(
                IntegerComparison(comparison, integer: left.expression, real: right.expression).condition,
                unless: .disjunction([left.doubt, right.doubt]))
        case (.real, .integer):
            return PushedComparison(comparison: comparison.mirrored, left: right, right: left).condition
        case (.decimal, .real), (.real, .decimal): return digits
        default: return .unknown
        }
    }

    /// The comparison of the values as numbers with any number of digits.
    var digits: Pushdown.Condition {
        guard let left = DecimalOperand(left, beside: right), let right = DecimalOperand(right, beside: self.left)
        else {
            return .unknown
        }
        return Pushdown.Condition(
            amongNumbers(left.expression, right.expression),
            unless: .disjunction([left.doubt, right.doubt]))
    }

    /// The condition; nil if the database cannot decide it from the values alone.
    private var test: SQLExpression? {
        switch (left.kind, right.kind) {
        case (.integer, .integer), (.text, .text), (.bytes, .bytes): return plain
        case (.mixed, .integer), (.mixed, .real): return mixed
        case (.integer, .mixed), (.real, .mixed):
            return PushedComparison(comparison: comparison.mirrored, left: right, right: left).mixed
        case (.decimal, _), (_, .decimal): return decimals
        case (.integer, .real): return Self.whole(comparison, column: left.expression, constant: right.expression)
        case (.real, .integer), (.date, .integer): return real(right.expression)
        case (.real, .real), (.date, .real): return isConstant(right) ? oneSided : reals
        case (.date, .date): return dates
        default: return nil
        }
    }

    private var plain: SQLExpression { .comparison(comparison, left.expression, right.expression) }

    private func isConstant(_ value: PushedValue) -> Bool {
        if case .parameter = value.expression { true } else { false }
    }

    // MARK: Numbers of any digits

    private var decimals: SQLExpression? {
        func operand(_ value: PushedValue) -> SQLExpression? {
            switch value.kind {
            case .decimal, .integer: value.digits ?? (value.kind == .integer ? value.expression : nil)
            case .real, .text: value.digits
            case .date, .bytes, .null, .mixed: nil
            }
        }
        guard let left = operand(left), let right = operand(right) else { return nil }
        return amongNumbers(left, right)
    }

    /// Returns a comparison in which NaN equals itself and has no order with other numbers; in the database, NaN is
    /// greater than all of them.
    private func amongNumbers(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
        let ordered = SQLExpression.comparison(comparison, left, right)
        let isAbove = comparison == .greater || comparison == .greaterOrEqual
        guard isAbove || comparison == .less || comparison == .lessOrEqual else { return ordered }
        if left == Self.decimalNaN || right == Self.decimalNaN {
            return comparison.holds(.orderedSame) ? .comparison(.equal, left, right) : .truth(false)
        }
        let upper = isAbove ? self.left : self.right
        let lower = isAbove ? self.right : self.left
        guard upper.mayBeNaN else { return ordered }
        let isNumber = SQLExpression.comparison(.less, isAbove ? left : right, Self.decimalNaN)
        guard comparison.holds(.orderedSame), lower.mayBeNaN else { return .conjunction([ordered, isNumber]) }
        return .conjunction([ordered, .disjunction([isNumber, .comparison(.equal, left, right)])])
    }

    // MARK: Integers beside reals

    /// A constant of smaller magnitude compares with a result outside the range of integers as it does with the nearest
    /// real.
    private static let greatestPlain = 0x1p62

    /// The comparison of a result of integer arithmetic with a constant; nil if it is not exact.
    private var mixed: SQLExpression? {
        switch right.expression {
        case .number: return plain
        case .parameter(.integer(let integer)): return Double(integer).magnitude < Self.greatestPlain ? plain : nil
        case .parameter(.real(let real)) where real.magnitude < Self.greatestPlain:
            return Self.whole(comparison, column: left.expression, constant: right.expression)
        default: return nil
        }
    }

    /// Returns the comparison of a column of integers with a real constant, rounded to an integer.
    private static func whole(
        _ comparison: SQLComparison, column: SQLExpression, constant: SQLExpression
    ) -> SQLExpression? {
        guard case .parameter(.real(let real)) = constant, !real.isNaN else { return nil }
        func bounded(_ comparison: SQLComparison, by bound: Double, isAlways: Bool) -> SQLExpression {
            guard let integer = Int64(exactly: bound) else {
                return isAlways ? .isNotNull(column) : .truth(false)
            }
            return .comparison(comparison, column, .parameter(.integer(integer)))
        }
        switch comparison {
        case .less: return bounded(.less, by: real.rounded(.up), isAlways: real > 0)
        case .lessOrEqual: return bounded(.lessOrEqual, by: real.rounded(.down), isAlways: real > 0)
        case .greater: return bounded(.greater, by: real.rounded(.down), isAlways: real < 0)
        case .greaterOrEqual: return bounded(.greaterOrEqual, by: real.rounded(.up), isAlways: real < 0)
        case .equal, .same: return bounded(comparison, by: real, isAlways: false)
        case .differs:
            return Int64(exactly: real).map { .comparison(.differs, column, .parameter(.integer($0))) } ?? .truth(true)
        }
    }

    /// Returns the comparison of a column of reals with an integer constant that a real represents exactly.
    private func real(_ constant: SQLExpression) -> SQLExpression? {
        let real: Double?
        switch constant {
        case .parameter(.integer(let integer)): real = Double(exactly: integer)
        case .number(let number): real = Double(exactly: number)
        default: real = nil
        }
        guard let real else { return nil }
        let value = PushedValue(expression: .parameter(.real(real)), kind: .real)
        return PushedComparison(comparison: comparison, left: left, right: value).test
    }

    // MARK: What is not a number

    /// The comparison with a constant on the right that is not NaN.
    private var oneSided: SQLExpression? {
        guard case .parameter(.real(let real)) = right.expression, !real.isNaN else { return nil }
        let isAbove = comparison == .greater || comparison == .greaterOrEqual
        // Among dates, NaN counts as later than all others, in memory as in the database.
        guard isAbove, left.kind == .real else { return plain }
        return .conjunction([plain, isNumber(left)])
    }

    private var reals: SQLExpression {
        switch comparison {
        case .less, .lessOrEqual: .conjunction([plain, isNumber(right)])
        case .greater, .greaterOrEqual: .conjunction([plain, isNumber(left)])
        case .equal, .same: .conjunction([plain, .not(isNotNumber(left))])
        case .differs: .disjunction([plain, isNotNumber(left)])
        }
    }

    private var dates: SQLExpression {
        switch comparison {
        case .less, .lessOrEqual: .conjunction([plain, isNumber(right)])
        case .greater, .greaterOrEqual:
            .disjunction([plain, .conjunction([isNotNumber(right), .isNotNull(left.expression)])])
        case .equal, .same: .conjunction([plain, .not(isNotNumber(left))])
        case .differs: .disjunction([plain, isNotNumber(left)])
        }
    }

    private func isNumber(_ value: PushedValue) -> SQLExpression {
        .comparison(.less, value.expression, Self.notANumber)
    }

    private func isNotNumber(_ value: PushedValue) -> SQLExpression {
        .comparison(.equal, value.expression, Self.notANumber)
    }
}
