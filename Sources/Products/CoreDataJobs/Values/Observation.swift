import LockKit

/// An observer that was added somewhere; it stays until it is cancelled, whether or not this is kept.
public final class Observation: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    /// An observation that a block ends.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = Locked(end) }

    /// Ends it. A call that is under way may still come to its end.
    public func cancel() {
        let end = self.end.withLock { $0.take() }
        end?()
    }
}
