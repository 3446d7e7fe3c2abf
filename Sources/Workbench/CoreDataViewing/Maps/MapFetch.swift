import CoreData

extension OpenStore {
    /// Fetches the map of a request.
    ///
    /// - Throws: `InspectionError` if the store cannot be read, or the numbers are not coordinates.
    package func map(of question: MapRequest) throws -> ObjectMap {
        try context.performAndWait { try namingFile { try context.map(of: question, in: store) } }
    }
}

extension NSManagedObjectContext {
    /// Fetches the map of a request, by fetch requests that every type of store supports.
    ///
    /// - Parameter predicate: Replaces the request's own condition, such as one that also excludes hidden objects; nil
    ///   for the request's own.
    /// - Throws: Errors of the store, and `InspectionError`: `badValue` if the numbers are not coordinates,
    ///   `badPredicate` for a condition that the store cannot evaluate.
    package func map(
        of question: MapRequest, with predicate: NSPredicate? = nil, in store: NSPersistentStore
    ) throws -> ObjectMap {
        let fetch = MapFetch(
            question: question, predicate: predicate ?? question.query.predicate, context: self, store: store)
        return try InspectionError.namingQuestion { try fetch.map() }
    }
}

/// The fetch requests of one map.
private struct MapFetch {
    /// The number of objects whose numbers are checked for being coordinates.
    private static let sample = 200
    /// The number of places that one request fetches objects for, since the depth of predicates is limited.
    private static let portion = 50
    /// The most clusters of a map.
    private static let greatestCount = 500

    let question: MapRequest
    let predicate: NSPredicate?
    let context: NSManagedObjectContext
    let store: NSPersistentStore

    private typealias Place = (latitude: Any, longitude: Any)

    func map() throws -> ObjectMap {
        try requireCoordinates()
        let box = try question.box ?? extent()
        var zoom = question.zoom(for: box)
        var lines = try cells(of: box, MapRequest.cell(zoom))
        // Larger cells, if what is to be drawn is too much.
        while lines.count > Self.greatestCount, zoom > 0 {
            zoom -= 1
            lines = try cells(of: box, MapRequest.cell(zoom))
        }
        let singles = try objects(at: lines.filter { Self.number($0["count"]) == 1 }.compactMap(Self.place))
        let clusters = lines.compactMap { cluster($0, singles) }
        return ObjectMap(
            entity: question.query.entity.name ?? "", pairs: question.pairs, pair: question.pair, box: box, zoom: zoom,
            clusters: clusters.sorted { ($1.latitude, $0.longitude) < ($0.latitude, $1.longitude) },
            condition: question.listCondition(box))
    }

    /// - Throws: `InspectionError` if numbers of the first objects cannot be coordinates.
    private func requireCoordinates() throws {
        let pair = question.pair
        let request = request([pair.latitude, pair.longitude], try parsed("\(pair.latitude) != nil"))
        request.fetchLimit = Self.sample
        for line in try context.fetch(request) {
            guard let latitude = Self.number(line[pair.latitude]), let longitude = Self.number(line[pair.longitude])
            else { continue }
            guard abs(latitude) <= 90, abs(longitude) <= 180 else {
                throw InspectionError(
                    .badValue, subject: "\(pair.latitude), \(pair.longitude)",
                    cause: "the numbers are not coordinates: some are beyond 90 and 180 degrees")
            }
        }
    }

    /// The box around all objects that have coordinates; the world if none has any.
    private func extent() throws -> MapBox {
        let request = request(extremes, try parsed(MapBox.world.condition(on: question.pair)))
        guard let line = try context.fetch(request).first, let found = Self.box(line) else { return .world }
        return found.widened()
    }

    /// The cells of a grid over a box that contain objects, each with its count and extremes.
    private func cells(of box: MapBox, _ cell: Double) throws -> [NSDictionary] {
        if let lines = try cellsByIndex(of: box, cell) { return lines }
        let keys = [("row", question.pair.latitude), ("column", question.pair.longitude)].map { name, path in
            let quotient = NSExpression(
                forFunction: "divide:by:",
                arguments: [NSExpression(forKeyPath: path), NSExpression(forConstantValue: cell)])
            return NSExpressionDescription(name, function: "floor:", of: quotient, type: .integer64AttributeType)
        }
        let count = NSExpressionDescription(
            "count", function: "count:", of: NSExpression.expressionForEvaluatedObject(), type: .integer64AttributeType)
        let request = request(keys + [count] + extremes, try parsed(box.condition(on: question.pair)))
        request.propertiesToGroupBy = keys
        return try context.fetch(request)
    }

