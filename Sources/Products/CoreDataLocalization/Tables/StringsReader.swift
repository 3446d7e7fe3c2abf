/// Reads property lists in the old style as `.strings` files have them.
///
/// Grammar: `"key" = "text";` or `key;`, whose text is the key; braces around all of it may be there. Comments are `/* … */` and
/// `// …`. Texts in quotes have the escapes `\n \r \t \a \b \f \v \0 \" \' \\`, `\U0041` (four digits of UTF-16) and octal ones. Source:
/// Foundation's reader (CFOldStylePList.c), which is followed where it is stricter than the documents.
struct StringsReader {
    private var cursor: TableCursor
    private var comment: String?

    static func entries(_ text: String) throws -> [StringsFile.Entry] {
        var reader = StringsReader(cursor: TableCursor(text))
        return try reader.entries()
    }

    private init(cursor: TableCursor) { self.cursor = cursor }

    private mutating func entries() throws -> [StringsFile.Entry] {
        var entries: [StringsFile.Entry] = []
        try skip()
        let open = cursor.place
        let isInBraces = cursor.take("{")
        // Lines are counted along, since counting from the start for each entry would be quadratic.
        var (line, counted) = (1, 0)
        while true {
            try skip()
            if isInBraces, cursor.take("}") {
                try skip()
                guard cursor.isAtEnd else { throw cursor.error("There is something after the closing '}'. Remove it.") }
                return entries
            }
            guard !cursor.isAtEnd else {
                guard isInBraces else { return entries }
                throw cursor.error(at: open, "The '{' is not closed. Add '}' at the end.")
            }
            let start = cursor.place
            line += cursor.lines(from: counted, to: start)
            counted = start
            let note = comment
            comment = nil
            let key = try word("a key")
            try skip()
            var text = key
            if cursor.take("=") {
                try skip()
                text = try word("a text")
                try skip()
            }
            guard cursor.take(";") else {
                throw cursor.error("';' is missing after the text of \(StringTableError.shown(key)).")
            }
            var entry = StringsFile.Entry(key, text, comment: note)
            entry.line = line
            entries.append(entry)
        }
    }

    /// Skips white space and comments; keeps the last comment.
    private mutating func skip() throws {
        while let next = cursor.next {
            if next.isSpace || next == "\u{FEFF}" {
                cursor.advance()
            } else if next == "/", cursor.second == "/" {
                cursor.advance(by: 2)
                comment = trimmed(cursor.take { $0 != "\n" && $0 != "\r" && $0 != "\u{2028}" && $0 != "\u{2029}" })
            } else if next == "/", cursor.second == "*" {
                let start = cursor.place
                cursor.advance(by: 2)
                guard let text = cursor.take(through: "*/") else {
                    throw cursor.error(at: start, "The comment is not closed. Add '*/'.")
                }
                comment = trimmed(text)
            } else {
                return
            }
        }
    }

    private func trimmed(_ text: String) -> String {
        let inner = text.drop { $0.isWhitespace }
        return String(inner.reversed().drop { $0.isWhitespace }.reversed())
    }

    private mutating func word(_ what: String) throws -> String {
        if let quote = cursor.next, quote == "\"" || quote == "'" { return try quoted(quote) }
        let start = cursor.place
        let word = cursor.take { $0.isBareWord }
        guard word.isEmpty else { return word }
        if cursor.isAtEnd { throw cursor.error(at: start, "The file ends where \(what) is expected.") }
        throw cursor.error(at: start, "\(what.prefix(1).uppercased() + what.dropFirst()) in quotes is expected here.")
    }

    private mutating func quoted(_ quote: Unicode.Scalar) throws -> String {
        let start = cursor.place
        cursor.advance()
        var units: [UInt16] = []
        while let next = cursor.take() {
            if next == quote {
                guard let text = String(validating: units, as: UTF16.self) else {
                    throw cursor.error(
                        at: start, "The text has half of a surrogate pair in a \\U escape.", code: .encoding)
                }
                return text
            }
            if next == "\\" {
                units.append(try escape())
            } else {
                units.append(contentsOf: UTF16.encode(next).map(Array.init) ?? [])
            }
        }
        throw cursor.error(at: start, "The quotes that begin here are not closed.")
    }

    /// The unit of UTF-16 that an escape stands for.
    private mutating func escape() throws -> UInt16 {
        let start = cursor.place - 1
        guard let letter = cursor.take() else { throw cursor.error(at: start, "The file ends within an escape.") }
        switch letter {
        case "a": return 7
        case "b": return 8
        case "f": return 12
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "v": return 11
        case "U", "u": return try number(radix: 16, atMost: 4, start)
        case "0"..."7":
            cursor.advance(by: -1)
            return try number(radix: 8, atMost: 3, start)
        default:
            guard letter.value <= 0xFFFF else { throw cursor.error(at: start, "There is no such escape.") }
            return UInt16(letter.value)
        }
    }

    private mutating func number(radix: UInt16, atMost most: Int, _ start: Int) throws -> UInt16 {
        var (number, count): (UInt16, Int) = (0, 0)
        while count < most, let next = cursor.next, let digit = next.digit, digit < radix {
            number = number &* radix &+ digit
            count += 1
            cursor.advance()
        }
        guard count > 0 else { throw cursor.error(at: start, "Hexadecimal digits are missing after \\U.") }
        return number
    }
}

extension TableCursor {
    /// The number of line ends between two places.
    fileprivate func lines(from start: Int, to end: Int) -> Int { count(of: "\n", from: start, to: end) }
}

extension Unicode.Scalar {
    /// Whether words without quotes have it.
    fileprivate var isBareWord: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "/", ":", ".", "-": true
        default: false
        }
    }

    /// The value of a digit in base 16.
    fileprivate var digit: UInt16? {
        switch self {
        case "0"..."9": UInt16(value - 48)
        case "a"..."f": UInt16(value - 87)
        case "A"..."F": UInt16(value - 55)
        default: nil
        }
    }
}
