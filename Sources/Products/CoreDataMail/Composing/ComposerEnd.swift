import CoreDataGraph
import LockKit

/// The end of a dialog: it comes once, and all who wait for it get it, also later.
///
/// | phase | begin | end |
/// |---|---|---|
/// | open | at work | ended |
/// | at work | refused | ended |
/// | ended | refused | refused |
final class ComposerEnd<Outcome: Sendable>: Sendable {
    private enum Phase {
        case open
        case atWork
        case ended(Outcome)
    }

    private struct State {
        var phase = Phase.open
        var waiting: [CheckedContinuation<Outcome, Never>] = []
        var handler: (@Sendable (Outcome) -> Void)?
    }

    private let state = Locked(State())

    /// Where the handler is called.
    let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }

    var outcome: Outcome? {
        state.withLock { if case .ended(let outcome) = $0.phase { outcome } else { nil } }
    }

    /// Sets what is called at the end, if that has not come.
    func set(_ handler: (@Sendable (Outcome) -> Void)?) { state.withLock { $0.handler = handler } }

    /// Whether work may begin now: only once, before the end.
    func begin() -> Bool {
        state.withLock { state in
            guard case .open = state.phase else { return false }
            state.phase = .atWork
            return true
        }
    }

    /// Ends the dialog, unless it has ended, or is at work although it must be open.
    ///
    /// - Parameter delegate: Called on the queue too, before those who wait go on.
    func end(_ outcome: Outcome, onlyIfOpen: Bool = false, delegate: (@Sendable () -> Void)? = nil) {
        let waiting: [CheckedContinuation<Outcome, Never>] = state.withLock { state in
            switch state.phase {
            case .ended: return []
            case .atWork where onlyIfOpen: return []
            default: break
            }
            state.phase = .ended(outcome)
            // Within the lock, so that both are on the queue before anyone learns of the end.
            if let delegate { queue.async { delegate() } }
            if let handler = state.handler { queue.async { handler(outcome) } }
            defer { (state.waiting, state.handler) = ([], nil) }
            return state.waiting
        }
        for one in waiting { one.resume(returning: outcome) }
    }

    /// Waits for the end.
    func wait() async -> Outcome {
        await withCheckedContinuation { continuation in
            let known: Outcome? = state.withLock { state in
                if case .ended(let outcome) = state.phase { return outcome }
                state.waiting.append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
