import Foundation
import LockKit
import PeerKit

/// A network in memory, whose delays, losses and breaks a test sets.
///
/// Its wires carry the keys of both sides without TLS. Each node is a host by its name.
///
/// Invariants:
/// 1. All wires of the network are changed only while its lock is held; handlers are called without it, on the loops of
///    their owners.
final class ScriptedNetwork: Sendable {
    /// How bytes travel between two nodes.
    struct Conditions: Sendable, Equatable {
        /// Seconds until bytes arrive.
        var delay = 0.0
        /// The part of the writes that is lost on the way and arrives when it is sent again, as with TCP: 0 to 1.
        var loss = 0.0
        /// Seconds until what was lost is sent again.
        var retransmission = 0.2
        /// Whether nothing arrives.
        var isPartitioned = false

        init() {}
    }

    struct Pair: Hashable {
        let one, other: String
        init(_ one: String, _ other: String) { (self.one, self.other) = one < other ? (one, other) : (other, one) }
    }

    struct Listening {
        let loop: EventLoop
        let settings: @Sendable () -> WireSettings
        let accept: @Sendable (any Wire) -> Void
    }

    struct State {
        var listeners: [String: Listening] = [:]
        var conditions: [Pair: Conditions] = [:]
        var general = Conditions()
        var wires: [ObjectIdentifier: ScriptedWire] = [:]
        var nextPort: UInt16 = 10_000
        var random: SplitMix

        func conditions(_ one: String, _ other: String) -> Conditions { conditions[Pair(one, other)] ?? general }
    }

    let state: Locked<State>

    /// - Parameter seed: Decides what is lost.
    init(seed: UInt64 = 1) { state = Locked(State(random: SplitMix(state: seed))) }

    /// The network as a host sees it.
    func node(_ host: String) -> any PeerNetwork { ScriptedNode(host: host, network: self) }

    /// Sets how bytes travel between all nodes that have no conditions of their own.
    func set(_ conditions: Conditions) { change { $0.general = conditions } }

    /// Sets how bytes travel between two nodes.
    func set(_ conditions: Conditions, between one: String, and other: String) {
        change { $0.conditions[Pair(one, other)] = conditions }
    }

    /// Breaks all wires between two nodes.
    func cut(between one: String, and other: String) {
        cut { Pair($0.local, $0.remote) == Pair(one, other) }
    }

    /// Breaks all wires of a node, and its listeners.
    func kill(_ host: String) {
        state.withLock { state in state.listeners = state.listeners.filter { !$0.key.hasPrefix(host + ":") } }
        cut { $0.local == host || $0.remote == host }
    }

    private func change(_ body: (inout State) -> Void) {
        let wires = state.withLock { state in
            body(&state)
            return Array(state.wires.values)
        }
        for wire in wires { wire.notify() }
    }

    private func cut(where isMeant: (ScriptedWire) -> Bool) {
        let wires = state.withLock { state in state.wires.values.filter(isMeant) }
        for wire in wires { wire.breakDown("the connection was cut") }
    }
}

/// The random numbers of a scripted network.
struct SplitMix: Sendable {
    var state: UInt64

    mutating func fraction() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(UInt64(1) << 53)
    }
}
