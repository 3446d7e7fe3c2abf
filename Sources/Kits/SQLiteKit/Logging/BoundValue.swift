import CSQLite

/// A value bound to a statement, read from the text that `sqlite3_expanded_sql` returns.
///
/// SQLite has no other function that returns bound values, and recording them separately would slow down every binding.
struct BoundValue: Equatable {
    /// The value as an SQL literal.
    let literal: String

    /// The type of the value, in parentheses.
    var kind: String {
        switch literal.utf8.first {
        case UInt8(ascii: "N") where literal == "NULL": "(null)"
        case UInt8(ascii: "'"): "(text)"
        case UInt8(ascii: "x"), UInt8(ascii: "z"): "(blob)"
        default: literal.utf8.allSatisfy(Self.isDigitOrSign) ? "(integer)" : "(real)"
        }
    }

    /// The value, shortened if it is long: texts in double quotes, blobs as hexadecimal digits.
    var text: String {
        switch kind {
        case "(null)": return "nil"
        case "(text)":
            let inner = literal.dropFirst().dropLast().split(separator: "''", omittingEmptySubsequences: false)
            return "\"" + Self.shortened(inner.joined(separator: "'")) + "\""
        case "(blob)" where literal.hasPrefix("x'"): return "<" + Self.shortened(literal.dropFirst(2).dropLast()) + ">"
        default: return literal
        }
    }

    private static let greatestLength = 1_000

    private static func shortened(_ text: some StringProtocol) -> String {
        text.count > greatestLength ? text.prefix(greatestLength) + "…" : String(text)
    }

    private static func isDigitOrSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10
    }

    /// The text with control characters escaped, so that a value cannot imitate a log line.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            result += isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension BoundValue {
    /// The values of a statement's parameters in the order of the text; nil if they cannot be determined.
    static func all(of handle: OpaquePointer) -> [BoundValue]? {
        guard sqlite3_bind_parameter_count(handle) > 0 else { return [] }
        guard let sql = sqlite3_sql(handle), let expanded = sqlite3_expanded_sql(handle) else { return nil }
        defer { sqlite3_free(expanded) }
        var reader = Reader(sql: bytes(of: sql), expanded: bytes(of: expanded))
        return reader.values()
    }

    /// The bytes of a C string without the terminator; they need not be valid UTF-8.
    private static func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
        var count = 0
        while text[count] != 0 { count += 1 }
        return UnsafeRawBufferPointer(start: text, count: count)
    }

    /// Reads a text and its expanded form in parallel; the two differ only at the parameters.
    private struct Reader {
        let sql: UnsafeRawBufferPointer
        let expanded: UnsafeRawBufferPointer
        private var place = 0
        private var expandedPlace = 0

        init(sql: UnsafeRawBufferPointer, expanded: UnsafeRawBufferPointer) {
            self.sql = sql
            self.expanded = expanded
        }

        mutating func values() -> [BoundValue]? {
            var values: [BoundValue] = []
            while place < sql.count {
                switch sql[place] {
                case UInt8(ascii: "?"):
                    place += 1
                    while place < sql.count, sql[place] &- UInt8(ascii: "0") < 10 { place += 1 }
                    guard let value = literal() else { return nil }
                    values.append(value)
                case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): guard copyQuoted() else { return nil }
                default: guard copy() else { return nil }
                }
            }
            return values
        }

        private mutating func copy() -> Bool {
            guard expandedPlace < expanded.count, sql[place] == expanded[expandedPlace] else { return false }
            place += 1
            expandedPlace += 1
            return true
        }

        private mutating func copyQuoted() -> Bool {
            let quote = sql[place]
            guard copy() else { return false }
            while place < sql.count, sql[place] != quote { guard copy() else { return false } }
            return place < sql.count && copy()
        }

        private mutating func literal() -> BoundValue? {
            let start = expandedPlace
            if peek == UInt8(ascii: "x") { expandedPlace += 1 }
            if peek == UInt8(ascii: "'") {
                guard skipQuoted() else { return nil }
            } else {
                while let byte = peek, Self.isPartOfWord(byte) { expandedPlace += 1 }
            }
            guard expandedPlace > start else { return nil }
            return BoundValue(literal: String(decoding: expanded[start..<expandedPlace], as: UTF8.self))
        }

        private var peek: UInt8? { expandedPlace < expanded.count ? expanded[expandedPlace] : nil }

        /// The characters of a number, of `NULL`, and of the name `zeroblob`.
        private static func isPartOfWord(_ byte: UInt8) -> Bool {
            byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
                || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")].contains(byte)
        }

        /// Skips a quoted text, in which each quote is doubled.
        private mutating func skipQuoted() -> Bool {
            repeat {
                expandedPlace += 1
                while let byte = peek, byte != UInt8(ascii: "'") { expandedPlace += 1 }
                guard peek != nil else { return false }
                expandedPlace += 1
            } while peek == UInt8(ascii: "'")
            return true
        }
    }
}
