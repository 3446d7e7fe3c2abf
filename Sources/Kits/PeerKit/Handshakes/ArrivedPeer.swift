import Foundation

/// The other side of a handshake, as far as it is known.
package struct ArrivedPeer: Sendable {
    package var introduction: Introduction
    /// The key that it has proved; nil if the wire is not encrypted.
    package var key: PeerKey?
    /// Its certificate in DER.
    package var certificate: [UInt8]?
    /// The host from which it connects, or that was connected to.
    package var host: String
    package var purpose: Purpose
    /// Its session.
    package var session: UUID
    /// The session of this side that it means; nil for an invitation.
    package var target: UUID?
    package var link: UUID
    /// The code that people compare; empty before both sides have revealed their numbers.
    package var code = ""
    package var context: Data?
    /// Seconds for which the other side awaits an answer.
    package var timeout = 30.0
}

/// A handshake that has succeeded.
package struct HandshakeResult: Sendable {
    package let peer: ArrivedPeer
    package let wire: any Wire
    /// What has come on the wire behind the handshake.
    package let bytes: [UInt8]
    /// The number up to which the other side has all frames; 0 for a new connection.
    package let received: UInt64
}
