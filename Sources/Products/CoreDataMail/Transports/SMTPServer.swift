import CoreDataGraph

/// Where messages are handed in, and how.
public struct SMTPServer: Sendable, Hashable {
    /// How the connection is encrypted.
    public enum Security: String, Sendable, Hashable, Codable {
        /// Asked for after connecting, and demanded: where the server offers none, nothing is sent.
        case startTLS
        /// From the first byte, as on port 465.
        case tls
        /// Not at all: everyone on the way can read and change the messages. For servers on this machine.
        case none
    }

    /// Who logs in.
    public enum Credentials: Sendable, Hashable {
        /// A name and a password.
        case password(user: String, password: String)
        /// A name and a token of OAuth 2.
        case token(user: String, token: String)
    }

    /// The host's name or address.
    public var host: String
    /// The port; usual are 587 for `startTLS`, 465 for `tls` and 25 for `none`.
    public var port: Int
    /// How the connection is encrypted.
    public var security: Security
    /// Who logs in; nil sends without. Where they are given and the server offers no login, nothing is sent.
    public var credentials: Credentials?
    /// Certificates that are trusted besides, or instead, of the system's: a file in PEM form.
    public var certificateAuthorities: URL?
    /// The name by which this machine greets the server.
    public var localName = "localhost"
    /// How long making the connection may take, in seconds.
    public var connectTimeout: TimeInterval = 30
    /// How long the server may take for each of its replies, and for each block of a message, in seconds.
    public var replyTimeout: TimeInterval = 60
    /// How long the server may take for its reply to the whole message, in seconds; RFC 5321 advises ten minutes, since a message given up
    /// here may have been sent.
    public var finalTimeout: TimeInterval = 600

    /// A server with the usual port of its kind of encryption.
    public init(host: String, port: Int? = nil, security: Security = .startTLS, credentials: Credentials? = nil) {
        self.host = host
        self.port = port ?? (security == .startTLS ? 587 : security == .tls ? 465 : 25)
        (self.security, self.credentials) = (security, credentials)
    }

    /// Whether the host is this machine, by its name or address.
    var isLocal: Bool { ["localhost", "::1", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.") }

    /// The address for libcurl, whose path is the name to greet with.
    ///
    /// - Throws: ``MailError`` with `notConfigured`.
    func url() throws -> String {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let isName = { (text: String) in
            !text.isEmpty && text.utf8.count <= 253
                && text.utf8.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                        || "-._:".utf8.contains(byte)
                }
        }
        guard isName(bare), isName(localName), !localName.contains(":"), (1...65_535).contains(port) else {
            throw MailError(
                .notConfigured,
                "'\(FieldText.shown(host))', port \(port), with the own name '\(FieldText.shown(localName))' is no server",
                hint: "write a host's name or address, in ASCII, without a scheme or a path")
        }
        let place = bare.contains(":") ? "[\(bare)]" : bare
        return "\(security == .tls ? "smtps" : "smtp")://\(place):\(port)/\(localName)"
    }

    /// Host and port, for messages.
    var name: String { "\(host):\(port)" }
}
