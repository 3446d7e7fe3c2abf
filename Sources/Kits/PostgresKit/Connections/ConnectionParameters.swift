import CPostgres

/// Where to connect and how, in libpq's keywords. Source: PostgreSQL 15, section 34.1.2 of its documentation.
package struct ConnectionParameters: Sendable, CustomStringConvertible {
    private static let secrets: Set<String> = ["password", "sslpassword"]

    package private(set) var pairs: [(keyword: String, value: String)]

    package init(_ pairs: [(keyword: String, value: String)]) { self.pairs = pairs }

    /// The parameters that a `postgresql://` URL gives.
    ///
    /// - Throws: a `PostgresError` of misuse that names what libpq does not support; never with a password.
    package init(url: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            let text = message.map { String(cString: $0) } ?? "out of memory"
            PQfreemem(message)
            throw PostgresError(.misuse, Self.withoutQuotations(text), attempt: "read the URL")
        }
        defer { PQconninfoFree(options) }
        pairs = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                pairs.append((String(cString: keyword), String(cString: value)))
            }
            option += 1
        }
    }

    /// What libpq says without the parts of the URL that it quotes, in which there may be a password.
    private static func withoutQuotations(_ text: String) -> String {
        var parts = text.split(separator: "\n").joined(separator: " ").split(
            separator: "\"", omittingEmptySubsequences: false)
        for index in parts.indices where index % 2 == 1 && parts[index].utf8.count > 1 { parts[index] = "…" }
        return parts.joined(separator: "\"")
    }

    /// The value of a keyword; nil for one that is not given.
    package subscript(_ keyword: String) -> String? { pairs.last { $0.keyword == keyword }?.value }

    /// Gives a keyword another value.
    package mutating func set(_ keyword: String, _ value: String) {
        pairs.removeAll { $0.keyword == keyword }
        pairs.append((keyword, value))
    }

    /// Leaves a keyword to libpq's own sources.
    package mutating func remove(_ keyword: String) { pairs.removeAll { $0.keyword == keyword } }

    package var description: String {
        pairs.map { "\($0.keyword)=\(Self.secrets.contains($0.keyword) ? "***" : $0.value)" }.joined(separator: " ")
    }
}
