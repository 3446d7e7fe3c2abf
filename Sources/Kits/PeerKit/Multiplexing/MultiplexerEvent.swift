import Foundation

/// What frames that were received, or room that was made, mean for the layer above.
enum MultiplexerEvent: Sendable {
    case control(Data)
    /// A message; its cost is given back when it is consumed.
    case message(Data, cost: Int, isReliable: Bool)
    case opened(UInt32, description: Data)
    case data(UInt32, Data)
    /// A channel of the other side has ended; with a reason if not as it should.
    case ended(UInt32, reason: String?)
    /// The other side wants no more of a channel.
    case reset(UInt32, reason: String)
    /// A channel has room for more bytes.
    case drained(UInt32)
    case goodbye(PeerFailure)
}
