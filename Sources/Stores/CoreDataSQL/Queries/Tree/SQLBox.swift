/// A query of an R-tree for the rows whose numbers may be in given ranges.
package struct SQLBox: Sendable, Hashable {
    /// Which R-tree is queried.
    package enum Tree: Sendable, Hashable {
        /// One in the search index, by the number of its pair of columns.
        case search(Int)
        /// A fetch index in the store itself, with the columns of its table.
        case fetchIndex(name: String, columns: [String])
    }

    package let tree: Tree
    /// A range for each dimension.
    package let ranges: [ClosedRange<Double>]
}

/// The columns of a table in a query that are the dimensions of an R-tree.
struct SQLCoordinates: Hashable {
    let tree: SQLBox.Tree
    let columns: [SQLColumn]
}

extension SQLExpression {
    /// Returns the condition with a query of an R-tree added, wherever comparisons bound all its dimensions from both
    /// sides.
    func boxed(by coordinates: [SQLCoordinates]) -> SQLExpression {
        guard !coordinates.isEmpty else { return self }
        switch self {
        case .any(let choices): return .disjunction(choices.map { $0.boxed(by: coordinates) })
        case .all(let parts):
            let boxes = coordinates.compactMap { coordinates in
                Self.box(coordinates, parts).map {
                    SQLExpression.boxed(SQLColumn(coordinates.columns[0].alias, "Z_PK"), $0)
                }
            }
            return .conjunction(boxes + parts.map { $0.boxed(by: coordinates) })
        default: return self
        }
    }

    private static func box(_ coordinates: SQLCoordinates, _ parts: [SQLExpression]) -> SQLBox? {
        let ranges = coordinates.columns.compactMap { range(of: $0, in: coordinates.tree, parts) }
        guard ranges.count == coordinates.columns.count else { return nil }
        return SQLBox(tree: coordinates.tree, ranges: ranges)
    }

    /// Returns the bounds that comparisons set for a column, rounded as the R-tree rounds; nil if one is missing.
    private static func range(
        of column: SQLColumn, in tree: SQLBox.Tree, _ parts: [SQLExpression]
    ) -> ClosedRange<Double>? {
        var (low, high): (Double?, Double?)
        for case .comparison(let comparison, .column(column), .parameter(let parameter)) in parts {
            let value: Double
            switch parameter {
            case .integer(let integer): value = Double(integer)
            case .real(let real) where !real.isNaN: value = real
            default: continue
            }
            let (lower, upper) = (tree.place(of: value, isLower: true), tree.place(of: value, isLower: false))
            switch comparison {
            case .equal: (low, high) = (max(low ?? lower, lower), min(high ?? upper, upper))
            case .greater, .greaterOrEqual: low = max(low ?? lower, lower)
            case .less, .lessOrEqual: high = min(high ?? upper, upper)
            case .same, .differs: continue
            }
        }
        guard let low, let high, low <= high else { return nil }
        return low...high
    }
}

extension SQLBox.Tree {
    fileprivate func place(of number: Double, isLower: Bool) -> Double {
        switch self {
        case .search: SearchPair.place(of: number)
        case .fetchIndex: SpatialIndex.place(of: number, isLower: isLower)
        }
    }
}
