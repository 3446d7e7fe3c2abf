import Foundation

extension MKCoordinateRegion {
    /// Whether centre and span are numbers of the Earth: a valid centre, deltas within 180 and 360 degrees.
    public var isValid: Bool {
        CLLocationCoordinate2DIsValid(center) && (0...180).contains(span.latitudeDelta)
            && (0...360).contains(span.longitudeDelta)
    }

    /// The parallel at the lower edge, not below -90.
    public var south: CLLocationDegrees { max(center.latitude - span.latitudeDelta / 2, -90) }
    /// The parallel at the upper edge, not above 90.
    public var north: CLLocationDegrees { min(center.latitude + span.latitudeDelta / 2, 90) }
    /// The meridian at the left edge, within ±180; beyond ``east`` if the region crosses the date line.
    public var west: CLLocationDegrees {
        span.longitudeDelta >= 360 ? -180 : Self.wrapped(center.longitude - span.longitudeDelta / 2)
    }
    /// The meridian at the right edge, within ±180.
    public var east: CLLocationDegrees {
        span.longitudeDelta >= 360 ? 180 : Self.wrapped(center.longitude + span.longitudeDelta / 2)
    }
    /// Whether the region has places on both sides of the date line.
    public var isAcrossDateLine: Bool { west > east }

    /// Whether a place is within the region, its edges included, on both sides of the date line. False for a coordinate
    /// or a region that is none.
    public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        guard isValid, CLLocationCoordinate2DIsValid(coordinate) else { return false }
        let turn = (coordinate.longitude - center.longitude).remainder(dividingBy: 360)
        return (south...max(north, south)).contains(coordinate.latitude) && abs(turn) <= span.longitudeDelta / 2
    }

    /// The region in parts none of which crosses the date line, for stores that compare numbers: one or two, the one
    /// west of the line first.
    public var parts: [(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)] {
        guard isValid else { return [] }
        let latitudes = south...max(north, south)
        guard isAcrossDateLine else { return [(latitudes, west...max(east, west))] }
        return [(latitudes, west...180), (latitudes, -180...east)]
    }

    /// The smallest region with all valid coordinates of a list; nil without any. It crosses the date line where that
    /// is narrower: the widest empty range of meridians is left out.
    public init?(containing coordinates: some Sequence<CLLocationCoordinate2D>) {
        let valid = coordinates.filter(CLLocationCoordinate2DIsValid)
        guard let least = valid.map(\.latitude).min(), let most = valid.map(\.latitude).max() else { return nil }
        let longitudes = Set(valid.map { Self.wrapped($0.longitude) }).sorted()
        guard let first = longitudes.first, let last = longitudes.last else { return nil }
        var (gap, start) = (first + 360 - last, first)
        for (one, next) in zip(longitudes, longitudes.dropFirst()) where next - one > gap {
            (gap, start) = (next - one, next)
        }
        func rounded(_ extent: Double) -> Double { extent > 0 ? extent + 4 * Self.rounding : 0 }
        let width = min(rounded(360 - gap), 360)
        self.init(
            center: CLLocationCoordinate2D(latitude: (least + most) / 2, longitude: Self.wrapped(start + width / 2)),
            span: MKCoordinateSpan(latitudeDelta: min(rounded(most - least), 180), longitudeDelta: width))
    }

    /// A longitude within ±180.
    static func wrapped(_ longitude: Double) -> Double {
        (-180...180).contains(longitude) ? longitude : longitude.remainder(dividingBy: 360)
    }
}
