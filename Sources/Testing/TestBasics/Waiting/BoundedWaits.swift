import Dispatch
import Foundation
import Synchronization
import Testing

/// What threads wait for until others signal: a semaphore, or a group that all have left.
package protocol DispatchWaiting {
    func wait(timeout: DispatchTime) -> DispatchTimeoutResult
}

extension DispatchSemaphore: DispatchWaiting {}
extension DispatchGroup: DispatchWaiting {}

extension DispatchWaiting {
    /// Waits for the signal.
    ///
    /// - Returns: false, with an issue that says what was awaited, once the limit is over.
    @discardableResult
    package func wait(
        for awaited: String, within limit: Duration = WaitLimit.usual,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Bool {
        if wait(timeout: .now() + limit / .seconds(1)) == .success { return true }
        WaitLimit.record(awaited, limit: limit, place: sourceLocation)
        return false
    }
}

extension Process {
    /// Waits for the end of a process that runs, and kills it once the limit is over; meanwhile its output may be read.
    ///
    /// - Returns: false, with an issue that names the program, if it had to be killed.
    @discardableResult
    package func waitUntilExit(
        within limit: Duration, sourceLocation: SourceLocation = #_sourceLocation, reading: () -> Void = {}
    ) -> Bool {
        let isLate = Mutex(false)
        let identifier = processIdentifier
        let killing = DispatchWorkItem { [self] in
            guard isRunning else { return }
            isLate.withLock { $0 = true }
            kill(identifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1), execute: killing)
        reading()
        waitUntilExit()
        killing.cancel()
        guard isLate.withLock({ $0 }) else { return true }
        let words = [executableURL?.lastPathComponent ?? "a process"] + (arguments ?? []).prefix(3)
        WaitLimit.record("the end of \(words.joined(separator: " "))", limit: limit, place: sourceLocation)
        return false
    }
}
