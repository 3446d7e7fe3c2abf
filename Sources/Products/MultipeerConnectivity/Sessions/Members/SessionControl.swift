import Foundation
import PeerKit

/// What members of a session send each other besides messages, as JSON. Kinds that are not known are ignored.
struct SessionControl: Codable {
    /// The kind: `members` or `received`.
    var kind: String
    var members: [MemberAddress]?
    /// The channel of a resource that was received, and why not.
    var channel: UInt32?
    var failure: String?

    static func members(_ members: [MemberAddress]) -> SessionControl {
        SessionControl(kind: "members", members: members)
    }

    static func received(_ channel: UInt32, failure: String?) -> SessionControl {
        SessionControl(kind: "received", channel: channel, failure: failure)
    }

    var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }
}

/// A member of a session as others reach it.
struct MemberAddress: Codable, Sendable, Equatable {
    var name: String
    var identifier: String
    /// The session at that member.
    var session: UUID
    var host: String
    var port: UInt16
    /// The digest of its key; nil where nothing is encrypted.
    var key: String?

    /// Whether the values are such as a peer may have.
    var isValid: Bool {
        Introduction.objection(toName: name) == nil && Introduction.isIdentifier(identifier)
            && !host.isEmpty && host.utf8.count <= 255 && (key == nil || PeerKey(key ?? "") != nil)
    }
}
