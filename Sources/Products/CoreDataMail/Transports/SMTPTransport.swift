import CoreDataGraph

/// Sends messages over SMTP, by libcurl: a connection for each message.
///
/// Encryption is asked for by default and demanded; where a name and a password are given, so is the login. A message is sent at most once:
/// when the connection ends after the whole message was handed over and before the server's reply, the error is `outcomeUnknown`, and
/// nothing is sent again. May be used on several threads at a time; each call waits for the server.
public struct SMTPTransport: MailTransport {
    /// Where messages are handed in.
    public let server: SMTPServer

    /// A transport to a server. Nothing is connected yet.
    public init(_ server: SMTPServer) { self.server = server }

    /// Whether the server's name and port can be ones.
    public var canSend: Bool { (try? server.url()) != nil }

    /// Sends a message, and waits for the server's reply.
    public func deliver(_ message: MailFile, willCommit: () throws -> Void) throws -> MailDelivery {
        let connection = try SMTPConnection(server)
        var conversation = SMTPConversation(connection, server)
        return try conversation.send(message, willCommit: willCommit)
    }

    /// Connects, encrypts and logs in, and sends nothing: whether a configuration works.
    ///
    /// - Returns: The largest message that the server takes, in bytes; nil if it sets no bound.
    /// - Throws: ``MailError``.
    @discardableResult
    public func check() throws -> Int64? {
        let connection = try SMTPConnection(server)
        return connection.greeting.largestSize.flatMap { $0 > 0 ? $0 : nil }
    }
}
