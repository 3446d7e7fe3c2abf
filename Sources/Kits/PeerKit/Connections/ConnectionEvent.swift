import Foundation

/// What a connection reports to its owner, in order, on the loop's thread.
package enum ConnectionEvent: Sendable {
    /// A value of the layer above.
    case control(Data)
    /// A message; once it is handled, its cost is handed to `PeerConnection.consumed(_:isReliable:)`.
    case message(Data, cost: Int, isReliable: Bool)
    /// The other side opens a byte channel.
    case opened(IncomingChannel)
    /// The other side wants no more of a channel.
    case reset(UInt32, reason: String)
    /// A channel has room for more bytes.
    case drained(UInt32)
    /// The wire broke; what is sent waits for the connection to come back.
    case interrupted(PeerFailure)
    case resumed
    /// The connection has ended for good.
    case closed(PeerFailure)
}