    /// The cells as the R-tree index of the pair counts them; nil if the store has none, or the map has a condition.
    private func cellsByIndex(of box: MapBox, _ cell: Double) throws -> [NSDictionary]? {
        guard predicate == nil, let file = store as? SQLiteStore, !context.hasChanges,
            let name = question.query.entity.name
        else { return nil }
        let pair = question.pair
        let cells = try file.withBackend {
            try $0.points(of: name, latitude: pair.latitude, longitude: pair.longitude, in: box.treeBoxes, cell: cell)
        }
        return cells?.map { cell in
            [
                "row": cell.row, "column": cell.column, "count": cell.count, "min_latitude_": cell.south,
                "max_latitude_": cell.north, "min_longitude_": cell.west, "max_longitude_": cell.east,
            ]
        }
    }

    /// The names of the objects at places, by latitude and longitude.
    private func objects(at places: [Place]) throws -> [[Double]: String] {
        let pair = question.pair
        let identifier = NSExpressionDescription()
        identifier.name = "objectID"
        identifier.expression = NSExpression.expressionForEvaluatedObject()
        identifier.expressionResultType = .objectIDAttributeType
        var found: [[Double]: String] = [:]
        for start in stride(from: 0, to: places.count, by: Self.portion) {
            let parts = places[start..<min(start + Self.portion, places.count)].map { place in
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    equal(pair.latitude, place.latitude), equal(pair.longitude, place.longitude),
                ])
            }
            let request = request(
                [identifier, pair.latitude, pair.longitude], NSCompoundPredicate(orPredicateWithSubpredicates: parts))
            for line in try context.fetch(request) {
                guard let id = line["objectID"] as? NSManagedObjectID, let latitude = Self.number(line[pair.latitude]),
                    let longitude = Self.number(line[pair.longitude])
                else { continue }
                found[[latitude, longitude]] = id.shortText
            }
        }
        return found
    }

    private func cluster(_ line: NSDictionary, _ singles: [[Double]: String]) -> ObjectMap.Cluster? {
        guard let box = Self.box(line), let count = Self.number(line["count"]),
            let (south, north) = Self.range(line, "latitude"), let (west, east) = Self.range(line, "longitude")
        else { return nil }
        let isOnePlace = south == north && west == east
        return ObjectMap.Cluster(
            latitude: (south + north) / 2, longitude: (west + east) / 2, count: Int(count), box: box,
            object: count == 1 ? singles[[south, west]] : nil,
            condition: isOnePlace ? question.listCondition(box) : nil)
    }

    private var extremes: [NSExpressionDescription] {
        [("latitude", question.pair.latitude), ("longitude", question.pair.longitude)].flatMap { name, path in
            ["min", "max"].map {
                NSExpressionDescription(
                    "\($0)_\(name)_", function: "\($0):", of: NSExpression(forKeyPath: path), type: .doubleAttributeType
                )
            }
        }
    }

    private func request(_ properties: [Any], _ further: NSPredicate) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: question.query.entity.name ?? "")
        request.affectedStores = [store]
        request.resultType = .dictionaryResultType
        let parts = [predicate, further].compactMap { $0 }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        request.propertiesToFetch = properties
        return request
    }

    /// The predicate as a list parses it, so that the map and the list find the same objects.
    private func parsed(_ text: String) throws -> NSPredicate {
        try ObjectQuery(question.query.entity, in: store, where: text).predicate ?? NSPredicate(value: true)
    }

    private func equal(_ path: String, _ value: Any) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: path), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: .equalTo, options: [])
    }

    private static func place(_ line: NSDictionary) -> Place? {
        guard let latitude = line["min_latitude_"], let longitude = line["min_longitude_"] else { return nil }
        return (latitude, longitude)
    }

    private static func box(_ line: NSDictionary) -> MapBox? {
        guard let (south, north) = range(line, "latitude"), let (west, east) = range(line, "longitude") else {
            return nil
        }
        return MapBox(west: west, south: south, east: east, north: north)
    }

    private static func range(_ line: NSDictionary, _ name: String) -> (Double, Double)? {
        guard let least = number(line["min_\(name)_"]), let most = number(line["max_\(name)_"]) else { return nil }
        return (least, most)
    }

    private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }
}
