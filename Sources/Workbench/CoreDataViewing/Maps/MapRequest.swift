import CoreData

/// A request for a map: the objects of an entity that have coordinates within a box, combined by the cells of a grid.
package struct MapRequest {
    /// The greatest zoom, at which a cell is about 1/50,000 of a degree wide.
    package static let greatestZoom = 20
    /// The number of cells along an edge of the box if no zoom is given.
    private static let usualCells = 16.0

    package let query: ObjectQuery
    package let pairs: [CoordinatePair]
    package let pair: CoordinatePair
    let condition: String?
    let box: MapBox?
    let zoom: Int?

    /// Checks a request against the model.
    ///
    /// - Parameters:
    ///   - latitude: The latitude attribute of the wanted pair; nil for the first pair.
    ///   - box: West, south, east and north; nil for a box around all objects with coordinates.
    /// - Throws: `InspectionError` that says which part is invalid; `unknownKey` for an entity without coordinates.
    package init(
        _ entity: NSEntityDescription, in store: NSPersistentStore?, where condition: String?, latitude: String? = nil,
        box: String?, zoom: Int?
    ) throws {
        let condition = condition.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        query = try ObjectQuery(entity, in: store, where: condition)
        let pairs = CoordinatePair.pairs(of: entity)
        self.pairs = pairs
        self.condition = condition
        self.box = try box.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : try MapBox($0) }
        self.zoom = zoom
        guard let pair = latitude.map({ name in pairs.first { $0.latitude == name } }) ?? pairs.first else {
            let known = pairs.map(\.latitude).joined(separator: ", ")
            throw InspectionError(
                .unknownKey, subject: entity.name ?? "",
                cause: "the entity has no such pair of a latitude and a longitude",
                hint: known.isEmpty
                    ? "a map takes numbers with names such as latitude and longitude, or lat and lng"
                    : "there are \(known)")
        }
        self.pair = pair
    }

    /// The zoom for a box: the requested one, unless the box would have too many cells.
    func zoom(for box: MapBox) -> Int {
        let cells = box.extent <= 0 ? .infinity : 360 / box.extent * Self.usualCells
        let fitting = min(max(Int(min(log2(cells), 64).rounded(.down)) - 4, 0), Self.greatestZoom)
        return min(max(zoom ?? fitting, 0), fitting + 1, Self.greatestZoom)
    }

    /// The edge of a cell in degrees.
    static func cell(_ zoom: Int) -> Double { 360 / Double(1 << (zoom + 4)) }

    /// The text of a predicate for a list of the request's objects within a box.
    func listCondition(_ box: MapBox) -> String {
        let within = box.condition(on: pair)
        return condition.map { "(\($0)) AND \(within)" } ?? within
    }
}
