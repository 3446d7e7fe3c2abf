import Foundation
import LockKit

extension CLLocationManager {
    /// The most regions that are monitored at the same time, as Apple's.
    public static let greatestRegionCount = 20

    /// The regions that are monitored.
    public var monitoredRegions: Set<CLRegion> { state.withLock { Set($0.regions.values.map(\.region)) } }

    /// Begins to monitor a circle; one with the same identifier is replaced.
    ///
    /// The delegate hears of an entry or exit when a fix shows that the device changed sides; on which side it is at
    /// first is said by `didDetermineState` alone. Regions that are not circles, that have no valid centre and radius,
    /// or are more than ``greatestRegionCount`` are refused by `monitoringDidFailFor`.
    public func startMonitoring(for region: CLRegion) {
        guard let circle = region as? CLCircularRegion, CLLocationCoordinate2DIsValid(circle.center),
            circle.radius > 0, circle.radius.isFinite
        else { return fail(region, "only circles with a valid centre and a radius can be monitored") }
        let isTaken = state.withLock { state in
            guard state.regions[region.identifier] != nil || state.regions.count < Self.greatestRegionCount else {
                return false
            }
            state.regions[region.identifier] = MonitoredRegion(circle)
            return true
        }
        guard isTaken else { return fail(region, "\(Self.greatestRegionCount) regions are monitored already") }
        notify { $0.locationManager($1, didStartMonitoringFor: circle) }
        want(.regions)
    }

    /// Ends monitoring of the region with this identifier.
    public func stopMonitoring(for region: CLRegion) {
        let isLast = state.withLock { state in
            state.regions[region.identifier] = nil
            return state.regions.isEmpty
        }
        if isLast { dismiss(.regions) }
    }

    /// Asks on which side of a monitored region the device is; the delegate is answered at once.
    public func requestState(for region: CLRegion) {
        let found = state.withLock { $0.regions[region.identifier]?.state ?? .unknown }
        notify { $0.locationManager($1, didDetermineState: found, for: region) }
    }

    private func fail(_ region: CLRegion, _ reason: String) {
        notify {
            $0.locationManager(
                $1, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure, reason: reason))
        }
    }

    /// Finds the regions that a fix entered or left. On the queue.
    func follow(_ location: CLLocation) {
        let changes = state.withLock { state in
            state.regions.keys.sorted().compactMap { key -> (CLCircularRegion, CLRegionState, CLRegionState)? in
                guard let change = state.regions[key]?.change(location), let region = state.regions[key]?.region else {
                    return nil
                }
                return (region, change.old, change.new)
            }
        }
        for (region, old, new) in changes {
            if old == .outside, region.notifyOnEntry { delegate?.locationManager(self, didEnterRegion: region) }
            if old == .inside, region.notifyOnExit { delegate?.locationManager(self, didExitRegion: region) }
            delegate?.locationManager(self, didDetermineState: new, for: region)
        }
    }
}
