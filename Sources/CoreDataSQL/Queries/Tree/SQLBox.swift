/// A question to the search index for the rows in a rectangle of a pair of coordinates.
package struct SQLBox: Sendable, Hashable {
    /// The number of the pair.
    package let index: Int
    package let x: ClosedRange<Double>
    package let y: ClosedRange<Double>
}

/// The columns of a table in a query that are a pair of coordinates which an index has.
struct SQLPair: Hashable {
    let index: Int
    let x: SQLColumn
    let y: SQLColumn
}

extension SQLExpression {
    /// The condition with a question to the index beside the comparisons that bound both coordinates of a pair from both
    /// sides.
    func boxed(by pairs: [SQLPair]) -> SQLExpression {
        switch self {
        case .any(let choices): return .disjunction(choices.map { $0.boxed(by: pairs) })
        case .all(let parts):
            let boxes = pairs.compactMap { pair in
                Self.box(pair, parts).map { SQLExpression.boxed(SQLColumn(pair.x.alias, "Z_PK"), $0) }
            }
            return .conjunction(boxes + parts.map { $0.boxed(by: pairs) })
        default: return self
        }
    }

    private static func box(_ pair: SQLPair, _ parts: [SQLExpression]) -> SQLBox? {
        guard let x = range(of: pair.x, parts), let y = range(of: pair.y, parts) else { return nil }
        return SQLBox(index: pair.index, x: x, y: y)
    }

    /// The bounds that conditions set to a column, as places in the index; nil where one is missing.
    private static func range(of column: SQLColumn, _ parts: [SQLExpression]) -> ClosedRange<Double>? {
        var (low, high): (Double?, Double?)
        for case .comparison(let comparison, .column(column), .parameter(let parameter)) in parts {
            let value: Double
            switch parameter {
            case .integer(let integer): value = Double(integer)
            case .real(let real) where !real.isNaN: value = real
            default: continue
            }
            let place = SearchPair.place(of: value)
            switch comparison {
            case .equal: (low, high) = (max(low ?? place, place), min(high ?? place, place))
            case .greater, .greaterOrEqual: low = max(low ?? place, place)
            case .less, .lessOrEqual: high = min(high ?? place, place)
            case .same, .differs: continue
            }
        }
        guard let low, let high, low <= high else { return nil }
        return low...high
    }
}
