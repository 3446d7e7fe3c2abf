import Foundation

/// Chooses the fixes that a manager passes on, and finds what they mean for regions and significant changes. A value:
/// fixes go in, events come out.
///
/// Invariants:
/// 1. `last` is the newest fix that was accepted; none older is accepted after it.
struct LocationFilter {
    /// Fixes older than this many seconds are ignored.
    var maximumAge: TimeInterval = 60
    var desiredAccuracy = kCLLocationAccuracyBest
    var distanceFilter = kCLDistanceFilterNone
    private(set) var last: CLLocation?
    private var lastReported: CLLocation?
    private var lastSignificant: CLLocation?

    /// Movements beyond this many metres are significant.
    static let significantDistance: CLLocationDistance = 500
    /// What "best" asks of a fix that is to be the only one, in metres.
    private static let bestAccuracy: CLLocationAccuracy = 20

    /// The fixes that are a place, young enough and not older than those before, the newest last.
    mutating func accepted(_ locations: [CLLocation], now: Date) -> [CLLocation] {
        let found = locations.filter {
            $0.horizontalAccuracy >= 0 && CLLocationCoordinate2DIsValid($0.coordinate)
                && now.timeIntervalSince($0.timestamp) <= maximumAge
                && $0.timestamp >= (last?.timestamp ?? .distantPast)
        }
        let sorted = found.enumerated().sorted {
            ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset)
        }
        last = sorted.last?.element ?? last
        return sorted.map(\.element)
    }

    /// The fixes that are as far from the last reported one as the distance filter wants.
    mutating func moved(_ locations: [CLLocation]) -> [CLLocation] {
        locations.filter { location in
            if let lastReported, distanceFilter > 0, location.distance(from: lastReported) < distanceFilter {
                return false
            }
            lastReported = location
            return true
        }
    }

    /// The fixes that are more than 500 m from the last significant one; the first is one.
    mutating func significant(_ locations: [CLLocation]) -> [CLLocation] {
        locations.filter { location in
            if let lastSignificant, location.distance(from: lastSignificant) <= Self.significantDistance {
                return false
            }
            lastSignificant = location
            return true
        }
    }

    /// Whether a fix is as exact as was wanted.
    func isGood(_ location: CLLocation) -> Bool {
        location.horizontalAccuracy <= (desiredAccuracy > 0 ? desiredAccuracy : Self.bestAccuracy)
    }

    /// Begins significant changes, or reports, with the next fix.
    mutating func forgetReported() { lastReported = nil }
    mutating func forgetSignificant() { lastSignificant = nil }
}

/// A monitored circle with the side on which the device was last.
///
/// Leaving takes more than the uncertainty of the fix, at most 100 m, beyond the radius, so that fixes that waver at
/// the edge are one entry and one exit.
struct MonitoredRegion {
    let region: CLCircularRegion
    private(set) var state = CLRegionState.unknown
    private static let greatestMargin: CLLocationDistance = 100

    init(_ region: CLCircularRegion) { self.region = region }

    /// The new state, if it changed; the first fix shows on which side the device is.
    mutating func change(_ location: CLLocation) -> (old: CLRegionState, new: CLRegionState)? {
        let distance = Geodesy.ellipsoidalDistance(region.center, location.coordinate)
        let margin = min(max(location.horizontalAccuracy, 0), Self.greatestMargin)
        let isInside = distance <= region.radius + (state == .inside ? margin : 0)
        let old = state
        state = isInside ? .inside : .outside
        return state == old ? nil : (old, state)
    }
}
