import Foundation
import PeerKit

/// Whether the key of a peer is trusted; the answer may take as long as people do.
struct TrustDecision: Sendable {
    let peer: MCPeerID
    let key: PeerKey?
    let code: String

    /// By keys that were paired before, or by people who compare a code.
    func byPairing(
        _ paired: any PairedPeers,
        confirm: @escaping @Sendable (MCPeerID, String, @escaping @Sendable (Bool) -> Void) -> Void,
        _ answer: @escaping @Sendable (PeerFailure?) -> Void
    ) {
        guard let key else {
            return answer(PeerFailure(.encryption, "a peer without a key cannot be paired", hint: "require encryption"))
        }
        do {
            if let known = try paired.keyDigest(of: peer.identifier) {
                let isSame = known == key.description
                return answer(
                    isSame
                        ? nil
                        : PeerFailure(
                            .identity, "\(peer.displayName) has another key than when it was paired",
                            hint: "pair the two again, if you know why"))
            }
        } catch {
            return answer(PeerFailure(.system, "the paired peers cannot be read: \(error)"))
        }
        confirm(peer, code) { [peer] isEqual in
            guard isEqual else { return answer(PeerFailure(.declined, "the codes are not the same")) }
            do {
                try paired.pair(peer.identifier, name: peer.displayName, keyDigest: key.description)
                answer(nil)
            } catch {
                answer(PeerFailure(.system, "the key cannot be kept: \(error)"))
            }
        }
    }
}
