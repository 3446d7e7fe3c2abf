import CoreData
import Synchronization

/// The events that one stream has not sent yet.
///
/// Invariants:
/// 1. At most `limit` events wait; one more replaces them all by a single "saved" with "many".
/// 2. At most one task waits for an event, and none after the queue has ended.
final class EventQueue: Sendable {
    private static let limit = 64

    private struct State {
        var waiting: [String] = []
        var reader: CheckedContinuation<String?, Never>?
        var isEnded = false
    }

    private let state = Mutex(State())
    /// What is hidden from the reader; nil where nothing is.
    let hidden: HiddenParts?

    /// A queue that leaves out of events what is hidden from their reader.
    init(without hidden: HiddenParts? = nil) { self.hidden = hidden }

    /// Adds an event without the objects that are hidden from the reader, unless nothing is left of it.
    func add(_ event: SavedEvent) {
        if let visible = event.visible(without: hidden) { add(visible.line) }
    }

    /// Adds an event, or resumes the waiting task with it.
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

    /// Sends an empty comment to a waiting task, so that the connection stays alive.
    func beat() {
        let reader = state.withLock { $0.reader.take() }
        reader?.resume(returning: ":\n\n")
    }

    /// The next event, for which it waits; nil when the queue has ended.
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

    /// Ends the queue, and resumes the waiting task with nil.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }
}
