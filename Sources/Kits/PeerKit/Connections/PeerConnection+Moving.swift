import Foundation
import LockKit

extension PeerConnection {
    /// Bytes that are read before other sockets have their turn.
    private static let readBudget = 512 << 10
    private static let batchBytes = 16_384

    /// Writes what is ready, as far as the wire takes it.
    func flush(_ state: inout State) {
        guard let wire = state.wire else { return }
        // When the system holds enough, the rest waits until the socket is writable.
        var budget = state.interest.contains(.writable) ? 0 : state.pace.budget
        if budget > 0 { write(&state, wire, &budget) }
    }

    func writable(_ state: inout State) {
        guard let wire = state.wire else { return }
        var budget = state.pace.budget
        write(&state, wire, &budget)
    }

    private func write(_ state: inout State, _ wire: any Wire, _ budget: inout Int) {
        while budget > 0, fill(&state) {
            let (offset, count) = (state.offset, state.output.count)
            let step = state.output.withUnsafeBytes {
                wire.write(UnsafeRawBufferPointer(rebasing: $0[offset..<count]))
            }
            switch step {
            case .bytes(let written):
                state.offset += written
                state.pace.note(written)
                budget -= written
            case .blocked: return setInterest(&state, wire, [.readable, .writable])
            case .ended: return fail(&state, "the other side has closed the connection")
            case .failed(let reason): return fail(&state, reason)
            }
        }
        setInterest(&state, wire, fill(&state) ? [.readable, .writable] : .readable)
    }

    private func setInterest(_ state: inout State, _ wire: any Wire, _ interest: Readiness) {
        guard state.interest != interest else { return }
        state.interest = interest
        wire.setInterest(interest)
    }

    /// Makes sure that there is something to write; small frames are written together.
    private func fill(_ state: inout State) -> Bool {
        guard state.offset == state.output.count else { return true }
        state.offset = 0
        guard var output = state.multiplexer.nextFrame() else {
            state.output = []
            return false
        }
        while output.count < Self.batchBytes / 4, let next = state.multiplexer.nextFrame() { output += next }
        state.output = output
        return true
    }

    /// Breaks the wire from any thread; the loop does the rest.
    private func fail(_ state: inout State, _ reason: String) {
        let number = state.wireNumber
        loop.perform { [weak self] in self?.interrupt(PeerFailure(.lost, reason), wire: number) }
    }

    // MARK: On the loop's thread

    func becameReady(_ event: WireEvent, wire number: Int) {
        switch event {
        case .opened: break
        case .failed(let failure): interrupt(failure, wire: number)
        case .ready(let readiness):
            if !readiness.isDisjoint(with: [.readable, .hungUp]) { read(wire: number) }
            if readiness.contains(.writable) {
                state.withLock { state in
                    guard state.wireNumber == number else { return }
                    writable(&state)
                    schedulePending(&state)
                }
            }
        }
    }

