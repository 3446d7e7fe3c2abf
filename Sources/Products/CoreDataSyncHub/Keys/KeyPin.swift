import COpenSSL

/// The SHA-256 digest of a public key, by which a hub and a device know each other.
public struct KeyPin: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the digest.
    let bytes: [UInt8]

    /// Reads a pin; nil unless the text is 64 hexadecimal digits.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// The pin of the key that a certificate in DER has; nil if the bytes are none.
    package init?(certificate: UnsafeBufferPointer<UInt8>) {
        guard let start = certificate.baseAddress else { return nil }
        var digest = [UInt8](repeating: 0, count: 32)
        guard copenssl_der_key_digest(start, certificate.count, &digest) != 0 else { return nil }
        bytes = digest
    }

    /// The pin of a key and its certificate as PEM; nil if they are damaged or do not belong together.
    init?(identity: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        guard copenssl_identity_key_digest(identity, identity.count, &digest) != 0 else { return nil }
        bytes = digest
    }

    /// The pin as 64 lower-case hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
