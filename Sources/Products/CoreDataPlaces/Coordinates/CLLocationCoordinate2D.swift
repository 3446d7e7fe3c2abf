import Foundation

/// Degrees of latitude or longitude, WGS 84.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres; negative for a measurement that is invalid.
public typealias CLLocationAccuracy = Double
/// Metres in a second; negative for unknown.
public typealias CLLocationSpeed = Double
/// Degrees clockwise from true north, 0 to 359.9; negative for unknown.
public typealias CLLocationDirection = Double

/// A latitude and a longitude in degrees, WGS 84.
///
/// The numbers are not checked, as in Apple's type: see ``CLLocationCoordinate2DIsValid(_:)``, and
/// ``init(validatingLatitude:longitude:names:)``, which throws.
public struct CLLocationCoordinate2D: Sendable, Hashable, Codable {
    /// Degrees, positive north of the equator.
    public var latitude: CLLocationDegrees
    /// Degrees, positive east of Greenwich.
    public var longitude: CLLocationDegrees

    /// Makes a coordinate of two numbers, unchecked.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    /// Makes the coordinate 0, 0.
    public init() { self.init(latitude: 0, longitude: 0) }
}

/// A coordinate that ``CLLocationCoordinate2DIsValid(_:)`` refuses: -180, -180.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a coordinate of two numbers, unchecked.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude is within ±90 and the longitude within ±180 degrees, which excludes NaN.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

extension CLLocationCoordinate2D {
    /// Makes a coordinate of numbers that people or files gave.
    ///
    /// - Parameter names: What the error calls the two numbers, such as attributes' names.
    /// - Throws: ``CoordinateError`` with the name of the wrong number, and a hint if the exchanged pair would be one.
    public init(
        validatingLatitude latitude: CLLocationDegrees, longitude: CLLocationDegrees,
        names: (latitude: String, longitude: String) = ("latitude", "longitude")
    ) throws(CoordinateError) {
        let isLatitude = (-90...90).contains(latitude)
        guard !isLatitude || !(-180...180).contains(longitude) else {
            self.init(latitude: latitude, longitude: longitude)
            return
        }
        let value = isLatitude ? longitude : latitude
        let wouldFit = (-90...90).contains(longitude) && (-180...180).contains(latitude)
        throw CoordinateError(
            attribute: isLatitude ? names.longitude : names.latitude, value: value, bound: isLatitude ? 180 : 90,
            wouldFitExchanged: wouldFit)
    }

    /// The distance to another coordinate on a sphere of the Earth's mean radius, in metres; never more than 0.6 %
    /// from that on the ellipsoid. NaN for coordinates that are none.
    public func sphericalDistance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        Geodesy.sphericalDistance(self, other)
    }
}
