import CoreDataStore

/// One side of a comparison as a number with any number of digits.
///
/// A real is compared as the shortest decimal that identifies it, as in `ExactNumber`.
struct DecimalOperand {
    let expression: SQLExpression
    let doubt: SQLExpression

    /// Returns nil if the value is not a number.
    init?(_ value: PushedValue, beside other: PushedValue) {
        if let digits = value.digits {
            (expression, doubt) = (digits, value.doubt)
            return
        }
        switch value.kind {
        case .integer: (expression, doubt) = (value.expression, value.doubt)
        case .mixed: (expression, doubt) = (value.within64Bits.expression, value.within64Bits.doubt)
        case .real:
            guard case .column = value.expression, let other = other.digits ?? Self.whole(other) else { return nil }
            (expression, doubt) = (Self.digits(of: value.expression), Self.doubt(value.expression, beside: other))
        default: return nil
        }
    }

    private static func whole(_ value: PushedValue) -> SQLExpression? {
        value.kind == .integer ? .call("pg_catalog.numeric", [value.expression]) : nil
    }

    private static func real(_ value: Double) -> SQLExpression { .parameter(.real(value)) }

    /// Returns a real as a decimal: the shortest one below 2^52, where the database computes it as memory does, the
    /// exact integer below 2^63, and infinity beyond.
    private static func digits(of real: SQLExpression) -> SQLExpression {
        let size = SQLExpression.call("pg_catalog.abs", [real])
        func number(_ text: String) -> SQLExpression { .call("pg_catalog.numeric", [.parameter(.text(text))]) }
        return .conditional(
            .comparison(.less, size, Self.real(0x1p52)),
            then: .call("pg_catalog.numeric", [.call("pg_catalog.text", [real])]),
            otherwise: .conditional(
                .comparison(.less, size, Self.real(0x1p63)),
                then: .call("pg_catalog.numeric", [.call("pg_catalog.int8", [real])]),
                otherwise: .conditional(
                    .comparison(.greater, real, Self.real(0)), then: number("Infinity"),
                    otherwise: .conditional(
                        .comparison(.less, real, Self.real(0)), then: number("-Infinity"), otherwise: .parameter(.null))
                )))
    }

    private static func doubt(_ real: SQLExpression, beside number: SQLExpression) -> SQLExpression {
        let (size, other) = (
            SQLExpression.call("pg_catalog.abs", [real]), SQLExpression.call("pg_catalog.abs", [number])
        )
        func decimal(_ text: String) -> SQLExpression { .call("pg_catalog.numeric", [.parameter(.text(text))]) }
        return .disjunction([
            .comparison(.equal, real, Self.real(.nan)),
            .conjunction([
                .comparison(.greaterOrEqual, size, Self.real(0x1p63)), .comparison(.greater, other, .number(1 << 62)),
            ]),
            .conjunction([
                .comparison(.less, size, Self.real(1e-110)), .comparison(.greater, size, Self.real(0)),
                .comparison(.less, other, decimal("1e-100")), .comparison(.greater, other, .number(0)),
            ]),
        ])
    }
}
