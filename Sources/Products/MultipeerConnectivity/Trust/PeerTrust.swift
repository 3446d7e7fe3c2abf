/// How a session decides whether the key of a peer is trusted. A key that was trusted once in a session stays the peer's.
public enum PeerTrust: Sendable {
    /// As with Apple's sessions: who invites or accepts trusts the other side, unless the delegate refuses its certificate.
    /// Who stands between two peers at their first meeting is not noticed.
    case certificates
    /// At the first meeting people compare a code of six digits, which is the same on both sides, and from then on the key
    /// must be the same. `confirm` is called on a private queue, on both sides at the same time.
    case pairing(
        any PairedPeers,
        confirm: @Sendable (_ peer: MCPeerID, _ code: String, _ answer: @escaping @Sendable (Bool) -> Void) -> Void)
}

/// The keys of peers that were paired, kept beyond the process.
public protocol PairedPeers: Sendable {
    /// The digest of the key of a peer, as 64 hexadecimal digits; nil if it was never paired.
    func keyDigest(of identifier: String) throws -> String?
    /// Keeps the digest of the key of a peer.
    func pair(_ identifier: String, name: String, keyDigest: String) throws
}
