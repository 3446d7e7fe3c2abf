extension PushedValue {
    /// What an operator makes of two integers, without overflow: in numbers of any digits. Nil for other numbers, whose results
    /// the database refuses where they become too large.
    init?(_ sign: SQLOperator, _ left: PushedValue, _ right: PushedValue) {
        let wholes: [Kind] = [.integer, .mixed]
        guard wholes.contains(left.kind), wholes.contains(right.kind) else { return nil }
        let number = SQLExpression.call("pg_catalog.numeric", [left.expression])
        let divisor = SQLExpression.call("nullif", [right.expression, .number(0)])
        switch sign {
        case .add, .subtract, .multiply:
            self.init(expression: .arithmetic(sign, number, right.expression), kind: .mixed)
        case .divide: self.init(expression: .call("pg_catalog.div", [number, divisor]), kind: .mixed)
        case .modulus: self.init(expression: .call("pg_catalog.mod", [number, divisor]), kind: .mixed)
        case .and, .or:
            guard left.kind == .integer, right.kind == .integer else { return nil }
            self.init(expression: .arithmetic(sign, left.expression, right.expression), kind: .integer)
        case .leftShift, .rightShift: return nil
        }
    }
}
