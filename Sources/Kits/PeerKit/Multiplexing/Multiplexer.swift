import Foundation

/// Many things over one connection: messages, byte channels and what keeps them going, as frames; a value without a wire.
///
/// What is sent next is chosen when the wire can take it, in this order: signs of life and acknowledgements; frames that an
/// interruption has left without an acknowledgement; control; messages; channels in turns. One frame in 17 is of a channel also
/// while messages wait. A frame is at most 16 KiB, so a message waits for one frame and for what the system holds.
///
/// Invariants:
/// 1. `received` is the number up to which all numbered frames have been received, each once.
/// 2. Numbered frames are kept in `window` until they are acknowledged; they take at most `unacknowledgedBytes` and one frame.
/// 3. Channels that this side opens have odd numbers if it has connected, even ones if it has listened.
package struct Multiplexer: Sendable {
    struct Flags: Sendable {
        var ping = false
        var pong = false
        var acknowledge = false
        var goodbye: PeerFailure?
    }

    let limits: TransportLimits
    let isConnecting: Bool
    var window = SendWindow()
    var flags = Flags()
    var control: [(header: FrameHeader, payload: Data)] = []
    var messages = MessageQueue()
    var unreliable = MessageQueue()
    var messageCredit: Int
    var outgoing: [UInt32: OutgoingChannel] = [:]
    /// The order in which channels take turns.
    var turns: [UInt32] = []
    var nextChannel: UInt32
    var messageRun = 0

    var received: UInt64 = 0
    var acknowledgedToPeer: UInt64 = 0
    var bytesSinceAcknowledgement = 0
    var assembler: MessageAssembler
    var unreliableAssembler: UnreliableAssembler
    var incoming: [UInt32: IncomingWindow] = [:]
    var lastIncoming: UInt32 = 0
    var events: [MultiplexerEvent] = []

    package init(limits: TransportLimits = TransportLimits(), isConnecting: Bool) {
        self.limits = limits
        self.isConnecting = isConnecting
        nextChannel = isConnecting ? 1 : 2
        messageCredit = limits.messageWindow
        assembler = MessageAssembler(window: limits.messageWindow, limit: limits.messageBytes)
        unreliableAssembler = UnreliableAssembler(limit: limits.unreliableBytes)
    }

    /// Whether frames were received that the other side does not know of.
    var owesAcknowledgement: Bool { received > acknowledgedToPeer }
    /// Whether frames wait for the other side's acknowledgement.
    package var awaitsAcknowledgement: Bool { window.count > 0 }
    /// The number up to which all frames have been received, which the other side asks for when it resumes.
    package var receivedNumber: UInt64 { received }

    mutating func takeEvents() -> [MultiplexerEvent] {
        guard !events.isEmpty else { return [] }
        defer { events = [] }
        return events
    }

    /// Begins on a new wire.
    ///
    /// - Parameter number: The number up to which the other side has all frames.
    package mutating func restart(after number: UInt64) throws {
        try window.restart(after: number)
        flags.ping = false
        flags.pong = false
        unreliable.removeAll()
        unreliableAssembler.reset()
        acknowledgedToPeer = received
        bytesSinceAcknowledgement = 0
    }
}
