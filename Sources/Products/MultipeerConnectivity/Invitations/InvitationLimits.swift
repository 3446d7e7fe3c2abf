import Foundation
import PeerKit

/// Bounds what strangers may ask of a person: how many invitations wait at a time, of all and of one key or host.
struct InvitationLimits: Sendable {
    private static let (waitingLimit, hostLimit, ownLimit, perMinute) = (64, 32, 4, 60)
    private var waiting: [ObjectIdentifier: (sender: String, host: String)] = [:]
    private var recent: [String: [ContinuousClock.Instant]] = [:]

    /// Counts an invitation.
    ///
    /// - Throws: `PeerFailure` with `limit` if it is one too many.
    mutating func begin(_ handshake: ServerHandshake, of sender: String, at host: String) throws {
        let now = ContinuousClock.now
        recent = recent.compactMapValues { times in
            let left = times.filter { now - $0 < .seconds(60) }
            return left.isEmpty ? nil : left
        }
        guard waiting.count < Self.waitingLimit, waiting.values.count(where: { $0.host == host }) < Self.hostLimit,
            waiting.values.count(where: { $0.sender == sender }) < Self.ownLimit
        else {
            throw PeerFailure(.limit, "too many invitations wait for an answer", hint: "try again later")
        }
        guard recent[sender, default: []].count < Self.perMinute else {
            throw PeerFailure(
                .limit, "more than \(Self.perMinute) invitations came within a minute", hint: "try again later")
        }
        waiting[ObjectIdentifier(handshake)] = (sender, host)
        recent[sender, default: []].append(now)
    }

    mutating func end(_ handshake: ServerHandshake) { waiting[ObjectIdentifier(handshake)] = nil }
}
