import Foundation

/// All places within a distance of a centre.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    /// The centre.
    public let center: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Makes a region. A radius that is negative or not finite makes one that contains nothing.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        (self.center, self.radius) = (center, radius)
        super.init(identifier: identifier)
    }

    /// Whether a place is within the radius, measured on the ellipsoid, so on both sides of the date line.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        guard CLLocationCoordinate2DIsValid(coordinate), CLLocationCoordinate2DIsValid(center), radius.isFinite else {
            return false
        }
        return Geodesy.ellipsoidalDistance(center, coordinate) <= radius
    }
}
