import Foundation
import LockKit

/// Where a location manager gets its fixes: a receiver, the browser's position, a replayed track.
public protocol LocationSource: AnyObject, Sendable {
    /// Begins to report. A source that reports already begins again.
    ///
    /// - Parameter receive: Called from any thread, one call at a time.
    func start(_ receive: @escaping @Sendable (LocationEvent) -> Void)
    /// Ends reporting; no call begins after it returns.
    func stop()
}

/// What a source reports.
public enum LocationEvent: Sendable {
    /// Fixes, in any order.
    case locations([CLLocation])
    /// No fix can be had now or at all, by the error's code.
    case failed(CLError)
    /// The source has nothing more.
    case ended
}

/// A source that passes on what a program gives it, such as the position of a browser.
public final class ManualLocationSource: LocationSource {
    private let receiver = Locked<(@Sendable (LocationEvent) -> Void)?>(nil)

    /// Makes a source.
    public init() {}

    /// Begins to report.
    public func start(_ receive: @escaping @Sendable (LocationEvent) -> Void) { receiver.withLock { $0 = receive } }
    /// Ends reporting.
    public func stop() { receiver.withLock { $0 = nil } }
    /// Whether a manager listens.
    public var isStarted: Bool { receiver.withLock { $0 != nil } }
    /// Reports an event, if a manager listens.
    public func report(_ event: LocationEvent) { receiver.withLock { $0 }?(event) }
}
