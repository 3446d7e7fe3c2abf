import Foundation
import LockKit
import PeerKit

/// The events of a session in their order, from the moment in which the sequence was made.
///
/// Messages wait in it until they are taken, and then their peers may send more. A sequence that is no longer wanted is
/// released.
public struct MCSessionEvents: AsyncSequence, Sendable {
    public typealias Element = MCSessionEvent
    let buffer: EventBuffer

    public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }

    /// Takes the events one after another.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: EventBuffer

        /// The next event; nil after the session has gone.
        public mutating func next() async -> MCSessionEvent? { await buffer.next() }
    }
}

/// Events that wait for one reader.
final class EventBuffer: Sendable {
    private struct State {
        var events: [MCSessionEvent] = []
        var reader: CheckedContinuation<MCSessionEvent?, Never>?
        var isFinished = false
    }

    private let state = Locked(State())

    func append(_ event: MCSessionEvent) {
        let reader = state.withLock { state -> CheckedContinuation<MCSessionEvent?, Never>? in
            guard let reader = state.reader else {
                state.events.append(event)
                return nil
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: event)
    }

    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    func next() async -> MCSessionEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (former, event, isDue) = state.withLock {
                    state -> (CheckedContinuation<MCSessionEvent?, Never>?, MCSessionEvent?, Bool) in
                    if !state.events.isEmpty { return (nil, state.events.removeFirst(), true) }
                    if state.isFinished || Task.isCancelled { return (nil, nil, true) }
                    defer { state.reader = continuation }
                    return (state.reader, nil, false)
                }
                former?.resume(returning: nil)
                if isDue { continuation.resume(returning: event) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}
