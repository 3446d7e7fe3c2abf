import Foundation
import LockKit
import PeerKit

/// One end of a wire of a scripted network.
///
/// Invariants:
/// 1. `incoming` is in the order in which it was written, and its times do not decrease.
/// 2. What is on its way has at most `capacity` bytes and one write.
final class ScriptedWire: Wire {
    struct State {
        var partner: ScriptedWire?
        var incoming: [(time: ContinuousClock.Instant, bytes: [UInt8])] = []
        var incomingBytes = 0
        var interest: Readiness = .readable
        var handler: @Sendable (WireEvent) -> Void = { _ in }
        var end: String?
        var isPartnerClosed = false
        var isClosed = false
    }

    private static let capacity = 256 << 10
    let local: String
    let remote: String
    private let port: UInt16
    private let network: ScriptedNetwork
    private let loop: EventLoop
    private let settings: WireSettings
    /// Guarded by the lock of the network.
    private let state: Unguarded<State>
    private let key: Locked<PeerKey?>

    init(
        from local: String, to remote: String, port: UInt16, network: ScriptedNetwork, loop: EventLoop,
        settings: WireSettings
    ) {
        (self.local, self.remote, self.port, self.network) = (local, remote, port, network)
        (self.loop, self.settings) = (loop, settings)
        state = Unguarded(State())
        key = Locked(nil)
    }

    var peerKey: PeerKey? { key.withLock { $0 } }
    var peerCertificate: [UInt8]? { nil }
    var remoteHost: String { remote }

    func start(_ handler: @escaping @Sendable (WireEvent) -> Void) {
        setHandler(handler)
        loop.perform { [weak self] in self?.connect() }
    }

    /// The handler is called once for each write, so all that has come is read.
    var hasBufferedBytes: Bool { true }

    func setHandler(_ handler: @escaping @Sendable (WireEvent) -> Void) {
        network.state.withLock { _ in state.value.handler = handler }
    }

    private func connect() {
        let isConnected = network.state.withLock { _ in state.value.partner != nil || state.value.isClosed }
        guard !isConnected else { return report(.opened) }
        let conditions = network.state.withLock { $0.conditions(local, remote) }
        guard !conditions.isPartitioned else {
            // As if nothing answered: until the break is over, or who waits gives up.
            return loop.perform(after: 0.02) { [weak self] in self?.connect() }
        }
        loop.perform(after: conditions.delay * 2) { [weak self] in self?.meet() }
    }

    private func meet() {
        guard let listening = network.state.withLock({ $0.listeners["\(remote):\(port)"] }) else {
            return report(.failed(PeerFailure(.unreachable, "nothing listens at port \(port) of \(remote)")))
        }
        let settingsThere = listening.settings()
        guard let isEncrypted = settingsThere.encryption.agreement(with: settings.encryption) else {
            return report(.failed(PeerFailure(.encryption, "one side demands encryption, the other refuses it")))
        }
        let partner = ScriptedWire(
            from: remote, to: local, port: 0, network: network, loop: listening.loop, settings: settingsThere)
        if isEncrypted {
            key.withLock { $0 = settingsThere.keys.key }
            partner.key.withLock { $0 = settings.keys.key }
        }
        let isOpen = network.state.withLock { all in
            guard !state.value.isClosed else { return false }
            state.value.partner = partner
            partner.state.value.partner = self
            all.wires[ObjectIdentifier(self)] = self
            all.wires[ObjectIdentifier(partner)] = partner
            return true
        }
        guard isOpen else { return }
        listening.accept(partner)
        report(.opened)
    }

    private func report(_ event: WireEvent) { network.state.withLock { _ in state.value.handler }(event) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> WireStep {
        let (step, writer) = network.state.withLock { all -> (WireStep, ScriptedWire?) in
            if state.value.isClosed { return (.ended, nil) }
            if let end = state.value.end { return (.failed(end), nil) }
            guard !all.conditions(local, remote).isPartitioned, let first = state.value.incoming.first,
                first.time <= .now
            else {
                return (state.value.isPartnerClosed && state.value.incoming.isEmpty ? .ended : .blocked, nil)
            }
            let count = min(first.bytes.count, buffer.count)
            buffer.copyBytes(from: first.bytes[..<count])
            if count == first.bytes.count {
                state.value.incoming.removeFirst()
            } else {
                state.value.incoming[0].bytes.removeFirst(count)
            }
            state.value.incomingBytes -= count
            return (.bytes(count), state.value.partner)
        }
        writer?.notify(.writable)
        return step
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> WireStep {
        let (step, reader, delay) = network.state.withLock { all -> (WireStep, ScriptedWire?, Double) in
            if state.value.isClosed { return (.ended, nil, 0) }
            if let end = state.value.end { return (.failed(end), nil, 0) }
            guard let partner = state.value.partner, !partner.state.value.isClosed else {
                return (.failed("the other side has closed the connection"), nil, 0)
            }
            guard partner.state.value.incomingBytes < Self.capacity else { return (.blocked, nil, 0) }
            let conditions = all.conditions(local, remote)
            var delay = conditions.delay
            if conditions.loss > 0, all.random.fraction() < conditions.loss { delay += conditions.retransmission }
            var time = ContinuousClock.now + .seconds(delay)
            if let last = partner.state.value.incoming.last?.time { time = max(time, last) }
            partner.state.value.incoming.append((time, Array(bytes)))
            partner.state.value.incomingBytes += bytes.count
            return (.bytes(bytes.count), partner, delay)
        }
        reader?.notify(.readable, after: delay)
        return step
    }

    func setInterest(_ interest: Readiness) {
        network.state.withLock { _ in state.value.interest = interest }
        notify()
    }

    /// Calls the handler on its loop, if it is interested in what is there.
    func notify(_ readiness: Readiness = [.readable, .writable], after delay: Double = 0) {
        let job: @Sendable () -> Void = { [weak self] in self?.notifyNow(readiness) }
        delay > 0 ? loop.perform(after: delay, job) : loop.perform(job)
    }

    private func notifyNow(_ readiness: Readiness) {
        let (handler, meant, next) = network.state.withLock { all in
            var meant = state.value.interest.intersection(readiness)
            var next: ContinuousClock.Instant?
            if let first = state.value.incoming.first, !all.conditions(local, remote).isPartitioned {
                if first.time > .now {
                    next = first.time
                    meant.remove(.readable)
                }
            } else if state.value.end == nil, !state.value.isPartnerClosed {
                meant.remove(.readable)
            }
            if state.value.partner?.state.value.incomingBytes ?? 0 >= Self.capacity { meant.remove(.writable) }
            if state.value.end != nil || state.value.isPartnerClosed { meant.insert(.hungUp) }
            return (state.value.handler, meant, next)
        }
        if let next { notify(.readable, after: max(0.001, (next - .now) / .seconds(1))) }
        if !meant.isEmpty { handler(.ready(meant)) }
    }

    func breakDown(_ reason: String) {
        network.state.withLock { all in
            state.value.end = reason
            all.wires[ObjectIdentifier(self)] = nil
        }
        notify()
    }

    func close() {
        let partner = network.state.withLock { all -> ScriptedWire? in
            guard !state.value.isClosed else { return nil }
            state.value.isClosed = true
            state.value.handler = { _ in }
            all.wires[ObjectIdentifier(self)] = nil
            let partner = state.value.partner
            partner?.state.value.isPartnerClosed = true
            state.value.partner = nil
            partner?.state.value.partner = nil
            return partner
        }
        partner?.notify()
    }
}

/// A value that another object's lock guards.
final class Unguarded<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
