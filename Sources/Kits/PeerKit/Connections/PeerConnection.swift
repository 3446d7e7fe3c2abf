import Foundation
import LockKit

/// What two peers have between them: messages, channels and control, over one wire after another.
///
/// | phase | what it means | next |
/// |---|---|---|
/// | open | frames are moved over the wire | interrupted, closed |
/// | interrupted | the wire broke; numbered frames wait for a new one | open by `attach`, closed after a time |
/// | closed | nothing is sent or received | |
///
/// May be used from any thread. Bytes are written by the thread that sends, as far as the wire takes them, and the rest on the loop's
/// thread, which alone reads.
///
/// Invariants:
/// 1. `output` has the frames that are being written; `offset` bytes of them are.
/// 2. A wire is set exactly while the phase is `open`.
/// 3. Events are reported on the loop's thread, without the lock, in the order in which they happened.
package final class PeerConnection: Sendable {
    enum Phase: Sendable { case open, interrupted, closed }

    struct State: @unchecked Sendable {
        var phase = Phase.interrupted
        var multiplexer: Multiplexer
        var wire: (any Wire)?
        /// Counts the wires, so that what a former one reports late is not taken for the present one's.
        var wireNumber = 0
        var reader = FrameReader(limit: FrameHeader.frameLimit)
        var output: [UInt8] = []
        var offset = 0
        var interest: Readiness = .readable
        var pace = WritePace()
        var channels: [UInt32: IncomingChannel] = [:]
        var isTicking = false
        var isAcknowledging = false
        var isFlushing = false
        var heard = ContinuousClock.now
        var progressed = ContinuousClock.now
        /// Events of other threads that wait for the loop.
        var pending: [ConnectionEvent] = []
    }

    /// Names the connection to both sides when it resumes.
    package let identifier: UUID
    /// The key of the other side; nil if the wire is not encrypted, which cannot be resumed.
    package let peerKey: PeerKey?
    package let isConnecting: Bool
    package let limits: TransportLimits
    let loop: EventLoop
    let state: Locked<State>
    let handler: @Sendable (ConnectionEvent) -> Void

    /// Makes a connection without a wire.
    ///
    /// - Parameter handler: Called on the loop's thread. It must not hold the connection strongly.
    package init(
        identifier: UUID, peerKey: PeerKey?, isConnecting: Bool, limits: TransportLimits, loop: EventLoop,
        handler: @escaping @Sendable (ConnectionEvent) -> Void
    ) {
        (self.identifier, self.peerKey, self.isConnecting) = (identifier, peerKey, isConnecting)
        (self.limits, self.loop, self.handler) = (limits, loop, handler)
        state = Locked(State(multiplexer: Multiplexer(limits: limits, isConnecting: isConnecting)))
    }

    deinit { state.withLock { $0.wire?.close() } }

    package var isClosed: Bool { state.withLock { $0.phase == .closed } }
    package var isInterrupted: Bool { state.withLock { $0.phase == .interrupted } }
    /// The number up to which all frames have been received.
    package var receivedNumber: UInt64 { state.withLock { $0.multiplexer.receivedNumber } }
    /// Bytes that the connection holds: frames without an acknowledgement, unfinished ones, and what waits.
    package var heldBytes: Int {
        state.withLock { state in
            state.multiplexer.window.bytes + state.multiplexer.messages.bytes + state.output.count
                + state.reader.heldBytes + state.multiplexer.outgoing.values.reduce(0) { $0 + $1.bytes }
        }
    }

    // MARK: Sending

    package func send(_ message: Data, isReliable: Bool = true) throws {
        try change { state in
            guard isReliable else { return try state.multiplexer.sendUnreliable(message) }
            try state.multiplexer.send(message)
        }
    }

    package func sendControl(_ value: Data) throws { try change { try $0.multiplexer.sendControl(value) } }

    package func openChannel(_ description: Data) throws -> UInt32 {
        try change { try $0.multiplexer.openChannel(description) }
    }

    /// Adds bytes to a channel; returns whether it takes more at once. If not, `drained` or `reset` follows.
    package func append(_ bytes: Data, to channel: UInt32) throws -> Bool {
        try change { state in
            guard state.multiplexer.append(bytes, to: channel) else {
                throw PeerFailure(.cancelled, "the channel has ended")
            }
            return state.multiplexer.hasRoom(channel)
        }
    }

    package func end(_ channel: UInt32, reason: String? = nil) {
        try? change { $0.multiplexer.end(channel, reason: reason) }
    }

    /// Gives back what a message has cost, after it was handled.
    package func consumed(_ cost: Int, isReliable: Bool) {
        try? change { $0.multiplexer.consumed(cost, isReliable: isReliable) }
    }

    /// Changes the state and writes what that has made ready.
    ///
    /// - Throws: `PeerFailure` with `lost` after the end.
    private func change<Result>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            guard state.phase != .closed else { throw PeerFailure(.lost, "the connection has ended") }
            let result = try body(&state)
            // While the loop reads, what its events cause to be sent is written together at the end.
            if !state.isFlushing { flush(&state) }
            schedulePending(&state)
            return result
        }
    }

    /// Reports events of this thread on the loop's.
    func schedulePending(_ state: inout State) {
        state.pending += events(&state)
        guard !state.pending.isEmpty else { return }
        loop.perform { [weak self] in self?.reportPending() }
    }

    func reportPending() {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        for event in pending { handler(event) }
    }
}
