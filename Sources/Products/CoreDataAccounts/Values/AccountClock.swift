import Foundation

/// The time by which tokens expire and polls wait, which tests replace.
public struct AccountClock: Sendable {
    /// The present time.
    public var now: @Sendable () -> Date
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Makes a clock.
    public init(now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        (self.now, self.sleep) = (now, sleep)
    }

    /// The clock of the system.
    public static let system = AccountClock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
