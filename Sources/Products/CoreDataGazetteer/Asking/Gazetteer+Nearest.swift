import CoreData
import CoreDataPlaces

extension Gazetteer {
    private static let firstRadius = 12_000.0
    /// How often a radius is halved whose box has more than so many times the places that are wanted.
    private static let (mostHalvings, mostTimes) = (6, 20)
    private static let halfEarth = 20_100_000.0
    /// The metres of a degree of latitude on the sphere.
    private static let metresPerDegree = 6_371_008.8 * Double.pi / 180

    /// A place and how far it is, in metres on the sphere.
    typealias Found = (place: GazetteerPlace, distance: Double)

    /// The nearest places, the nearest first: all places within a circle that has as many as wanted.
    func nearest(_ center: CLLocationCoordinate2D, limit: Int) throws -> [Found] {
        var radius = try radius(with: limit, around: center)
        while true {
            let places = try places(within: radius, of: center)
            let found = places.map { (place: $0, distance: center.sphericalDistance(to: $0.coordinate)) }
                .sorted { $0.distance < $1.distance }
            let complete = found.prefix { $0.distance <= radius }
            if complete.count >= limit || radius >= Self.halfEarth { return Array(found.prefix(limit)) }
            // Those in the corners of the box show how far is far enough.
            let isEnough = found.count >= limit
            radius = min(isEnough ? found[limit - 1].distance * 1.0001 : radius * 2, Self.halfEarth)
        }
    }

    /// A radius whose box has enough places and not many more, found by counting, which costs little.
    private func radius(with limit: Int, around center: CLLocationCoordinate2D) throws -> Double {
        var (low, high) = (0.0, Self.firstRadius)
        let bound = limit * Self.mostTimes + 1
        var count = try self.count(within: high, of: center, atMost: bound)
        while count < limit, high < Self.halfEarth {
            (low, high) = (high, min(high * 1.5, Self.halfEarth))
            count = try self.count(within: high, of: center, atMost: bound)
        }
        for _ in 0..<Self.mostHalvings where count > limit * Self.mostTimes && low > 0 {
            let middle = (low * high).squareRoot()
            let found = try self.count(within: middle, of: center, atMost: bound)
            if found >= limit { (high, count) = (middle, found) } else { low = middle }
        }
        return high
    }

    private func count(
        within radius: Double, of center: CLLocationCoordinate2D, atMost bound: Int
    ) throws -> Int {
        let context = context
        return try context.performAndWait {
            try boxes(within: radius, of: center).reduce(0) { sum, predicate in
                let request = NSFetchRequest<NSManagedObject>(entityName: GazetteerModel.place)
                request.predicate = predicate
                request.fetchLimit = bound
                return try sum + context.count(for: request)
            }
        }
    }

    private func places(within radius: Double, of center: CLLocationCoordinate2D) throws -> [GazetteerPlace] {
        let context = context
        return try context.performAndWait {
            try boxes(within: radius, of: center).flatMap { predicate in
                try Self.rows(of: GazetteerModel.place, GazetteerPlace.keys, where: predicate, in: context)
                    .compactMap(GazetteerPlace.init)
            }
        }
    }

    /// The box around a circle, in parts that do not cross the date line, as the R-tree index answers them.
    private func boxes(within radius: Double, of center: CLLocationCoordinate2D) -> [NSPredicate] {
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
        return region.parts.map { Self.box(max(south, -90)...min(north, 90), $0.longitudes) }
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
