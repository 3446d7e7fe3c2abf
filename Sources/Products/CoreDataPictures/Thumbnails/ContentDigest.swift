import COpenSSL
import Foundation

/// What a picture is known by, wherever it is stored: SHA-256 of its bytes.
public struct ContentDigest: Sendable, Hashable, CustomStringConvertible {
    /// The digest as 64 hexadecimal digits in lower case.
    public let text: String

    /// Digests bytes.
    public init(_ data: Data) {
        var digest = [UInt8](repeating: 0, count: 32)
        // With enough memory the digest cannot fail; all zeros would be the name of other content.
        let isMade = data.withUnsafeBytes { copenssl_sha256($0.baseAddress, $0.count, &digest) != 0 }
        precondition(isMade, "OpenSSL made no SHA-256 digest: its default provider is missing or has been disabled")
        let digits = Array("0123456789abcdef".utf8)
        text = String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// A digest that was kept as text; nil for what is not 64 hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    /// The hexadecimal digits.
    public var description: String { text }
}
