import Foundation
import PeerKit

/// A peer that a session is connected with, or was, or is about to be.
struct Member: Sendable {
    var peer: MCPeerID
    var state = MCSessionState.notConnected
    /// The key that the peer must have.
    var key: PeerKey?
    /// The session at the peer.
    var session: UUID?
    var address: PeerAddress?
    var link: SessionLink?
    /// The attempt that is under way: what a former one reports is ignored.
    var attempt: UUID?
    var handshake: ClientHandshake?
    /// Why the peer is not connected.
    var failure: PeerFailure?
    /// How often a connection to a member that others have named was tried.
    var tries = 0
    /// A secret that the peer shows in place of a key that is not known.
    var token: Data?

    init(_ peer: MCPeerID) { self.peer = peer }

    /// What others are shown of the member; nil if they could not reach it.
    var shown: MemberAddress? {
        guard state == .connected, let session, let address, address.port > 0 else { return nil }
        return MemberAddress(
            name: peer.displayName, identifier: peer.identifier, session: session, host: address.host,
            port: address.port, key: key?.description)
    }
}
