import COpenSSL

/// A private key with a certificate of it, by which a peer proves who it is.
package struct KeyPair: Sendable, Hashable {
    /// Key and certificate as PEM, the key first.
    package let text: [UInt8]
    /// The digest of the public key.
    package let key: PeerKey

    /// Makes an Ed25519 key with a certificate that it signs itself, in memory.
    ///
    /// - Throws: `PeerFailure` with `system` if the library makes none.
    package init() throws {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = copenssl_make_signing_identity("peer", &buffer, buffer.count)
        guard count > 0, let key = PeerKey(identity: Array(buffer[..<count])) else {
            throw PeerFailure(.system, "OpenSSL made no Ed25519 key", hint: "look at the configuration of the library")
        }
        (text, self.key) = (Array(buffer[..<count]), key)
    }

    /// Takes a program's own key and certificate.
    ///
    /// - Parameter text: Both as PEM, the key first.
    /// - Throws: `PeerFailure` with `identity` if they are damaged or do not belong together.
    package init(text: [UInt8]) throws {
        guard let key = PeerKey(identity: text) else {
            throw PeerFailure(
                .identity, "the text has no private key with its certificate",
                hint: "give both as PEM, the key first and without a password")
        }
        (self.text, self.key) = (text, key)
    }
}
