extension PushedValue {
    /// Creates the result of an operator on two numbers; nil if the database cannot compute it exactly.
    ///
    /// Integers are computed without overflow, as numbers with any number of digits. Reals have the same results as in
    /// memory; where the database would raise an error for a result that is too large or too small, the value is in
    /// doubt.
    init?(_ sign: SQLOperator, left: PushedValue, right: PushedValue) {
        let wholes: [Kind] = [.integer, .mixed]
        guard wholes.contains(left.kind), wholes.contains(right.kind) else {
            guard let real = RealArithmetic(sign, left: left, right: right)?.value else { return nil }
            self = real
            return
        }
        let (left, right) = (left.within64Bits, right.within64Bits)
        let doubt = SQLExpression.disjunction([left.doubt, right.doubt])
        let number = SQLExpression.call("pg_catalog.numeric", [left.expression])
        let divisor = SQLExpression.call("nullif", [right.expression, .number(0)])
        switch sign {
        case .add, .subtract, .multiply:
            self.init(expression: .arithmetic(sign, number, right.expression), kind: .mixed, doubt: doubt)
        case .divide: self.init(expression: .call("pg_catalog.div", [number, divisor]), kind: .mixed, doubt: doubt)
        case .modulus: self.init(expression: .call("pg_catalog.mod", [number, divisor]), kind: .mixed, doubt: doubt)
        case .and, .or:
            guard left.kind == .integer, right.kind == .integer else { return nil }
            self.init(
                expression: .arithmetic(sign, left.expression, right.expression), kind: .integer, doubt: doubt)
        case .leftShift, .rightShift: return nil
        }
    }
}
