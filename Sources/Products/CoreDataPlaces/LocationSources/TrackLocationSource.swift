import Foundation
import LockKit

/// Replays a recorded track as if the device moved now.
///
/// The time between fixes is that of the track divided by the speed factor. A fix gets the time at which it is reported,
/// unless ``Timestamps/recorded`` is chosen.
public final class TrackLocationSource: LocationSource {
    /// Which times fixes have.
    public enum Timestamps: Sendable {
        /// The time at which the fix is reported.
        case replayed
        /// The time that was recorded, so that a manager takes fixes of an old track to be too old.
        case recorded
    }

    private static let usualInterval: TimeInterval = 1
    private static let longestWait: TimeInterval = 86_400
    private let points: [TrackPoint]
    private let speedFactor: Double
    private let timestamps: Timestamps
    private let clock: @Sendable () -> Date
    private let replay = Locked<Task<Void, Never>?>(nil)

    /// Makes a source of the points of all tracks of a document, or of its routes or waypoints if it has no tracks.
    ///
    /// - Parameters:
    ///   - speedFactor: How many times faster than recorded; `.infinity` reports all fixes at once. Points without a time
    ///     come a second apart.
    ///   - clock: The time of now.
    public convenience init(
        _ document: TrackDocument, speedFactor: Double = 1, timestamps: Timestamps = .replayed,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        let lists = [document.tracks.flatMap(\.points), document.routes.flatMap(\.points), document.waypoints]
        self.init(
            points: lists.first { !$0.isEmpty } ?? [], speedFactor: speedFactor, timestamps: timestamps, clock: clock)
    }

    /// Makes a source of points.
    public init(
        points: [TrackPoint], speedFactor: Double = 1, timestamps: Timestamps = .replayed,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.points, self.timestamps, self.clock) = (points, timestamps, clock)
        self.speedFactor = speedFactor > 0 ? speedFactor : 1
    }

    /// Begins from the first point.
    public func start(_ receive: @escaping @Sendable (LocationEvent) -> Void) {
        let task = Task { [self] in
            var last: Date?
            for point in points {
                if let wait = wait(from: last, to: point), wait > 0 {
                    try? await Task.sleep(for: .seconds(min(wait, Self.longestWait)))
                }
                guard !Task.isCancelled else { return }
                last = point.timestamp ?? last
                receive(.locations([point.location(at: timestamps == .replayed ? clock() : point.timestamp)]))
            }
            if !Task.isCancelled { receive(.ended) }
        }
        replace(task)
    }

    /// Ends the replay.
    public func stop() { replace(nil) }

    private func replace(_ task: Task<Void, Never>?) {
        let old = replay.withLock { replay in
            defer { replay = task }
            return replay
        }
        old?.cancel()
    }

    /// The seconds before a point is reported; nil for the first.
    private func wait(from last: Date?, to point: TrackPoint) -> TimeInterval? {
        guard speedFactor.isFinite else { return nil }
        guard let last, let time = point.timestamp else {
            return point.timestamp == nil ? Self.usualInterval / speedFactor : nil
        }
        return max(time.timeIntervalSince(last), 0) / speedFactor
    }
}
