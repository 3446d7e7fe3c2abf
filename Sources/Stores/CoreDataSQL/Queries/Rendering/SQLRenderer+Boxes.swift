import CoreDataStore

extension SQLRenderer {
    /// Appends the condition that a row is in a box of an R-tree, whose bounds are rounded outwards.
    mutating func append(_ box: SQLBox, _ key: SQLColumn) throws {
        append(key)
        append(" IN ")
        try holding(10) { renderer in
            let names = renderer.appendBeginning(of: box.tree)
            for (number, (bounds, range)) in zip(names, box.ranges).enumerated() {
                renderer.append("\(number == 0 ? " WHERE" : " AND") \(bounds.upper) >= ")
                try renderer.bind(.real(range.lowerBound))
                renderer.append(" AND \(bounds.lower) <= ")
                try renderer.bind(.real(range.upperBound))
            }
            renderer.append(")")
        }
    }

    /// Appends the sub-query up to its condition; returns the names of the columns with the bounds of each dimension.
    private mutating func appendBeginning(of tree: SQLBox.Tree) -> [(lower: String, upper: String)] {
        switch tree {
        case .search(let number):
            noteSearchIndex()
            append("(SELECT key FROM \(dialect.searchSchema).box\(number)")
            return [("minX", "maxX"), ("minY", "maxY")]
        case .fetchIndex(let name, let columns):
            append("(SELECT Z_PK FROM \(dialect.table(name))")
            return columns.map { (SpatialIndex.lower($0), SpatialIndex.upper($0)) }
        }
    }
}
