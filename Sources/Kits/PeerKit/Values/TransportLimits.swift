/// The limits of a connection of peers. Both sides bound what they hold, whatever the other one does.
package struct TransportLimits: Sendable {
    /// Bytes of the largest message that is sent or received.
    package var messageBytes = 16 << 20
    /// Bytes of messages that may wait to be sent; more are refused.
    package var queuedBytes = 64 << 20
    /// Bytes of messages that the other side may send before they are consumed here.
    package var messageWindow = 1 << 20
    /// Bytes of a byte channel that the other side may send before they are consumed here.
    package var channelWindow = 2 << 20
    /// Bytes that may be on their way without an acknowledgement.
    package var unacknowledgedBytes = 6 << 20
    /// Byte channels that the other side may have open at a time.
    package var channels = 64
    /// Bytes of unreliable messages that may wait to be sent or consumed; more are dropped.
    package var unreliableBytes = 256 << 10
    /// Seconds of silence after which a connection is asked for a sign of life.
    package var keepAliveSeconds = 4.0
    /// Seconds without a sign of life, or without any acknowledgement, after which a connection counts as cut.
    package var silenceSeconds = 12.0
    /// Seconds in which a connection that was cut may come back.
    package var resumptionSeconds = 10.0
    /// Seconds that two sides have to introduce themselves.
    package var handshakeSeconds = 10.0
    /// Connections that are being introduced at a time.
    package var handshakes = 256
    /// Connections of one host that are being introduced at a time.
    package var handshakesPerHost = 96

    package init() {}

    /// The same with all times stretched: a process that stands still in a debugger must not be lost.
    package func stretched(by factor: Double) -> TransportLimits {
        var limits = self
        limits.keepAliveSeconds *= factor
        limits.silenceSeconds *= factor
        limits.resumptionSeconds *= factor
        limits.handshakeSeconds *= factor
        return limits
    }
}
