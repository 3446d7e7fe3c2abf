import Foundation
import LockKit
public import MultipeerConnectivity
import PeerKit

/// A network in memory for tests of programs that use sessions: its delays, losses and breaks are set by the test.
///
///     let network = ScriptedPeerNetwork()
///     let (anna, ben) = (MCPeerID(displayName: "Anna"), MCPeerID(displayName: "Ben"))
///     network.add(anna)
///     network.add(ben)
///     let session = MCSession(peer: anna)     // its connections are of the network
///
/// Each peer is a host of its own, by its identifier. Sessions that are made of a peer after it was added use the network.
public final class ScriptedPeerNetwork: Sendable {
    /// How bytes travel between two peers.
    public struct Conditions: Sendable, Equatable {
        /// Seconds until bytes arrive.
        public var delay: TimeInterval
        /// The part of the writes that is lost and sent again after a while, as with TCP: 0 to 1.
        public var loss: Double
        /// Seconds until what was lost is sent again.
        public var retransmission: TimeInterval
        /// Whether nothing arrives. Connections count as cut when their time is over, not before.
        public var isPartitioned: Bool

        /// Makes conditions, by themselves those of a network without delays and losses.
        public init(
            delay: TimeInterval = 0, loss: Double = 0, retransmission: TimeInterval = 0.2, isPartitioned: Bool = false
        ) {
            (self.delay, self.loss) = (delay, loss)
            (self.retransmission, self.isPartitioned) = (retransmission, isPartitioned)
        }
    }

    private let network: ScriptedNetwork
    private let limits: TransportLimits
    private let endpoints = Locked<[String: PeerEndpoint]>([:])

    /// - Parameters:
    ///   - seed: Decides which writes are lost.
    ///   - silence: Seconds of silence after which a connection counts as cut.
    ///   - resumption: Seconds in which a connection that was cut may come back.
    public init(seed: UInt64 = 1, silence: TimeInterval = 12, resumption: TimeInterval = 10) {
        network = ScriptedNetwork(seed: seed)
        var limits = TransportLimits()
        (limits.silenceSeconds, limits.keepAliveSeconds) = (silence, silence / 3)
        limits.resumptionSeconds = resumption
        self.limits = limits
    }

    /// Puts a peer on the network.
    ///
    /// - Returns: Where it listens and invites, as ``PeerEndpoint/endpoint(for:)`` has it too.
    @discardableResult
    public func add(_ peer: MCPeerID) -> PeerEndpoint {
        let endpoint = PeerEndpoint.endpoint(for: peer, network: network.node(peer.identifier), limits: limits)
        endpoints.withLock { $0[peer.identifier] = endpoint }
        return endpoint
    }

    /// The address at which a peer that listens is reached; nil if it does not.
    public func address(of peer: MCPeerID) -> PeerAddress? {
        let port = endpoints.withLock { $0[peer.identifier] }?.port
        return port.map { PeerAddress(host: peer.identifier, port: $0) }
    }

    /// Sets how bytes travel between all peers that have no conditions of their own.
    public func set(_ conditions: Conditions) { network.set(conditions.values) }

    /// Sets how bytes travel between two peers.
    public func set(_ conditions: Conditions, between one: MCPeerID, and other: MCPeerID) {
        network.set(conditions.values, between: one.identifier, and: other.identifier)
    }

    /// Cuts the connections between two peers, which may come back.
    public func cut(between one: MCPeerID, and other: MCPeerID) {
        network.cut(between: one.identifier, and: other.identifier)
    }

    /// Takes a peer away, as if its machine had lost power: its connections break and nothing listens there any longer.
    public func kill(_ peer: MCPeerID) {
        network.kill(peer.identifier)
        endpoints.withLock { $0[peer.identifier] = nil }
    }
}

extension ScriptedPeerNetwork.Conditions {
    var values: ScriptedNetwork.Conditions {
        var values = ScriptedNetwork.Conditions()
        (values.delay, values.loss) = (delay, loss)
        (values.retransmission, values.isPartitioned) = (retransmission, isPartitioned)
        return values
    }
}
