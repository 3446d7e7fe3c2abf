import Dispatch
import Foundation
import Synchronization
import Testing

/// A Dispatch object on which threads wait: a semaphore until it is signaled, a group until it is empty.
package protocol DispatchWaiting {
    func wait(timeout: DispatchTime) -> DispatchTimeoutResult
}

extension DispatchSemaphore: DispatchWaiting {}
extension DispatchGroup: DispatchWaiting {}

extension DispatchWaiting {
    /// Blocks until the semaphore is signaled or the group is empty, at most for the limit.
    ///
    /// - Returns: true on success; false after the limit, with a recorded issue that names `awaited`.
    @discardableResult
    package func wait(
        for awaited: String, within limit: Duration = WaitLimit.usual,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Bool {
        if wait(timeout: .now() + limit / .seconds(1)) == .success { return true }
        return WaitLimit.missed(awaited, limit, sourceLocation)
    }
}

extension Process {
    /// Waits for a running process to end, and kills it after the limit. `reading` is called before the wait, to read
    /// output.
    ///
    /// - Returns: false, with a recorded issue that names the program, if the process was killed.
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
        return WaitLimit.missed("the end of \(words.joined(separator: " "))", limit, sourceLocation)
    }
}
