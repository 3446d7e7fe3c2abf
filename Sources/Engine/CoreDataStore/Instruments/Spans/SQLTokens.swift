/// Splits an SQL text into names, literals and signs; comments are skipped, and literals have no values.
struct SQLTokens {
    enum Token: Equatable {
        /// A word, or a quoted name with its quotes and dots, as written in the text.
        case name(String, isQuoted: Bool)
        /// A number, a string, or a parameter.
        case literal
        /// Any other character.
        case sign(UInt8)
    }

    /// The length in bytes to which a text is cut, as in recordings.
    private static let longestText = 16 << 10

    private let bytes: [UInt8]
    private var place = 0

    init(_ sql: String) { bytes = Array(sql.utf8.prefix(Self.longestText)) }

    mutating func next() -> Token? {
        skipBlanks()
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        switch byte {
        case UInt8(ascii: "'"):
            skipQuoted(byte)
            return .literal
        case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["): return name()
        case UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "@"):
            place += 1
            skip(Self.isPartOfName)
            return .literal
        case _ where byte &- UInt8(ascii: "0") < 10:
            skip { Self.isPartOfName($0) || $0 == UInt8(ascii: ".") }
            return .literal
        case _ where Self.isPartOfName(byte): return name()
        default:
            place += 1
            return .sign(byte)
        }
    }

    /// Reads a name of one or more parts, separated by dots.
    private mutating func name() -> Token {
        let start = place
        var isQuoted = false
        while place < bytes.count {
            let byte = bytes[place]
            if [UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "[")].contains(byte) {
                isQuoted = true
                skipQuoted(byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte)
            } else {
                skip(Self.isPartOfName)
            }
            guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "."), Self.beginsName(bytes[place + 1]) else {
                break
            }
            isQuoted = true
            place += 1
        }
        return .name(String(decoding: bytes[start..<place], as: UTF8.self), isQuoted: isQuoted)
    }

    /// Skips quoted text, in which a doubled quote stands for one quote. Text without a closing quote extends to the
    /// end.
    private mutating func skipQuoted(_ quote: UInt8) {
        place += 1
        while place < bytes.count {
            place += 1
            guard bytes[place - 1] == quote else { continue }
            guard place < bytes.count, bytes[place] == quote else { return }
            place += 1
        }
    }

    private mutating func skip(_ isWanted: (UInt8) -> Bool) {
        while place < bytes.count, isWanted(bytes[place]) { place += 1 }
    }

    private mutating func skipBlanks() {
        while place < bytes.count {
            let byte = bytes[place]
            let following = place + 1 < bytes.count ? bytes[place + 1] : 0
            if byte <= UInt8(ascii: " ") {
                place += 1
            } else if byte == UInt8(ascii: "-"), following == UInt8(ascii: "-") {
                skip { $0 != UInt8(ascii: "\n") }
            } else if byte == UInt8(ascii: "/"), following == UInt8(ascii: "*") {
                place += 2
                while place < bytes.count, !(bytes[place - 1] == UInt8(ascii: "*") && bytes[place] == UInt8(ascii: "/"))
                {
                    place += 1
                }
                place = min(place + 1, bytes.count)
            } else {
                return
            }
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 || byte &- UInt8(ascii: "0") < 10
            || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        isPartOfName(byte) || [UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "[")].contains(byte)
    }
}
