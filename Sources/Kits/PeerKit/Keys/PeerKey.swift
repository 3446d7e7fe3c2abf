import COpenSSL

/// The SHA-256 digest of a public key, by which peers know each other.
package struct PeerKey: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the digest.
    package let bytes: [UInt8]

    /// Reads 64 hexadecimal digits; nil for any other text.
    package init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).compactMap { place in
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else { return nil }
            return high << 4 | low
        }
        guard bytes.count == 32 else { return nil }
    }

    /// The key of a certificate in DER; nil if the bytes are none.
    package init?(certificate: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        guard copenssl_der_key_digest(certificate, certificate.count, &digest) != 0 else { return nil }
        bytes = digest
    }

    /// The key of an identity as PEM; nil if key and certificate are damaged or do not belong together.
    init?(identity: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        guard copenssl_identity_key_digest(identity, identity.count, &digest) != 0 else { return nil }
        bytes = digest
    }

    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
