import CoreDataStore

extension Pushdown {
    /// Returns an equivalent condition that can use indexes of beginnings, where a text or data is compared with
    /// constants.
    func served(_ expression: SQLExpression) -> SQLExpression {
        switch expression {
        case .all(let parts): return .conjunction(parts.map(served))
        case .any(let parts): return .disjunction(parts.map(served))
        case .not(let part): return .not(served(part))
        case .isNull(let part): return .isNull(beginning(of: part) ?? served(part))
        case .comparison(let comparison, let left, .parameter(let parameter)):
            guard let beginning = beginning(of: left) else {
                return .comparison(comparison, served(left), .parameter(parameter))
            }
            return served(comparison, beginning: beginning, column: left, parameter: parameter) ?? expression
        case .comparison(let comparison, .parameter(let parameter), let right):
            guard beginning(of: right) != nil else {
                return .comparison(comparison, .parameter(parameter), served(right))
            }
            return served(.comparison(comparison.mirrored, right, .parameter(parameter)))
        case .comparison(let comparison, let left, let right):
            return .comparison(comparison, served(left), served(right))
        case .among(let part, let parameters):
            guard let beginning = beginning(of: part) else { return .among(served(part), parameters) }
            return served(beginning, part, among: parameters)
        case .listed(let part, let list):
            guard let beginning = beginning(of: part) else { return .listed(served(part), list) }
            guard let starts = list.beginnings else { return .listed(beginning, list) }
            return .conjunction([.listed(beginning, starts), expression])
        case .exists(let select): return .exists(within(select.source).served(inner: select))
        case .scalar(let select): return .scalar(within(select.source).served(inner: select))
        case .conditional(let condition, let first, let second):
            return .conditional(served(condition), then: served(first), otherwise: served(second))
        case .column, .parameter, .number, .truth, .isNotNull, .arithmetic, .complement, .call, .searched, .boxed,
            .ranked, .hit, .day, .foldedKey:
            return expression
        }
    }

    private func served(inner select: SQLSelect) -> SQLSelect {
        SQLSelect(
            result: select.result, source: select.source, condition: served(select.condition),
            isDistinct: select.isDistinct, grouping: select.grouping, groupCondition: select.groupCondition,
            orderings: select.orderings, window: select.window)
    }

    private func served(
        _ comparison: SQLComparison, beginning: SQLExpression, column: SQLExpression, parameter: SQLParameter
    ) -> SQLExpression? {
        guard let start = IndexedBeginning.beginning(of: parameter) else { return nil }
        let wanted = SQLExpression.parameter(start.parameter)
        let whole = SQLExpression.comparison(comparison, column, .parameter(parameter))
        switch comparison {
        case .same, .differs: return whole
        case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard !start.isShort else { return .comparison(comparison, beginning, wanted) }
            let wide: SQLComparison =
                switch comparison {
                case .less: .lessOrEqual
                case .greater: .greaterOrEqual
                default: comparison
                }
            return .conjunction([.comparison(wide, beginning, wanted), whole])
        }
    }

    private func served(
        _ beginning: SQLExpression, _ column: SQLExpression, among parameters: [SQLParameter]
    ) -> SQLExpression {
        let starts = parameters.map(IndexedBeginning.beginning)
        let wanted = starts.compactMap(\.?.parameter)
        guard wanted.count == parameters.count else { return .among(column, parameters) }
        let found = SQLExpression.among(beginning, wanted)
        return starts.allSatisfy { $0?.isShort == true }
            ? found : .conjunction([found, .among(column, parameters)])
    }

    /// Returns orderings with the same result that let the server use an index of beginnings.
    ///
    /// The server reads rows in the order of the beginnings and sorts only those with equal ones; the index does not
    /// order by later orderings. This pays off if only the first rows are wanted: to sort all rows, beginnings are not
    /// worth computing.
    func served(_ orderings: [SQLSelect.Ordering]) -> [SQLSelect.Ordering] {
        guard let place = orderings.firstIndex(where: { beginning(of: $0.value) != nil }),
            let beginning = beginning(of: orderings[place].value)
        else { return orderings }
        var served = orderings
        served.insert(
            .init(value: beginning, collation: nil, ascending: orderings[place].ascending), at: place)
        return served
    }

    /// Returns the indexed beginning of a column's values; nil if there is no index, or one of complete values.
    private func beginning(of expression: SQLExpression) -> SQLExpression? {
        guard case .column(let column) = expression, let table = tables[column.alias].flatMap({ $0 }),
            let type = types.indexedBeginning(of: column.name, in: table)
        else { return nil }
        return IndexedBeginning.expression(of: column, type)
    }
}
