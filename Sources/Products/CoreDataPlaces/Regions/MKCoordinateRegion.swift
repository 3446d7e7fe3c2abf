import Foundation

/// The height and width of a region in degrees.
public struct MKCoordinateSpan: Sendable, Hashable, Codable {
    /// Degrees of latitude, 0 to 180.
    public var latitudeDelta: CLLocationDegrees
    /// Degrees of longitude, 0 to 360.
    public var longitudeDelta: CLLocationDegrees

    /// Makes a span of two numbers, unchecked.
    public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
        (self.latitudeDelta, self.longitudeDelta) = (latitudeDelta, longitudeDelta)
    }

    /// Makes an empty span.
    public init() { self.init(latitudeDelta: 0, longitudeDelta: 0) }
}

/// A part of a map: a centre, with half of the span on each side of it; it may cross the date line.
public struct MKCoordinateRegion: Sendable, Hashable, Codable {
    /// The middle.
    public var center: CLLocationCoordinate2D
    /// The height and width.
    public var span: MKCoordinateSpan

    /// Makes a region of a centre and a span.
    public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) { (self.center, self.span) = (center, span) }

    /// Makes an empty region at 0, 0.
    public init() { self.init(center: CLLocationCoordinate2D(), span: MKCoordinateSpan()) }

    /// Makes a region of metres; see ``MKCoordinateRegionMakeWithDistance(_:_:_:)``.
    public init(
        center centerCoordinate: CLLocationCoordinate2D, latitudinalMeters: CLLocationDistance,
        longitudinalMeters: CLLocationDistance
    ) {
        let cosine = max(cos(Geodesy.radians(centerCoordinate.latitude)), 0)
        let width = longitudinalMeters <= 0 ? 0 : longitudinalMeters / Geodesy.metresPerDegree / cosine
        self.init(
            center: centerCoordinate,
            span: MKCoordinateSpan(
                latitudeDelta: min(max(latitudinalMeters, 0) / Geodesy.metresPerDegree, 180),
                longitudeDelta: min(width, 360)))
    }
}

/// Makes a span.
public func MKCoordinateSpanMake(
    _ latitudeDelta: CLLocationDegrees, _ longitudeDelta: CLLocationDegrees
) -> MKCoordinateSpan {
    MKCoordinateSpan(latitudeDelta: latitudeDelta, longitudeDelta: longitudeDelta)
}

/// Makes a region.
public func MKCoordinateRegionMake(
    _ centerCoordinate: CLLocationCoordinate2D, _ span: MKCoordinateSpan
) -> MKCoordinateRegion {
    MKCoordinateRegion(center: centerCoordinate, span: span)
}

/// Makes a region of a height and a width in metres.
///
/// A degree of latitude is 111.12 km; one of longitude is shorter by the cosine of the latitude, so the same width is
/// twice the degrees at 60° north. Deltas end at 180 and 360 degrees.
public func MKCoordinateRegionMakeWithDistance(
    _ centerCoordinate: CLLocationCoordinate2D, _ latitudinalMeters: CLLocationDistance,
    _ longitudinalMeters: CLLocationDistance
) -> MKCoordinateRegion {
    MKCoordinateRegion(
        center: centerCoordinate, latitudinalMeters: latitudinalMeters, longitudinalMeters: longitudinalMeters)
}
