import Foundation

/// A point of a track: where, and what else was recorded.
public struct TrackPoint: Sendable, Hashable {
    /// Where; always valid in tracks that were read.
    public var coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level.
    public var elevation: Double?
    /// When.
    public var timestamp: Date?
    /// The radius of uncertainty in metres. GPX has a dilution without unit (`hdop`), which is taken times five, the
    /// usual error of a receiver.
    public var horizontalAccuracy: CLLocationAccuracy?
    /// A name, mostly of points on their own.
    public var name: String?
    /// More about the point, in words.
    public var comment: String?

    /// Makes a point.
    public init(
        coordinate: CLLocationCoordinate2D, elevation: Double? = nil, timestamp: Date? = nil,
        horizontalAccuracy: CLLocationAccuracy? = nil, name: String? = nil, comment: String? = nil
    ) {
        (self.coordinate, self.elevation, self.timestamp) = (coordinate, elevation, timestamp)
        (self.horizontalAccuracy, self.name, self.comment) = (horizontalAccuracy, name, comment)
    }

    /// The point as a location; an accuracy that was not recorded is taken to be 5 m.
    public func location(at time: Date? = nil) -> CLLocation {
        CLLocation(
            coordinate: coordinate, altitude: elevation ?? 0, horizontalAccuracy: horizontalAccuracy ?? 5,
            verticalAccuracy: elevation == nil ? -1 : 10, timestamp: time ?? timestamp ?? Date())
    }
}

/// A way: points in order, in segments where the recording was interrupted.
public struct Track: Sendable, Hashable {
    /// Its name.
    public var name: String?
    /// More about it, in words.
    public var comment: String?
    /// Lists of points; no segment is empty in tracks that were read.
    public var segments: [[TrackPoint]]

    /// Makes a track.
    public init(name: String? = nil, comment: String? = nil, segments: [[TrackPoint]] = []) {
        (self.name, self.comment, self.segments) = (name, comment, segments)
    }

    /// The points of all segments.
    public var points: [TrackPoint] { segments.flatMap(\.self) }

    /// The length in metres on the ellipsoid; gaps between segments do not count.
    public var length: CLLocationDistance {
        segments.reduce(0) { sum, segment in
            zip(segment, segment.dropFirst()).reduce(sum) {
                $0 + Geodesy.ellipsoidalDistance($1.0.coordinate, $1.1.coordinate)
            }
        }
    }
}
