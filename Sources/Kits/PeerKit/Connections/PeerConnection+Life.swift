import Foundation
import LockKit

extension PeerConnection {
    /// Gives the connection a wire: its first one, or a new one after an interruption.
    ///
    /// - Parameters:
    ///   - received: The number up to which the other side has all frames.
    ///   - bytes: What has come on the wire already.
    package func attach(_ wire: any Wire, received: UInt64, bytes: [UInt8] = []) {
        let outcome: (failure: PeerFailure?, isResumed: Bool, number: Int)? = state.withLock { state in
            guard state.phase != .closed else { return nil }
            state.wire?.close()
            let isResumed = state.wireNumber > 0
            state.wireNumber += 1
            state.reader = FrameReader(limit: FrameHeader.frameLimit)
            (state.output, state.offset, state.interest) = ([], 0, .readable)
            (state.phase, state.wire) = (.open, wire)
            // Before others write, who may ask for more.
            wire.setInterest(.readable)
            (state.heard, state.progressed) = (.now, .now)
            do { try state.multiplexer.restart(after: received) } catch {
                return (error as? PeerFailure, isResumed, state.wireNumber)
            }
            // At once, so that nothing that comes later is taken before.
            let failure = bytes.withUnsafeBytes { take(&state, $0) }
            state.isFlushing = false
            state.pending += events(&state)
            return (failure, isResumed, state.wireNumber)
        }
        guard let outcome else { return wire.close() }
        if let failure = outcome.failure { return breakOff(failure) }
        let number = outcome.number
        wire.setHandler { [weak self] in self?.becameReady($0, wire: number) }
        if outcome.isResumed { loop.perform { [weak self] in self?.handler(.resumed) } }
        loop.perform { [weak self] in self?.begin(wire: number) }
        tick()
    }

    private func begin(wire number: Int) {
        reportPending()
        // What came while the handler was another one's wakes no loop again.
        becameReady(.ready([.readable, .writable]), wire: number)
    }

    /// Leaves: says so to the other side, and ends.
    package func close(_ failure: PeerFailure) {
        state.withLock { state in
            guard state.phase == .open else { return }
            state.multiplexer.flags.goodbye = failure
            writable(&state)
        }
        loop.perform { [weak self] in self?.finish(failure) }
    }

    /// Ends because the other side broke a rule, which it is said.
    func breakOff(_ failure: PeerFailure) { close(failure) }

    /// Cuts the wire as if the network had, for tests of what follows.
    package func cut() {
        let number = state.withLock { $0.wireNumber }
        loop.perform { [weak self] in self?.interrupt(PeerFailure(.lost, "the connection was cut"), wire: number) }
    }

    /// The end; on the loop's thread.
    func finish(_ failure: PeerFailure) {
        let channels: [IncomingChannel]? = state.withLock { state in
            guard state.phase != .closed else { return nil }
            state.phase = .closed
            state.wire?.close()
            state.wire = nil
            (state.output, state.offset) = ([], 0)
            state.multiplexer = Multiplexer(limits: limits, isConnecting: isConnecting)
            defer { state.channels = [:] }
            return Array(state.channels.values)
        }
        guard let channels else { return }
        reportPending()
        for channel in channels { channel.finish(.failed(failure.reason)) }
        handler(.closed(failure))
    }

    /// The wire broke; on the loop's thread.
    func interrupt(_ failure: PeerFailure, wire number: Int) {
        let canResume: Bool? = state.withLock { state in
            guard state.wireNumber == number, state.phase == .open else { return nil }
            state.wire?.close()
            state.wire = nil
            (state.output, state.offset, state.isFlushing) = ([], 0, false)
            state.phase = .interrupted
            return peerKey != nil && limits.resumptionSeconds > 0
        }
        guard let canResume else { return }
        guard canResume else { return finish(failure) }
        handler(.interrupted(failure))
        loop.perform(after: limits.resumptionSeconds) { [weak self] in
            guard let self, state.withLock({ $0.wireNumber == number && $0.phase == .interrupted }) else { return }
            finish(
                PeerFailure(
                    .lost, "\(failure.reason), and did not come back within \(limits.resumptionSeconds) seconds",
                    hint: "check the network between the two"))
        }
    }

    /// Looks from time to time whether the other side is alive.
    private func tick() {
        let isFirst = state.withLock { state in
            defer { state.isTicking = true }
            return !state.isTicking
        }
        if isFirst { scheduleTick() }
    }

    private func scheduleTick() {
        loop.perform(after: max(0.05, limits.keepAliveSeconds / 4)) { [weak self] in self?.checkLife() }
    }

    private func checkLife() {
        let now = ContinuousClock.now
        let (isClosed, silent): (Bool, (Int, PeerFailure)?) = state.withLock { state in
            guard state.phase == .open else { return (state.phase == .closed, nil) }
            let silence = now - state.heard
            if silence > .seconds(limits.silenceSeconds) {
                return (
                    false,
                    (state.wireNumber, PeerFailure(.lost, "nothing was heard for \(limits.silenceSeconds) seconds"))
                )
            }
            if !state.multiplexer.awaitsAcknowledgement { state.progressed = now }
            if now - state.progressed > .seconds(limits.silenceSeconds) {
                let reason = "nothing was acknowledged for \(limits.silenceSeconds) seconds"
                return (false, (state.wireNumber, PeerFailure(.lost, reason)))
            }
            if silence > .seconds(limits.keepAliveSeconds) {
                state.multiplexer.flags.ping = true
                flush(&state)
            }
            return (false, nil)
        }
        if let (number, failure) = silent { interrupt(failure, wire: number) }
        if !isClosed { scheduleTick() }
    }
}
