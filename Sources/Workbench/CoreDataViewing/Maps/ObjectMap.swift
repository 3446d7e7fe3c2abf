import CoreData

/// Objects on a map; objects near each other are combined in clusters.
package struct ObjectMap {
    /// The objects in a cell of the grid.
    package struct Cluster {
        package let latitude: Double
        package let longitude: Double
        package let count: Int
        package let box: MapBox
        /// The name of the object, if it is the only one in the cell.
        package let object: String?
        /// The text of a predicate for a list of the objects, if all have the same coordinates.
        package let condition: String?
    }

    package let entity: String
    package let pairs: [CoordinatePair]
    package let pair: CoordinatePair
    package let box: MapBox
    package let zoom: Int
    package let clusters: [Cluster]
    /// The text of a predicate for a list of the objects in the box.
    package let condition: String
    /// The number of objects in the box.
    package var count: Int { clusters.reduce(0) { $0 + $1.count } }

    package var json: JSONValue {
        .object([
            ("entity", .string(entity)), ("pair", pair.json), ("pairs", .array(pairs.map(\.json))), ("box", box.json),
            ("zoom", .count(zoom)), ("count", .count(count)), ("where", .string(condition)),
            ("clusters", .array(clusters.map(\.json))),
        ])
    }
}

extension ObjectMap.Cluster {
    fileprivate var json: JSONValue {
        .object([
            ("latitude", .real(latitude)), ("longitude", .real(longitude)), ("count", .count(count)),
            ("box", box.json), ("object", .text(object)), ("where", .text(condition)),
        ])
    }
}
