import CPostgres

/// The parameters of a connection, by libpq's keywords. Source: section 34.1.2 of the PostgreSQL 15 documentation.
package struct ConnectionParameters: Sendable, CustomStringConvertible {
    private static let secrets: Set<String> = ["password", "sslpassword"]

    package private(set) var pairs: [(keyword: String, value: String)]

    package init(_ pairs: [(keyword: String, value: String)]) { self.pairs = pairs }

    /// The parameters in a `postgresql://` URL.
    ///
    /// - Throws: a `PostgresError` of kind `misuse` with the cause from libpq; its text contains no password.
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

    /// libpq's message without the quoted parts of the URL, which may contain a password.
    private static func withoutQuotations(_ text: String) -> String {
        var parts = text.split(separator: "\n").joined(separator: " ").split(
            separator: "\"", omittingEmptySubsequences: false)
        for index in parts.indices where index % 2 == 1 && parts[index].utf8.count > 1 { parts[index] = "…" }
        return parts.joined(separator: "\"")
    }

    /// The value of a keyword; nil if it has none.
    package subscript(_ keyword: String) -> String? { pairs.last { $0.keyword == keyword }?.value }

    /// Sets the value of a keyword.
    package mutating func set(_ keyword: String, _ value: String) {
        pairs.removeAll { $0.keyword == keyword }
        pairs.append((keyword, value))
    }

    /// Removes the value of a keyword, so that libpq uses its environment variable or default.
    package mutating func remove(_ keyword: String) { pairs.removeAll { $0.keyword == keyword } }

    package var description: String {
        pairs.map { "\($0.keyword)=\(Self.secrets.contains($0.keyword) ? "***" : $0.value)" }.joined(separator: " ")
    }
}
