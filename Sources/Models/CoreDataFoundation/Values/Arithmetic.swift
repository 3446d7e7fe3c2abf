/// Arithmetic on numbers of any type: integers give an integer if it fits 64 bits, a decimal operand gives a decimal.
enum Arithmetic {
    static func sum(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber {
        combine(left, right, whole: { $0.addingReportingOverflow($1) }, decimal: +, binary: +)
    }

    static func difference(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber {
        combine(left, right, whole: { $0.subtractingReportingOverflow($1) }, decimal: -, binary: -)
    }

    static func product(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber {
        combine(left, right, whole: { $0.multipliedReportingOverflow(by: $1) }, decimal: *, binary: *)
    }

    /// Divides; integers without a fraction, as in SQL. nil for a division by zero.
    static func quotient(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber? {
        guard right.double != 0 else { return nil }
        return combine(left, right, whole: { $0.dividedReportingOverflow(by: $1) }, decimal: /, binary: /)
    }

    /// The remainder of the integer parts, with the sign of the left; nil for a division by zero and beyond 64 bits.
    static func remainder(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber? {
        guard let left = left.integer, let right = right.integer, right != 0 else { return nil }
        return .integer(right == -1 ? 0 : left % right)
    }

    private static func combine(
        _ left: ExactNumber, _ right: ExactNumber,
        whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        decimal: (Decimal, Decimal) -> Decimal, binary: (Double, Double) -> Double
    ) -> ExactNumber {
        if case .integer(let left) = left, case .integer(let right) = right {
            let result = whole(left, right)
            if !result.overflow { return .integer(result.partialValue) }
        }
        if isDecimal(left) || isDecimal(right), let left = left.decimal, let right = right.decimal {
            let result = decimal(left, right)
            if !result.isNaN { return .decimal(result) }
        }
        return .double(binary(left.double, right.double))
    }

    private static func isDecimal(_ number: ExactNumber) -> Bool {
        guard case .decimal = number else { return false }
        return true
    }
}
