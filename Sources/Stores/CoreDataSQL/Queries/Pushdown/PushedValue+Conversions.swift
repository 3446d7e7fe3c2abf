import CoreDataStore

extension PushedValue {
    /// The value as a real: an integer, or a result of integer arithmetic, becomes the nearest real; nil for other
    /// kinds.
    var real: PushedValue? {
        switch (kind, expression) {
        case (.real, _), (.date, _): return self
        case (.integer, .parameter(.integer(let integer))):
            return PushedValue(expression: .parameter(.real(Double(integer))), kind: .real)
        case (.integer, .number(let number)):
            return PushedValue(expression: .parameter(.real(Double(number))), kind: .real)
        case (.integer, _), (.decimal, _):
            return PushedValue(expression: .call("pg_catalog.float8", [expression]), kind: .real, doubt: doubt)
        case (.mixed, _):
            let value = within64Bits
            return PushedValue(
                expression: .call("pg_catalog.float8", [value.expression]), kind: .real, doubt: value.doubt)
        default: return nil
        }
    }

    /// The result of integer arithmetic; in doubt if it exceeds 64 bits, since it is a real in memory then.
    var within64Bits: PushedValue {
        guard kind == .mixed else { return self }
        let outside = SQLExpression.disjunction([
            .comparison(.less, expression, .parameter(.integer(.min))),
            .comparison(.greater, expression, .parameter(.integer(.max))),
        ])
        return doubted(where: outside)
    }

    /// Two values converted to a common kind, for the branches of an expression; nil if there is no such kind.
    static func unified(_ first: PushedValue?, _ second: PushedValue?) -> (PushedValue, PushedValue)? {
        guard let first, let second else { return nil }
        if first.kind == second.kind || first.kind == .null || second.kind == .null { return (first, second) }
        let wholes: [Kind] = [.integer, .mixed]
        if wholes.contains(first.kind), wholes.contains(second.kind) {
            return (first.numeric(as: .mixed), second.numeric(as: .mixed))
        }
        let numbers = wholes + [.real]
        guard numbers.contains(first.kind), numbers.contains(second.kind) else { return nil }
        return first.asExactReal.flatMap { first in second.asExactReal.map { (first, $0) } }
    }

    private func numeric(as kind: Kind) -> PushedValue {
        PushedValue(expression: .call("pg_catalog.numeric", [expression]), kind: kind, doubt: doubt)
    }

    /// The value as a real; in doubt for integers that no real equals.
    private var asExactReal: PushedValue? {
        guard kind != .real else { return self }
        let size = SQLExpression.call("abs", [numeric(as: .mixed).expression])
        return real?.doubted(where: .comparison(.greater, size, .number(1 << 53)))
    }
}
