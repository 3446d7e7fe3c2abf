import CoreDataPlaces
import Foundation
import TestBasics
import Testing

/// Location managers over sources that tests control.
@Suite struct LocationManagerTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let recorder = ManagerRecorder()

    private func manager(
        _ source: any LocationSource, _ authorizer: LocationAuthorizer = .granted()
    ) -> CLLocationManager {
        let manager = CLLocationManager(
            source: source, authorizer: authorizer, queue: DispatchQueue(label: "test"), clock: { Self.now })
        manager.delegate = recorder
        return manager
    }

    private func fix(
        _ latitude: Double = 47, _ longitude: Double = 8, age: TimeInterval = 0, accuracy: Double = 10
    ) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2DMake(latitude, longitude), altitude: 0, horizontalAccuracy: accuracy,
            verticalAccuracy: -1, timestamp: Self.now.addingTimeInterval(-age))
    }

    @Test("MAP-07: updates have the newest fix last, and none that is older than 60 seconds or no place")
    func updates() async {
        let source = ManualLocationSource()
        let manager = manager(source)
        manager.startUpdatingLocation()
        await eventually("the source runs") { source.isStarted }
        source.report(.locations([fix(1, age: 10), fix(2, age: 61), fix(3, age: 30), fix(4, age: 60)]))
        source.report(.locations([fix(5, age: 5, accuracy: -1), fix(95, age: 5), fix(6, age: 2)]))
        // Older than the last one, though young enough.
        source.report(.locations([fix(7, age: 20)]))
        source.report(.ended)
        await eventually("the end") { recorder.calls.last == "end" }
        #expect(recorder.calls == ["update 3", "update 1", "end"])
        #expect(recorder.locations.map(\.coordinate.latitude) == [4, 3, 1, 6])
        #expect(manager.location?.coordinate.latitude == 6)
    }

    @Test("MAP-07: one location is the first that is exact enough, and then the source is stopped")
    func oneLocation() async {
        let source = ManualLocationSource()
        let manager = manager(source)
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        manager.requestLocation()
        await eventually("the source runs") { source.isStarted }
        source.report(.locations([fix(1, age: 5, accuracy: 3000)]))
        source.report(.locations([fix(2, age: 4, accuracy: 100), fix(3, age: 3, accuracy: 5)]))
        source.report(.locations([fix(4)]))
        await eventually("the source is stopped") { !source.isStarted }
        #expect(recorder.calls == ["update 1"])
        #expect(recorder.locations.map(\.coordinate.latitude) == [2])
    }

    @Test("MAP-07: one location of a source that ends without a good fix is an unknown location")
    func noGoodLocation() async {
        let source = ManualLocationSource()
        let manager = manager(source)
        manager.requestLocation()
        await eventually("the source runs") { source.isStarted }
        source.report(.locations([fix(accuracy: 500)]))
        source.report(.ended)
        await eventually("the end") { recorder.calls.last == "end" }
        #expect(recorder.calls.first?.hasPrefix("error \(kCLErrorLocationUnknown)") == true)
    }

    @Test("MAP-07: after the app stops updates in the first one, none comes")
    func stopping() async {
        let source = ManualLocationSource()
        let manager = manager(source)
        recorder.onUpdate = { $0.stopUpdatingLocation() }
        manager.startUpdatingLocation()
        await eventually("the source runs") { source.isStarted }
        for _ in 0..<5 { source.report(.locations([fix()])) }
        await eventually("the source is stopped") { !source.isStarted }
        #expect(recorder.calls == ["update 1"])
    }

    @Test("MAP-08: permission is asked once, with the app's text; refused, there is Access Denied and no update")
    func denied() async {
        let texts = ManagerTexts()
        let authorizer = LocationAuthorizer(usageDescription: "To show where you are") { text in
            texts.add(text)
            return false
        }
        let source = ManualLocationSource()
        let manager = manager(source, authorizer)
        manager.requestWhenInUseAuthorization()
        manager.startUpdatingLocation()
        await eventually("the refusal") { recorder.calls.contains { $0.hasPrefix("error") } }
        manager.startUpdatingLocation()
        await eventually("the second refusal") { recorder.calls.filter { $0.hasPrefix("error") }.count == 2 }
        #expect(
            recorder.calls.filter { $0.hasPrefix("error") }.allSatisfy { $0 == "error \(kCLErrorDenied) Access Denied" }
        )
        #expect(texts.all == ["To show where you are"])
        #expect(!source.isStarted && manager.authorizationStatus == .denied && recorder.locations.isEmpty)
    }

    @Test("MAP-08: without a usage text the user is not asked, and there is Access Denied")
    func withoutText() async {
        let texts = ManagerTexts()
        let authorizer = LocationAuthorizer(usageDescription: " ") { text in
            texts.add(text)
            return true
        }
        let manager = manager(ManualLocationSource(), authorizer)
        manager.startUpdatingLocation()
        await eventually("the refusal") { !recorder.calls.isEmpty }
        #expect(recorder.calls.first?.hasPrefix("error 1 Access Denied") == true && texts.all.isEmpty)
    }

    @Test("MAP-08: many managers that ask at once have one question and its answer")
    func oneQuestion() async {
        let texts = ManagerTexts()
        let authorizer = LocationAuthorizer(usageDescription: "Why") { text in
            texts.add(text)
            try? await Task.sleep(for: .milliseconds(20))
            return true
        }
        let source = ManualLocationSource()
        let managers = (0..<8).map { _ in manager(source, authorizer) }
        for manager in managers { manager.startUpdatingLocation() }
        await eventually("permission") { authorizer.status == .authorizedWhenInUse && source.isStarted }
        #expect(texts.all == ["Why"])
        for manager in managers { manager.stopUpdatingLocation() }
    }
}

/// Texts that questions were asked with.
final class ManagerTexts: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    var all: [String] { lock.withLock { texts } }
    func add(_ text: String) { lock.withLock { texts.append(text) } }
}
