import COpenSSL

/// The six digits that two people compare before their peers trust each other's keys.
///
/// The side that connects commits itself to a random number by a digest, the other side names one, and then the first
/// is revealed. Neither side can choose its number knowing the other's, so that who stands between two peers, with a
/// key for each, has one guess in a million; without the commitment it could try keys until the codes are equal.
package enum PairingCode {
    package static let nonceBytes = 32

    /// 32 random bytes.
    package static func nonce() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<nonceBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// What the connecting side sends before it knows the other's number.
    package static func commitment(nonce: [UInt8], key: PeerKey?) -> [UInt8] {
        digest(Array("OCDP commitment".utf8) + (key?.bytes ?? []) + nonce)
    }

    /// The code of a connection, as `123 456`; the same on both sides.
    package static func code(connecting: PeerKey?, nonce: [UInt8], listening: PeerKey?, nonce other: [UInt8]) -> String
    {
        let bytes = digest(
            Array("OCDP code".utf8) + (connecting?.bytes ?? []) + (listening?.bytes ?? []) + nonce + other)
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(1_000_000 + number).dropFirst()
        return "\(digits.prefix(3)) \(digits.suffix(3))"
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // Without a digest no code would protect anything: all bytes 0 are a commitment that no nonce opens.
        guard copenssl_sha256(bytes, bytes.count, &digest) != 0 else { return [] }
        return digest
    }
}
