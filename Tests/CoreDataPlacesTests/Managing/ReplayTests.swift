import CoreDataPlaces
import Foundation
import TestBasics
import Testing

/// Tracks that are replayed, with regions and significant changes.
@Suite struct ReplayTests {
    private let recorder = ManagerRecorder()

    /// A way along a parallel, a fix every 100 m and 10 s.
    private static func gpx(_ count: Int, start: Double = 8, metres: Double = 100) -> Data {
        let degree = 111_320 * cos(47.0 * .pi / 180)
        let points = (0..<count).map { number in
            let time = ISO8601DateFormatter().string(
                from: Date(timeIntervalSince1970: 1_600_000_000 + Double(number) * 10))
            return "<trkpt lat=\"47\" lon=\"\(start + Double(number) * metres / degree)\"><time>\(time)</time></trkpt>"
        }
        return Data("<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
    }

    private func manager(_ source: any LocationSource) -> CLLocationManager {
        let manager = CLLocationManager(
            source: source, authorizer: .granted(), queue: DispatchQueue(label: "test"))
        manager.delegate = recorder
        return manager
    }

    @Test("MAP-09: a replayed track through a circle gives one entry and one exit, before the first fix neither")
    func regions() async throws {
        let source = TrackLocationSource(try TrackDocument(data: Self.gpx(60)), speedFactor: .infinity)
        let manager = manager(source)
        let middle = CLLocationCoordinate2DMake(47, 8 + 3000 / (111_320 * cos(47.0 * .pi / 180)))
        manager.startMonitoring(for: CLCircularRegion(center: middle, radius: 1000, identifier: "circle"))
        await eventually("the end") { recorder.calls.last == "end" }
        #expect(
            recorder.calls == [
                "state 2 circle", "enter circle", "state 1 circle", "exit circle", "state 2 circle", "end",
            ])
    }

    @Test("MAP-09: fixes that waver at the edge of a circle are one entry")
    func waveringFixes() async throws {
        let edge = 8 + 1000 / (111_320 * cos(47.0 * .pi / 180))
        let points = (0..<40).map { number in
            let away = number < 5 ? 0.01 : (number % 2 == 0 ? 0.0001 : -0.0001)
            return TrackPoint(coordinate: CLLocationCoordinate2DMake(47, edge + away), horizontalAccuracy: 20)
        }
        let manager = manager(TrackLocationSource(points: points, speedFactor: .infinity))
        manager.startMonitoring(
            for: CLCircularRegion(center: CLLocationCoordinate2DMake(47, 8), radius: 1000, identifier: "c"))
        await eventually("the end") { recorder.calls.last == "end" }
        #expect(recorder.calls == ["state 2 c", "enter c", "state 1 c", "end"])
    }

    @Test("MAP-09: only moves beyond 500 m are significant")
    func significantChanges() async throws {
        let source = TrackLocationSource(try TrackDocument(data: Self.gpx(60, metres: 99)), speedFactor: .infinity)
        let manager = manager(source)
        manager.startMonitoringSignificantLocationChanges()
        await eventually("the end") { recorder.calls.last == "end" }
        let fixes = recorder.locations
        #expect(fixes.count == 10)
        for (one, next) in zip(fixes, fixes.dropFirst()) { #expect(next.distance(from: one) > 500) }
    }

    @Test("MAP-09: regions that cannot be monitored are refused, and so is one too many")
    func refusedRegions() async throws {
        let manager = manager(ManualLocationSource())
        let center = CLLocationCoordinate2DMake(47, 8)
        manager.startMonitoring(for: CLRegion(identifier: "beacon"))
        manager.startMonitoring(for: CLCircularRegion(center: center, radius: 0, identifier: "dot"))
        for number in 0...20 {
            manager.startMonitoring(for: CLCircularRegion(center: center, radius: 5, identifier: "\(number)"))
        }
        await eventually("the refusals") { recorder.calls.count == 3 }
        #expect(recorder.calls == ["unmonitored beacon 5", "unmonitored dot 5", "unmonitored 20 5"])
        #expect(manager.monitoredRegions.count == 20)
    }

    @Test("MAP-07: a replay at a speed keeps the order and the pace of the track")
    func pace() async throws {
        let start = ContinuousClock.now
        let source = TrackLocationSource(try TrackDocument(data: Self.gpx(6)), speedFactor: 500)
        let manager = manager(source)
        manager.startUpdatingLocation()
        await eventually("the end") { recorder.calls.last == "end" }
        // 50 s of the track.
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        let longitudes = recorder.locations.map(\.coordinate.longitude)
        #expect(longitudes.count == 6 && longitudes == longitudes.sorted())
        #expect(recorder.locations.allSatisfy { abs($0.timestamp.timeIntervalSinceNow) < 60 })
    }

    @Test("MAP-07: a replay with recorded times of an old track has no fix that is young enough")
    func recordedTimes() async throws {
        let document = try TrackDocument(data: Self.gpx(6))
        let manager = manager(TrackLocationSource(document, speedFactor: .infinity, timestamps: .recorded))
        manager.startUpdatingLocation()
        await eventually("the end") { recorder.calls.last == "end" }
        #expect(recorder.calls == ["end"])
    }

    @Test("MAP-07: updates as an asynchronous sequence end with the track, and the first good fix ends it earlier")
    func sequences() async throws {
        let document = try TrackDocument(data: Self.gpx(6))
        var count = 0
        let all = CLLocationUpdate.liveUpdates(
            from: TrackLocationSource(document, speedFactor: .infinity), authorizer: .granted())
        for try await update in all where update.location != nil { count += 1 }
        #expect(count == 6)
        let fix = try await CLLocationManager.firstGoodFix(
            from: TrackLocationSource(document, speedFactor: 1), authorizer: .granted())
        #expect(fix.coordinate.longitude == 8)
        let refusing = LocationAuthorizer(usageDescription: "Why") { _ in false }
        await #expect(throws: CLError(.denied, hint: "allow the app to use locations in its settings")) {
            _ = try await CLLocationManager.firstGoodFix(
                from: TrackLocationSource(document), authorizer: refusing)
        }
    }
}
