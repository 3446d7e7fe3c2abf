import Foundation

/// Updates of the location as an asynchronous sequence.
public struct CLLocationUpdate: Sendable {
    /// The newest fix.
    public let location: CLLocation?

    /// The fixes of a source that are young enough, until the source ends or the sequence is no longer read.
    ///
    /// - Returns: A sequence that throws ``CLError``: `denied` if the user refuses.
    public static func liveUpdates(
        from source: any LocationSource, authorizer: LocationAuthorizer,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) -> AsyncThrowingStream<CLLocationUpdate, any Error> {
        AsyncThrowingStream { continuation in
            let queue = DispatchQueue(label: "CLLocationUpdate")
            let manager = CLLocationManager(source: source, authorizer: authorizer, queue: queue, clock: clock)
            let listener = UpdateListener(continuation)
            manager.delegate = listener
            continuation.onTermination = { _ in
                withExtendedLifetime(listener) { manager.stopUpdatingLocation() }
            }
            manager.startUpdatingLocation()
        }
    }
}

extension CLLocationManager {
    /// The first fix of a source that is young and exact enough; the source is stopped then.
    ///
    /// - Throws: ``CLError``: `denied` if the user refuses, `locationUnknown` if the source ends before or the task is
    ///   cancelled.
    public static func firstGoodFix(
        from source: any LocationSource, authorizer: LocationAuthorizer,
        within accuracy: CLLocationAccuracy = kCLLocationAccuracyHundredMeters,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> CLLocation {
        let updates = CLLocationUpdate.liveUpdates(from: source, authorizer: authorizer, clock: clock)
        for try await update in updates {
            if let location = update.location, location.horizontalAccuracy <= accuracy { return location }
        }
        throw CLError(.locationUnknown)
    }
}

/// Passes on what a manager reports.
private final class UpdateListener: CLLocationManagerDelegate, Sendable {
    private let continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation) {
        self.continuation = continuation
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { continuation.yield(CLLocationUpdate(location: location)) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        // An unknown location may become known.
        if (error as? CLError)?.code != .locationUnknown { continuation.finish(throwing: error) }
    }

    func locationManagerDidFinishUpdates(_ manager: CLLocationManager) { continuation.finish() }
}
