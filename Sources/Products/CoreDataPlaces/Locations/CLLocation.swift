import Foundation

/// A place where a device was, with its time and how exact the measurement is. Immutable.
open class CLLocation: NSObject, NSCopying, @unchecked Sendable {
    /// Latitude and longitude; not a place if ``horizontalAccuracy`` is negative.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level; meaningless if ``verticalAccuracy`` is negative or 0.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty in metres; negative for an invalid coordinate.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The uncertainty of the altitude in metres; negative for an invalid altitude.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees from true north; negative for unknown.
    public let course: CLLocationDirection
    /// Metres in a second; negative for unknown.
    public let speed: CLLocationSpeed
    /// When the place was determined.
    public let timestamp: Date

    /// Makes a location of all that was measured.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
        timestamp: Date
    ) {
        (self.coordinate, self.altitude, self.timestamp) = (coordinate, altitude, timestamp)
        (horizontalAccuracy, verticalAccuracy) = (hAccuracy, vAccuracy)
        (self.course, self.speed) = (course, speed)
    }

    /// Makes a location without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: -1, speed: -1, timestamp: timestamp)
    }

    /// Makes a location of a place alone: exact, without altitude, now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// The distance in metres on the ellipsoid WGS 84, over the shorter way round; altitudes are ignored.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        Geodesy.ellipsoidalDistance(coordinate, location.coordinate)
    }

    /// The location itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another location has the same measurements and time.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocation else { return false }
        return coordinate == other.coordinate && altitude == other.altitude && timestamp == other.timestamp
            && horizontalAccuracy == other.horizontalAccuracy && verticalAccuracy == other.verticalAccuracy
            && course == other.course && speed == other.speed
    }

    /// A hash of the coordinate and the time.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(coordinate)
        hasher.combine(timestamp)
        return hasher.finalize()
    }
}
