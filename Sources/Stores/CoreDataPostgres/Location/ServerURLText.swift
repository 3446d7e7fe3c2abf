import CoreDataSQL

/// The text of a `postgresql://` URL, divided into parts as libpq divides it.
///
/// User and password end at the first `@` before a slash. Source: PostgreSQL 15 documentation, section 34.1.1.2.
package struct ServerURLText {
    /// Why a text is not the URL of a server; contains no part of the text, which may include a password.
    package struct Problem: Error, Equatable {
        package let cause: String
        package let hint: String
    }

    /// `postgresql` or `postgres`.
    let scheme: String
    /// User and password, with characters that URLs do not allow percent-encoded; nil if the text has neither.
    let credentials: String?
    let hosts: Substring
    /// The text after the hosts.
    let rest: Substring

    /// The parameters of libpq whose values may contain an `@`.
    private static let parameters: Set<Substring> = [
        "user", "host", "hostaddr", "dbname", "passfile", "service", "options", "application_name", "password",
        "fallback_application_name", "sslkey", "sslcert", "sslrootcert", "sslcrl", "sslcrldir", "sslpassword",
        "krbsrvname", "channel_binding", "schema", "sqlrole",
    ]

    init(_ text: String) throws(Problem) {
        guard let mark = text.range(of: "://"),
            let scheme = PostgresLocation.schemes.first(where: { $0 == text[..<mark.lowerBound].lowercased() })
        else {
            throw Problem(
                cause: "it is no URL of a server that stores can be on", hint: "such a URL begins with postgresql://")
        }
        self.scheme = scheme
        let text = text[mark.upperBound...]
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        let at = text[..<slash].firstIndex(of: "@")
        let start = at.map { text.index(after: $0) } ?? text.startIndex
        credentials = at.map { Self.escaped(text[..<$0]) }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        hosts = text[start..<end]
        rest = text[end...]
        guard !hosts.contains("@"), !Self.hasStray(rest) else {
            throw Problem(
                cause: "its user, password or database has a '/' or '@' that is not escaped",
                hint: "write / as %2F, @ as %40, # as %23, ? as %3F")
        }
    }

    /// Whether there is an `@` that probably ends a password with an unescaped slash.
    private static func hasStray(_ rest: Substring) -> Bool {
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0].contains("@") { return true }
        return (parts.count > 1 ? parts[1] : "").split(separator: "&").contains { item in
            item.contains("@") && !parameters.contains(item.prefix { $0 != "=" })
        }
    }

    /// Percent-encodes the characters that libpq accepts and URLs do not allow; existing escapes stay.
    private static func escaped(_ text: Substring) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:".utf8)
        let bytes = Array(text.utf8)
        return bytes.indices.reduce(into: "") { result, index in
            let isEscape =
                bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[(index + 1)...(index + 2)].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
            if isEscape || plain.contains(bytes[index]) {
                result.unicodeScalars.append(UnicodeScalar(bytes[index]))
            } else {
                result += "%" + (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16, uppercase: true)
            }
        }
    }
}
