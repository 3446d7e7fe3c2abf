import CoreData

/// Lets one after the other change a store's file; the rest wait for their turn, and may be cancelled.
package final class FileTurn: Sendable {
    /// The seconds between two looks at whether who waits was cancelled.
    private static let pause = 0.05

    private let condition = NSCondition()
    /// Used under the condition's lock.
    private nonisolated(unsafe) var isTaken = false

    package init() {}

    /// Runs `work` when nothing else changes the file.
    ///
    /// - Throws: Errors of `work`; `CancellationError` if the current `ReadCancellation` is cancelled first.
    package func take<Result>(_ work: () throws -> Result) throws -> Result {
        try condition.withLock {
            while isTaken {
                try ReadCancellation.check()
                _ = condition.wait(until: Date(timeIntervalSinceNow: Self.pause))
            }
            isTaken = true
        }
        defer {
            condition.withLock {
                isTaken = false
                condition.signal()
            }
        }
        return try work()
    }
}
