/// Quotes the names of tables, columns, indexes and triggers for SQL.
package enum SQLIdentifier {
    /// Returns the name, in double quotes if its characters require them.
    ///
    /// Names made by the schema begin with Z or A and are never keywords, so plain ones stay unquoted as in Apple's
    /// stores.
    package static func quoted(_ name: String) -> String {
        isPlain(name) ? name : alwaysQuoted(name)
    }

    /// Returns the name in double quotes, which preserve its letter case in PostgreSQL.
    package static func alwaysQuoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Returns text as an SQL literal; only for names of the model, as values are always bound.
    static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
                true
            default: false
            }
        }
    }
}
