import COpenSSL

/// What all TLS connections of a key share.
package final class TLSContext: @unchecked Sendable {
    /// The library counts references to it with atomic operations, and it is not changed after it was made.
    let pointer: OpaquePointer

    init(_ keys: KeyPair) throws {
        guard let pointer = copenssl_tls_context(keys.text, keys.text.count) else {
            throw PeerFailure(
                .identity, "OpenSSL cannot use the key for TLS 1.3",
                hint: "give an Ed25519 key or one on the curve P-256, with its certificate")
        }
        self.pointer = pointer
    }

    deinit { SSL_CTX_free(pointer) }
}
