import Foundation

/// A text that this device has given out, as it keeps it: it admits one device, until it expires.
struct Invitation: Codable, Hashable, Sendable {
    static let secretSize = 16

    let secret: Data
    /// Seconds since 1970.
    let expiry: UInt64
    /// The key of the device that has used it.
    var user: Data?

    init(expiry: UInt64) {
        secret = Data(Sodium.random(Self.secretSize))
        self.expiry = expiry
    }

    var keys: PairingSecret { PairingSecret(SecretBytes(Array(secret))) }
}

/// What a request is sealed with, from the secret of a text.
struct PairingSecret: Sendable {
    /// What a request has in clear, so that its text is found.
    let tag: [UInt8]
    let key: SecretBytes
    let nonceKey: SecretBytes

    init(_ secret: SecretBytes) {
        let root = SecretBytes(Sodium.hash(Array("OCSY pairing text".utf8), key: secret))
        tag = Array(Sodium.subkey(1, of: root).bytes.prefix(PairingItem.tagSize))
        key = Sodium.subkey(2, of: root)
        nonceKey = Sodium.subkey(3, of: root)
    }
}
