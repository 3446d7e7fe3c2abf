import Foundation
import Testing

/// How long a test waits for another thread or process.
package enum WaitLimit {
    /// The default limit: far longer than any wait on a busy machine, yet short enough to report failures soon.
    package static let usual: Duration = .seconds(30)
    /// The pause between two evaluations of a condition, and the least of these: other tests may block the threads of tasks.
    static let (rest, evaluations) = (Duration.milliseconds(1), 200)
    static func missed(_ awaited: String, _ limit: Duration, _ place: SourceLocation) -> Bool {
        Issue.record("waited \(limit) in vain for this: \(awaited)", sourceLocation: place)
        return false
    }
}

/// Waits until a condition is true, without blocking a thread. A canceled task stops waiting as after the limit.
///
/// - Returns: false, with an issue that says what was awaited, once the limit is over.
@discardableResult
package func eventually(
    _ awaited: String, within limit: Duration = WaitLimit.usual, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + limit
    var left = WaitLimit.evaluations
    while !condition() {
        left -= 1
        guard ContinuousClock.now < deadline || left > 0, !Task.isCancelled else {
            return WaitLimit.missed(awaited, limit, sourceLocation)
        }
        try? await Task.sleep(for: WaitLimit.rest)
    }
    return true
}

/// Blocks the current thread until a condition is true.
///
/// - Returns: false, with an issue that says what was awaited, once the limit is over.
@discardableResult
package func eventually(
    _ awaited: String, within limit: Duration = WaitLimit.usual, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { return WaitLimit.missed(awaited, limit, sourceLocation) }
        Thread.sleep(forTimeInterval: WaitLimit.rest / .seconds(1))
    }
    return true
}
