import Foundation

/// What happens in a session, as ``MCSession/events`` has it.
public enum MCSessionEvent: Sendable {
    /// The state of a peer has changed; the error says why it is not connected.
    case state(MCPeerID, MCSessionState, MCError?)
    /// The connection to a peer was cut. Reliable messages wait for it to come back.
    case interrupted(MCPeerID, MCError)
    /// The connection to a peer came back. No reliable message was lost, and none came twice.
    case resumed(MCPeerID)
    /// A message has come.
    case message(ReceivedMessage)
    /// A peer has opened a stream.
    case stream(MCPeerID, name: String, ReceivedStream)
    /// A peer sends a resource.
    case resourceStarted(MCPeerID, name: String, Progress)
    /// A resource has come to a temporary place, or failed.
    case resourceFinished(MCPeerID, name: String, Result<URL, MCError>)
}

/// A message of a peer. As long as it is held, its bytes count as waiting, and the peer cannot send without bounds.
public struct ReceivedMessage: Sendable {
    /// Who sent it.
    public let peer: MCPeerID
    /// The bytes of the message.
    public let data: Data
    /// How it was sent.
    public let mode: MCSessionSendDataMode
    let receipt: MessageReceipt
}

/// Gives back what a message has cost, once all who hold it have handled it.
final class MessageReceipt: Sendable {
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    deinit { action() }
}
