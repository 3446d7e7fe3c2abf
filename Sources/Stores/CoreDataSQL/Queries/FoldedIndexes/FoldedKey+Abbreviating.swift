extension FoldedKey {
    private static let head = "CASE WHEN pg_catalog.octet_length("

    /// Returns a query for display, with `folded(column)` in place of each folded key, whose letter tables take 4 kB,
    /// and the columns of these keys.
    static func abbreviated(_ sql: String) -> (sql: String, columns: [String]) {
        var (text, rest, columns) = ("", Substring(sql), [String]())
        while let place = rest.range(of: head) {
            text += rest[..<place.lowerBound]
            rest = rest[place.lowerBound...]
            let column = String(rest[place.upperBound...].prefix { $0 != ")" })
            let key = self.sql(of: column)
            if rest.hasPrefix(key) {
                text += short(column)
                rest = rest.dropFirst(key.count)
                if !columns.contains(column) { columns.append(column) }
            } else {
                text += head
                rest = rest[place.upperBound...]
            }
        }
        return (text + rest, columns)
    }

    /// The short text for the folded key of a column.
    static func short(_ column: String) -> String { "folded(\(column))" }

    /// Returns a condition from the server's plan, with a short text in place of each folded key.
    package static func abbreviated(condition: String) -> String {
        var (text, rest) = ("", Substring(condition))
        while let start = rest.range(of: "CASE WHEN (octet_length("),
            let end = rest[start.upperBound...].range(of: "END")
        {
            let key = rest[start.lowerBound..<end.upperBound]
            guard key.contains("regexp_replace(") else {
                text += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            text += rest[..<start.lowerBound] + short(String(rest[start.upperBound...].prefix { $0 != ")" }))
            rest = rest[end.upperBound...]
        }
        return text + rest
    }
}
