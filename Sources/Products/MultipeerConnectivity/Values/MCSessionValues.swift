/// How a peer stands to a session.
public enum MCSessionState: Int, Sendable {
    /// The peer is not connected, or not any longer.
    case notConnected = 0
    /// One side has invited the other, which has not yet come in.
    case connecting = 1
    /// Messages can be sent, also while the connection is interrupted for a moment.
    case connected = 2
}

/// Whether a message must arrive.
public enum MCSessionSendDataMode: Int, Sendable {
    /// The message arrives whole, once and in order, also when the connection is interrupted.
    case reliable = 0
    /// The message may be lost; it waits for no other, and no other waits for it.
    case unreliable = 1
}

/// Whether connections are encrypted.
public enum MCEncryptionPreference: Int, Sendable {
    /// Encrypted unless the other side refuses.
    case optional = 0
    /// Encrypted, or not made at all.
    case required = 1
    /// Not encrypted. Refused unless ``MCSession/allowsUnencryptedConnections`` is set too.
    case none = 2
}

/// The number of peers that a session needs at least, oneself included.
public let kMCSessionMinimumNumberOfPeers = 2
/// The number of peers of a session unless ``MCSession/maximumNumberOfPeers`` says otherwise, oneself included.
public let kMCSessionMaximumNumberOfPeers = 8
