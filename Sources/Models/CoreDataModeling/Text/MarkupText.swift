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

    /// The character that a reference stands for, given the text between `&` and `;`; nil for an unknown reference.
    static func character(ofReference name: Substring.UTF8View) -> Unicode.Scalar? {
        guard name.first == UInt8(ascii: "#") else { return predefined[String(Substring(name))] }
        let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
        let digits = Substring(name.dropFirst(isHexadecimal ? 2 : 1))
        // An integer's initialiser would also accept a sign.
        guard digits.utf8.first.map(isDigit) == true || isHexadecimal && digits.first?.isHexDigit == true,
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value),
            isAllowed(scalar)
        else { return nil }
        return scalar
    }

    private static let predefined: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether no byte begins a reference or is a control character, so that the text is the same when decoded.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.baseAddress else { return true }
        var place = 0
        while place < bytes.count {
            guard first[place] >= 0x20, first[place] != UInt8(ascii: "&") else { return false }
            place += 1
        }
        return true
    }

    /// The value of an attribute from its raw text: references resolved, line breaks and tabs as blanks.
    package static func decoded(_ raw: String) -> String {
        if raw.utf8.withContiguousStorageIfAvailable(isPlain) == true { return raw }
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
