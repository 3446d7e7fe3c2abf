/// Whether wires are encrypted.
package enum WireEncryption: UInt8, Sendable {
    case none = 0
    /// Encrypted unless the other side refuses.
    case optional = 1
    case required = 2

    /// What two sides agree on; nil if they cannot.
    package func agreement(with other: WireEncryption) -> Bool? {
        switch (self, other) {
        case (.none, .required), (.required, .none): nil
        case (.none, _), (_, .none): false
        default: true
        }
    }
}

/// What all wires of a peer have in common.
package struct WireSettings: Sendable {
    package let keys: KeyPair
    package let tls: TLSContext
    package var encryption: WireEncryption

    /// - Throws: `PeerFailure` if the library cannot use the keys.
    package init(keys: KeyPair, encryption: WireEncryption = .required) throws {
        self.keys = keys
        self.encryption = encryption
        tls = try TLSContext(keys)
    }
}
