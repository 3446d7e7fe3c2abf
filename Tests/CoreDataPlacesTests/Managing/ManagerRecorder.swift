import CoreDataPlaces
import Foundation

/// A delegate that keeps what it is called with; called on one serial queue.
final class ManagerRecorder: CLLocationManagerDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []
    private var fixes: [CLLocation] = []

    var calls: [String] { lock.withLock { kept } }
    var locations: [CLLocation] { lock.withLock { fixes } }
    /// What to do with an update, such as to stop.
    var onUpdate: (@Sendable (CLLocationManager) -> Void)?

    private func keep(_ call: String) { lock.withLock { kept.append(call) } }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        lock.withLock { fixes += locations }
        keep("update \(locations.count)")
        onUpdate?(manager)
    }
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        keep("error \((error as NSError).code) \(error.localizedDescription)")
    }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        keep("authorization \(manager.authorizationStatus.rawValue)")
    }
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        keep("enter \(region.identifier)")
    }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        keep("exit \(region.identifier)")
    }
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        keep("state \(state.rawValue) \(region.identifier)")
    }
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) { keep("unmonitored \(region?.identifier ?? "") \((error as NSError).code)") }
    func locationManagerDidFinishUpdates(_ manager: CLLocationManager) { keep("end") }
}
