import CoreDataStore

extension Pushdown {
    /// Returns a value as the database computes it; nil if its result might differ from that in memory.
    func value(_ expression: SQLExpression) -> PushedValue? {
        switch expression {
        case .column(let column): return self.column(column)
        case .parameter(.text(let text)):
            return PushedValue(expression: .parameter(.text(EscapedText.escaped(text))), kind: .text)
        case .parameter(let parameter): return PushedValue(expression: expression, kind: .init(parameter))
        case .number: return PushedValue(expression: expression, kind: .integer)
        case .scalar(let select): return scalar(select)
        case .conditional(let condition, let first, let second): return choice(condition, first: first, second: second)
        // Adding 0 converts a decimal to the nearest real for sorting; the database sorts decimals as they are.
        case .arithmetic(.add, let part, .number(0)) where value(part)?.kind == .decimal: return value(part)
        case .arithmetic(let sign, let left, let right):
            guard let left = value(left), let right = value(right) else { return nil }
            return PushedValue(sign, left: left, right: right)
        case .complement(let part):
            guard let value = value(part), value.kind == .integer, value.isCertain else { return nil }
            return PushedValue(expression: .complement(value.expression), kind: .integer)
        case .day(let part):
            guard let time = value(part), time.kind == .date else { return nil }
            return PushedValue(expression: .day(of: time.expression), kind: .integer, doubt: time.doubt)
        case .call(SQLFunctionLibrary.fold, let arguments): return folded(arguments)
        case .call("coalesce", let parts): return sum(parts)
        case .call(SQLAggregate.count.rawValue, let parts): return count(parts)
        default: return nil
        }
    }

    /// Returns the number of rows of a group in which a value is not NULL.
    private func count(_ parts: [SQLExpression]) -> PushedValue? {
        guard isGrouped, parts.count == 1, let value = value(parts[0]), value.isCertain else { return nil }
        return PushedValue(expression: .call(SQLAggregate.count.rawValue, [value.expression]), kind: .integer)
    }

    /// Returns a sum that is 0 if there is nothing to add.
    private func sum(_ parts: [SQLExpression]) -> PushedValue? {
        guard parts.count == 2, parts[1] == .number(0), let value = value(parts[0]), value.kind == .mixed else {
            return nil
        }
        return PushedValue(
            expression: .call("coalesce", [value.expression, .number(0)]), kind: .mixed, doubt: value.doubt)
    }

    private func column(_ column: SQLColumn) -> PushedValue? {
        guard let table = tables[column.alias] else { return nil }
        let type = table.map { types.type(of: column.name, in: $0) } ?? .integer
        return type.map { PushedValue(expression: .column(column), kind: .init($0)) }
    }

    /// Returns the folded text, which is the same for all texts that are equal under the options.
    private func folded(_ arguments: [SQLExpression]) -> PushedValue? {
        guard arguments.count == 2, case .number(let options) = arguments[1], let text = value(arguments[0]),
            text.kind == .text
        else { return nil }
        return FoldedText(text, options).value(deciding: nil)
    }

    private func choice(
        _ condition: SQLExpression, first: SQLExpression, second: SQLExpression
    ) -> PushedValue? {
        let condition = self.condition(condition)
        guard let (first, second) = PushedValue.unified(value(first), value(second)) else { return nil }
        let isFirst = SQLExpression.conjunction([condition.upper, first.doubt])
        let isSecond = SQLExpression.conjunction([condition.lower.negated, second.doubt])
        return PushedValue(
            expression: .conditional(condition.upper, then: first.expression, otherwise: second.expression),
            kind: first.kind == .null ? second.kind : first.kind,
            doubt: .disjunction([condition.doubt, isFirst, isSecond]))
    }

    /// Returns an aggregate over rows; it is in doubt if a row's membership or value is in doubt.
    private func scalar(_ select: SQLSelect) -> PushedValue? {
        let inner = within(select.source)
        let condition = inner.condition(select.condition)
        guard condition.upper != .truth(true) || condition.isExact,
            let (result, kind, unsure) = inner.result(select.result)
        else { return nil }
        func some(_ condition: SQLExpression) -> SQLExpression {
            condition == .truth(false)
                ? condition : .exists(SQLSelect(result: .one, source: select.source, condition: condition))
        }
        let doubt = SQLExpression.disjunction([
            some(condition.doubt), some(unsure == .truth(false) ? unsure : .conjunction([condition.upper, unsure])),
        ])
        let value = SQLExpression.scalar(SQLSelect(result: result, source: select.source, condition: condition.upper))
        guard case .wholeSum = select.result else { return PushedValue(expression: value, kind: kind, doubt: doubt) }
        return PushedValue(expression: .call("coalesce", [value, .number(0)]), kind: kind, doubt: doubt)
    }

    /// Returns the aggregate, its kind, and the condition under which a row's value is in doubt.
    private func result(_ result: SQLSelect.Result) -> (SQLSelect.Result, PushedValue.Kind, doubt: SQLExpression)? {
        switch result {
        case .count: return (.count, .integer, .truth(false))
        case .aggregate(.count, let part):
            return value(part).map { (.aggregate(.count, $0.expression), .integer, $0.doubt) }
        case .aggregate(let extreme, let part) where extreme == .minimum || extreme == .maximum:
            // PostgreSQL has no `min` and `max` of bytes.
            guard let value = value(part), [.integer, .decimal, .text, .real].contains(value.kind) else { return nil }
            return (.aggregate(extreme, value.expression), value.kind, doubt(value, extreme))
        case .wholeSum(let part), .aggregate(.sum, let part):
            guard let value = value(part), value.kind == .integer || value.kind == .mixed else { return nil }
            return (.aggregate(.sum, value.expression), .mixed, value.doubt)
        case .aggregate, .columns, .one, .keyed, .values: return nil
        }
    }

    /// Returns where the minimum or maximum is in doubt: the database sorts NaN above all numbers, and in memory NaN
    /// has no place in the order.
    private func doubt(_ value: PushedValue, _ extreme: SQLAggregate) -> SQLExpression {
        let notANumber: SQLExpression
        switch value.kind {
        case .real: notANumber = .parameter(.real(.nan))
        case .decimal where extreme == .maximum: notANumber = PushedValue.digits("NaN")
        default: return value.doubt
        }
        return .disjunction([value.doubt, .comparison(.equal, value.expression, notANumber)])
    }
}
