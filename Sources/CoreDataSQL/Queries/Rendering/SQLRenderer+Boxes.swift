import CoreDataStore

extension SQLRenderer {
    /// Writes that a row is among those that the index has in a rectangle, whose numbers are rounded outwards.
    mutating func append(_ box: SQLBox, _ key: SQLColumn) throws {
        noteSearchIndex()
        append(key)
        append(" IN ")
        try holding(10) { renderer in
            renderer.append("(SELECT key FROM \(renderer.dialect.searchSchema).box\(box.index) WHERE maxX >= ")
            try renderer.bind(.real(box.x.lowerBound))
            renderer.append(" AND minX <= ")
            try renderer.bind(.real(box.x.upperBound))
            renderer.append(" AND maxY >= ")
            try renderer.bind(.real(box.y.lowerBound))
            renderer.append(" AND minY <= ")
            try renderer.bind(.real(box.y.upperBound))
            renderer.append(")")
        }
    }
}
