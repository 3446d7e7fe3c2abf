import Foundation

/// Bytes that come on a channel, kept until they are taken: at most a window of them.
package final class IncomingChannel: Sendable {
    /// How a channel stands.
    package enum End: Sendable, Equatable {
        /// All bytes have come.
        case complete
        case failed(String)
    }

    private struct State {
        var bytes = Data()
        var end: End?
        var handler: (@Sendable () -> Void)?
        /// Whether the handler was called and nothing was taken since.
        var isNotified = false
        var isCancelled = false
    }

    package let number: UInt32
    /// What the other side says of the channel, as JSON.
    package let description: Data
    private let state = Locked(State())
    private let giveBack: @Sendable (Int) -> Void
    private let refuse: @Sendable (String) -> Void

    init(
        _ number: UInt32, description: Data, giveBack: @escaping @Sendable (Int) -> Void,
        refuse: @escaping @Sendable (String) -> Void
    ) {
        (self.number, self.description, self.giveBack, self.refuse) = (number, description, giveBack, refuse)
    }

    /// Sets what is called, on any thread, when bytes or the end have come since something was taken.
    package func setHandler(_ handler: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.handler = handler
            state.isNotified = !state.bytes.isEmpty || state.end != nil
            return state.isNotified
        }
        if isDue { handler() }
    }

    /// Takes the bytes that have come, at most so many, which lets the other side send as many more.
    package func take(atMost limit: Int = .max) -> Data {
        let taken: Data = state.withLock { state in
            if state.bytes.count <= limit {
                defer { state.bytes = Data() }
                state.isNotified = false
                return state.bytes
            }
            defer { state.bytes = state.bytes.dropFirst(limit) }
            return Data(state.bytes.prefix(limit))
        }
        if !taken.isEmpty { giveBack(taken.count) }
        return taken
    }

    /// The number of bytes that can be taken.
    package var count: Int { state.withLock { $0.bytes.count } }

    /// How the channel ended, once all bytes have been taken; nil before.
    package var end: End? { state.withLock { $0.bytes.isEmpty ? $0.end : nil } }

    /// Wants no more bytes; what comes is dropped.
    package func cancel(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            state.bytes = Data()
            return !state.isCancelled && state.end == nil
        }
        if isFirst { refuse(reason) }
    }

    func receive(_ bytes: Data) {
        let (dropped, handler) = state.withLock { state -> (Int, (@Sendable () -> Void)?) in
            guard !state.isCancelled else { return (bytes.count, nil) }
            state.bytes.append(bytes)
            return (0, Self.notified(&state))
        }
        if dropped > 0 { giveBack(dropped) }
        handler?()
    }

    func finish(_ end: End) {
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.end == nil else { return nil }
            state.end = end
            state.isNotified = false
            return Self.notified(&state)
        }
        handler?()
    }

    private static func notified(_ state: inout State) -> (@Sendable () -> Void)? {
        guard !state.isNotified, let handler = state.handler else { return nil }
        state.isNotified = true
        return handler
    }
}