    private func read(wire number: Int) {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            var budget = Self.readBudget
            while budget > 0 {
                let outcome = state.withLock { readOnce(&$0, number, buffer) }
                report(outcome.events)
                if let failure = outcome.failure {
                    failure.code == .lost ? interrupt(failure, wire: number) : breakOff(failure)
                    return
                }
                guard outcome.count > 0 else { break }
                budget -= outcome.count
                // What the events have caused to be sent goes before more is read.
                guard flushAfterReading(wire: number) else { break }
            }
            // Bytes that the library has read already wake no loop.
            if budget <= 0 { loop.perform { [weak self] in self?.read(wire: number) } }
            finishReading()
        }
    }

    /// Writes; returns whether more may have come that wakes no loop.
    private func flushAfterReading(wire number: Int) -> Bool {
        state.withLock { state in
            guard state.wireNumber == number, let wire = state.wire else { return false }
            state.isFlushing = false
            flush(&state)
            return wire.hasBufferedBytes
        }
    }

    private func finishReading() {
        state.withLock { state in
            state.isFlushing = false
            flush(&state)
            schedulePending(&state)
            guard state.multiplexer.owesAcknowledgement, !state.isAcknowledging else { return }
            state.isAcknowledging = true
            // Most often something is sent until then that has the acknowledgement with it.
            loop.perform(after: 0.025) { [weak self] in self?.acknowledge() }
        }
    }

    private func acknowledge() {
        state.withLock { state in
            state.isAcknowledging = false
            state.multiplexer.flags.acknowledge = true
            flush(&state)
        }
    }

    private func readOnce(
        _ state: inout State, _ number: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, events: [ConnectionEvent], failure: PeerFailure?) {
        guard state.wireNumber == number, let wire = state.wire else { return (0, [], nil) }
        switch wire.read(into: buffer) {
        case .bytes(let count):
            let failure = take(&state, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
            return (count, takePending(&state), failure)
        case .blocked: return (0, takePending(&state), nil)
        case .ended: return (0, takePending(&state), PeerFailure(.lost, "the other side has closed the connection"))
        case .failed(let reason): return (0, takePending(&state), PeerFailure(.lost, reason))
        }
    }

    /// Takes bytes of the wire apart.
    func take(_ state: inout State, _ bytes: UnsafeRawBufferPointer) -> PeerFailure? {
        state.isFlushing = true
        state.heard = .now
        let acknowledged = state.multiplexer.window.acknowledged
        defer { if state.multiplexer.window.acknowledged != acknowledged { state.progressed = state.heard } }
        do {
            var reader = state.reader
            state.reader = FrameReader(limit: 0)
            defer { state.reader = reader }
            try reader.append(bytes) { try state.multiplexer.receive($0) }
            return nil
        } catch {
            return error as? PeerFailure ?? PeerFailure(.invalid, "\(error)")
        }
    }

    private func takePending(_ state: inout State) -> [ConnectionEvent] {
        let all = state.pending + events(&state)
        state.pending = []
        return all
    }

    private func report(_ events: [ConnectionEvent]) {
        for event in events { handler(event) }
    }

    /// The events of the multiplexer for the owner; bytes of channels go to their channels.
    func events(_ state: inout State) -> [ConnectionEvent] {
        state.multiplexer.takeEvents().compactMap { event in
            switch event {
            case .control(let value): return .control(value)
            case .message(let message, let cost, let isReliable):
                return .message(message, cost: cost, isReliable: isReliable)
            case .opened(let number, let description): return .opened(makeChannel(&state, number, description))
            case .data(let number, let bytes):
                state.channels[number].map { channel in loopReceive(channel, bytes) }
            case .ended(let number, let reason):
                let channel = state.channels.removeValue(forKey: number)
                channel.map { channel in loopFinish(channel, reason.map { .failed($0) } ?? .complete) }
            case .reset(let number, let reason): return .reset(number, reason: reason)
            case .drained(let number): return .drained(number)
            case .goodbye(let failure):
                loop.perform { [weak self] in self?.finish(failure) }
            }
            return nil
        }
    }

    // A channel's handler may call the connection, whose lock is held here: it is called by the loop's next turn. The turns
    // keep the order, and come after the events that were reported with this one.

    private func loopReceive(_ channel: IncomingChannel, _ bytes: Data) { loop.perform { channel.receive(bytes) } }

    private func loopFinish(_ channel: IncomingChannel, _ end: IncomingChannel.End) {
        loop.perform { channel.finish(end) }
    }

    private func makeChannel(_ state: inout State, _ number: UInt32, _ description: Data) -> IncomingChannel {
        let channel = IncomingChannel(
            number, description: description,
            giveBack: { [weak self] count in self?.giveBack(count, number) },
            refuse: { [weak self] reason in self?.refuse(number, reason) })
        state.channels[number] = channel
        return channel
    }

    private func giveBack(_ count: Int, _ channel: UInt32) {
        state.withLock { state in
            state.multiplexer.consumed(count, of: channel)
            if !state.isFlushing { flush(&state) }
        }
    }

    private func refuse(_ channel: UInt32, _ reason: String) {
        state.withLock { state in
            state.multiplexer.reset(channel, reason: reason)
            if !state.isFlushing { flush(&state) }
        }
    }
}
