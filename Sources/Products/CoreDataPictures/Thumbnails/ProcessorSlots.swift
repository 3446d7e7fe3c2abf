import Foundation
import LockKit

/// As many places as there are processors, for work of which each part keeps one busy; who finds none waits in turn.
final class ProcessorSlots: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>

    init(_ count: Int = ProcessInfo.processInfo.activeProcessorCount) {
        state = Locked(State(free: max(1, count)))
    }

    /// Runs work when a place is free.
    func run<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { leave() }
        try Task.checkCancellation()
        return try await work()
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
