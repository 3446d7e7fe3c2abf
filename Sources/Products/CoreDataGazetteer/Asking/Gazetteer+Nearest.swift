import CoreData
import CoreDataPlaces

extension Gazetteer {
    private static let firstRadius = 8_000.0
    private static let halfEarth = 20_100_000.0
    /// The metres of a degree of latitude on the sphere.
    private static let metresPerDegree = 6_371_008.8 * Double.pi / 180

    /// A place and how far it is, in metres on the sphere.
    typealias Found = (place: GazetteerPlace, distance: Double)

    /// The nearest places, the nearest first: all places within a circle that grows until it has as many as wanted.
    func nearest(_ center: CLLocationCoordinate2D, limit: Int) throws -> [Found] {
        var radius = Self.firstRadius
        while true {
            let places = try places(within: radius, of: center)
            let found = places.map { (place: $0, distance: center.sphericalDistance(to: $0.coordinate)) }
                .sorted { $0.distance < $1.distance }
            let complete = found.prefix { $0.distance <= radius }
            if complete.count >= limit || radius >= Self.halfEarth { return Array(found.prefix(limit)) }
            // Those in the corners of the box show how far is far enough.
            if found.count >= limit {
                radius = min(found[limit - 1].distance * 1.0001, Self.halfEarth)
            } else {
                radius = min(radius * 4, Self.halfEarth)
            }
        }
    }

    /// The places in a box around a circle, by the R-tree, in parts that do not cross the date line.
    private func places(within radius: Double, of center: CLLocationCoordinate2D) throws -> [GazetteerPlace] {
        let height = radius / Self.metresPerDegree
        let (south, north) = (center.latitude - height, center.latitude + height)
        var width = 180.0
        if south > -90, north < 90 {
            // The widest parallel of the circle lies nearer to the pole than its centre.
            let sine = sin(height * .pi / 180) / cos(center.latitude * .pi / 180)
            if sine < 1 { width = asin(sine) * 180 / .pi }
        }
        let region = MKCoordinateRegion(
            center: center, span: MKCoordinateSpan(latitudeDelta: 0, longitudeDelta: min(2 * width, 360)))
        let context = context
        return try context.performAndWait {
            try region.parts.flatMap { part in
                let predicate = Self.box(max(south, -90)...min(north, 90), part.longitudes)
                return try Self.rows(of: GazetteerModel.place, GazetteerPlace.keys, where: predicate, in: context)
                    .compactMap(GazetteerPlace.init)
            }
        }
    }

    private static func box(_ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>) -> NSPredicate {
        func comparison(
            _ key: String, _ type: NSComparisonPredicate.Operator, _ value: Double
        ) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: key),
                rightExpression: NSExpression(forConstantValue: NSNumber(value: value)), modifier: .direct, type: type,
                options: [])
        }
        return NSCompoundPredicate(andPredicateWithSubpredicates: [
            comparison("latitude", .greaterThanOrEqualTo, latitudes.lowerBound),
            comparison("latitude", .lessThanOrEqualTo, latitudes.upperBound),
            comparison("longitude", .greaterThanOrEqualTo, longitudes.lowerBound),
            comparison("longitude", .lessThanOrEqualTo, longitudes.upperBound),
        ])
    }
}
