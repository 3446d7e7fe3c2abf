import Foundation
import LockKit

/// Bytes that come on a channel, kept until they are taken: at most a window of them.
package final class IncomingChannel: Sendable {
    /// How a channel stands.
    package enum End: Sendable, Equatable {
        /// All bytes have come.
        case complete
        case failed(String)
    }

    private struct State {
        /// What has come, in its pieces.
        var pieces: [Data] = []
        var count = 0
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
            state.isNotified = state.count > 0 || state.end != nil
            return state.isNotified
        }
        if isDue { handler() }
    }

    /// Takes the bytes that have come, at most so many, which lets the other side send as many more.
    package func take(atMost limit: Int = .max) -> Data {
        let pieces = takePieces(atMost: limit)
        return pieces.count == 1 ? pieces[0] : pieces.reduce(into: Data()) { $0.append($1) }
    }

    /// Takes the bytes that have come as the pieces in which they came, of which the last one may be cut.
    package func takePieces(atMost limit: Int = .max) -> [Data] {
        let (pieces, count): ([Data], Int) = state.withLock { state in
            if state.count <= limit {
                defer { (state.pieces, state.count) = ([], 0) }
                state.isNotified = false
                return (state.pieces, state.count)
            }
            var (taken, left, place) = ([Data](), limit, 0)
            while left > 0, left >= state.pieces[place].count {
                taken.append(state.pieces[place])
                left -= state.pieces[place].count
                place += 1
            }
            state.pieces.removeFirst(place)
            if left > 0 {
                taken.append(Data(state.pieces[0].prefix(left)))
                state.pieces[0] = state.pieces[0].dropFirst(left)
            }
            state.count -= limit
            return (taken, limit)
        }
        if count > 0 { giveBack(count) }
        return pieces
    }

    /// The number of bytes that can be taken.
    package var count: Int { state.withLock { $0.count } }

    /// How the channel ended, once all bytes have been taken; nil before.
    package var end: End? { state.withLock { $0.count == 0 ? $0.end : nil } }

    /// Wants no more bytes; what comes is dropped.
    package func cancel(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            (state.pieces, state.count) = ([], 0)
            return !state.isCancelled && state.end == nil
        }
        if isFirst { refuse(reason) }
    }

    func receive(_ bytes: Data) {
        let (dropped, handler) = state.withLock { state -> (Int, (@Sendable () -> Void)?) in
            guard !state.isCancelled else { return (bytes.count, nil) }
            // Many small pieces would take more memory than their bytes.
            if bytes.count < 1_024, let last = state.pieces.indices.last, state.pieces[last].count < 16_384 {
                state.pieces[last].append(bytes)
            } else {
                state.pieces.append(bytes)
            }
            state.count += bytes.count
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
