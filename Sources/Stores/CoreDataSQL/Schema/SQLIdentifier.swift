/// Names of tables, columns, indexes and triggers as they stand in SQL.
package enum SQLIdentifier {
    /// The name, in double quotes where its characters call for them.
    ///
    /// Names that the schema makes begin with Z or A and are never keywords, so plain ones stay bare as in Apple's stores.
    package static func quoted(_ name: String) -> String {
        isPlain(name) ? name : alwaysQuoted(name)
    }

    /// The name in double quotes, where letters are to stay as they are.
    package static func alwaysQuoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Text as an SQL literal; for names of the model only, as values are always bound.
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
