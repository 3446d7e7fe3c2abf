import Foundation

/// Why a side connects.
package enum Purpose: Sendable, Equatable {
    /// Invites the other side into a session.
    case invite
    /// Both sides are members of a session and have heard of each other from a third one.
    case join
    /// A connection comes back that had lost its wire.
    case resume
}

/// The first frame of the connecting side. Members that are not known are ignored, so later versions may add some.
struct ClientHello: Codable {
    var purpose: String
    var introduction: Introduction
    /// The session of this side.
    var session: UUID
    /// The session of the other side, where that is known.
    var target: UUID?
    /// The connection.
    var link: UUID
    var commitment: Data?
    /// When a connection comes back: the number up to which all frames have been received.
    var received: UInt64?
}

/// The first frame of the listening side.
struct ServerHello: Codable {
    var introduction: Introduction?
    var nonce: Data?
    var received: UInt64?
    var refusal: Refusal?
}

/// What the connecting side reveals, and its invitation.
struct ClientReveal: Codable {
    var nonce: Data
    var context: Data?
    /// Seconds for which an answer is awaited.
    var timeout: Double
}

/// What the listening side decides, and then the connecting one.
struct Decision: Codable {
    var refusal: Refusal?
    /// The session of the side that decides.
    var session: UUID?
}

/// Why not.
struct Refusal: Codable {
    var code: String
    var reason: String

    init(_ failure: PeerFailure) { (code, reason) = (failure.code.rawValue, failure.reason) }

    var failure: PeerFailure { PeerFailure(received: code, reason) }
}

extension Purpose {
    var word: String {
        switch self {
        case .invite: "invite"
        case .join: "join"
        case .resume: "resume"
        }
    }

    init(word: String) throws {
        switch word {
        case "invite": self = .invite
        case "join": self = .join
        case "resume": self = .resume
        default: throw PeerFailure(.version, "the other side connects for a purpose that is not known")
        }
    }
}
