import CoreDataStore

/// A comparison of an integer with a real, exact as in memory: the database would round the integer to the nearest
/// real.
///
/// If the rounded integer differs from the real, this decides the comparison. If they are equal, the integer is
/// compared with the real converted to an integer; 2⁶³ is greater than all integers and cannot be converted.
struct IntegerComparison {
    private let comparison: SQLComparison
    private let integer: SQLExpression
    private let real: SQLExpression

    init(_ comparison: SQLComparison, integer: SQLExpression, real: SQLExpression) {
        (self.comparison, self.integer, self.real) = (comparison, integer, real)
    }

    var condition: SQLExpression {
        switch comparison {
        case .less, .lessOrEqual:
            let isNumber = SQLExpression.comparison(.less, real, .parameter(.real(.nan)))
            return .disjunction([
                .conjunction([compared(.less), isNumber]), same(comparison),
                .conjunction([compared(.equal), .comparison(.greaterOrEqual, real, .parameter(.real(0x1p63)))]),
            ])
        case .greater, .greaterOrEqual: return .disjunction([compared(.greater), same(comparison)])
        case .equal: return same(.equal)
        case .same: return isSame
        case .differs: return isSame.negated
        }
    }

    private var isSame: SQLExpression {
        .disjunction([same(.equal), .conjunction([.isNull(integer), .isNull(real)])])
    }

    private func compared(_ comparison: SQLComparison) -> SQLExpression {
        .comparison(comparison, .call("pg_catalog.float8", [integer]), real)
    }

    /// Returns the comparison with the real's integer, for rows where the rounded integer equals the real.
    private func same(_ comparison: SQLComparison) -> SQLExpression {
        let isHeld = SQLExpression.conjunction([
            compared(.equal), .comparison(.less, real, .parameter(.real(0x1p63))),
        ])
        return .comparison(
            comparison, integer,
            .conditional(isHeld, then: .call("pg_catalog.int8", [real]), otherwise: .parameter(.null)))
    }
}
