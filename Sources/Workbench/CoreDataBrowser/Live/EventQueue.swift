import CoreData
import Synchronization

/// The events that one stream has not sent yet.
///
/// Invariants:
/// 1. At most `limit` events wait; a reader that is behind gets one "saved" with "many" in their place.
/// 2. One task waits at most, and none once the queue has ended.
final class EventQueue: Sendable {
    private static let limit = 64

    private struct State {
        var waiting: [String] = []
        var reader: CheckedContinuation<String?, Never>?
        var isEnded = false
    }

    private let state = Mutex(State())
    private let hidden: HiddenParts?

    /// A queue of events without what is hidden from who reads them.
    init(without hidden: HiddenParts? = nil) { self.hidden = hidden }

    /// Adds what was saved, as far as the reader may know of it.
    func add(_ event: SavedEvent) {
        if let visible = event.visible(without: hidden) { add(visible.line) }
    }

    /// Adds an event, or hands it to the task that waits.
    func add(_ event: String) {
        let reader = state.withLock { state in
            guard !state.isEnded else { return nil as CheckedContinuation<String?, Never>? }
            if let reader = state.reader.take() { return reader }
            if state.waiting.count < Self.limit {
                state.waiting.append(event)
            } else {
                state.waiting = [SavedEvent.many.line]
            }
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Adds a sign of life, unless something else is on its way.
    func beat() {
        let reader = state.withLock { $0.reader.take() }
        reader?.resume(returning: ":\n\n")
    }

    /// The next event, when there is one; nil at the end.
    func next() async -> String? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: String?? = state.withLock { state in
                    if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                    guard !state.isEnded else { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends the queue, and who waits at it.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }
}
