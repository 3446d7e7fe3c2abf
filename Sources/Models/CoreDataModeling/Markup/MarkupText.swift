/// The text of XML: the allowed characters, and escapes for the others.
package enum MarkupText {
    /// Whether a character may occur in an XML document at all.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Whether a text can be written as the value of an attribute.
    static func isAllowed(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isAllowed) }

    static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isNameStart(byte)
        }
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isNameStart(first) else { return false }
        return text.utf8.allSatisfy(isNamePart)
    }

    package static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0xA || byte == 0x9 || byte == 0xD
    }

    /// The largest size of a reference with its `&` and `;`, in bytes; a longer one is refused.
    static let greatestReference = 18

    /// The character of a reference, given the text between `&` and `;`; nil for an unknown reference.
    static func character(ofReference name: some BidirectionalCollection<UInt8>) -> Unicode.Scalar? {
        guard name.first == UInt8(ascii: "#") else {
            return predefined.first { $0.name.utf8.elementsEqual(name) }?.character
        }
        let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
        let digits = String(decoding: name.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
        // The initializer of an integer would also accept a sign.
        guard digits.first?.isHexDigit == true, let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(value), isAllowed(scalar)
        else { return nil }
        return scalar
    }

    private static let predefined: [(name: String, character: Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
    ]

    /// The text with its references resolved; unknown references are left out.
    static func resolved(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var rest = raw
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += rest[..<start]
            let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            if let scalar = character(ofReference: rest[(start + 1)..<end]), let bytes = UTF8.encode(scalar) {
                text += bytes
            }
            rest = rest[end...].dropFirst()
        }
        return text + rest
    }

    /// The value of an attribute from its raw text: references are resolved; line breaks and tabs become spaces.
    static func decoded(_ raw: String) -> String {
        guard raw.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 < 0x20 }) else { return raw }
        var value = ""
        var rest = raw[...].unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "&":
                let name = rest.prefix { $0 != ";" }
                guard let character = character(ofReference: Substring(name).utf8) else { continue }
                value.unicodeScalars.append(character)
                rest = rest[name.endIndex...].dropFirst()
            case "\r":
                if rest.first == "\n" { rest = rest.dropFirst() }
                value.append(" ")
            case "\n", "\t": value.append(" ")
            default: value.unicodeScalars.append(scalar)
            }
        }
        return value
    }

    /// The escaped text between two tags, as property lists have it: unlike in an attribute `>` is escaped and quotes
    /// are not.
    package static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// The raw text of a value between quotes of the given kind, as Xcode writes it.
    static func encoded(_ value: String, quote: Unicode.Scalar = "\"") -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || "&<'\"".utf8.contains($0) }) else { return value }
        var raw = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": raw += "&amp;"
            case "<": raw += "&lt;"
            case "\"" where quote == "\"": raw += "&quot;"
            case "'" where quote == "'": raw += "&apos;"
            case "\n", "\r", "\t": raw += "&#\(scalar.value);"
            default: raw.unicodeScalars.append(scalar)
            }
        }
        return raw
    }
}
