import COpenSSL
import Foundation

/// Texts as URLs and forms have them.
enum URLText {
    /// The alphabet of base 64 for URLs, without padding (RFC 4648, 5).
    static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The SHA-256 digest of a text in UTF-8; nil if OpenSSL does not have it.
    static func sha256(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        return copenssl_sha256(bytes, bytes.count, &digest) == 1 ? digest : nil
    }

    /// All but the unreserved characters percent-encoded (RFC 3986, 2.3).
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// The parameters of a query or form, in which `+` is a space; nil if a name comes twice, as RFC 6749, 3.1 forbids.
    static func parameters(_ query: String) -> [String: String]? {
        var result: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = words[0], let value = words.count > 1 ? words[1] : "" else { return nil }
            guard result.updateValue(value, forKey: name) == nil else { return nil }
        }
        return result
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
