import CoreData

extension ByteText {
    /// Appends a field of CSV (RFC 4180), in quotes if it needs them; invalid UTF-8 becomes U+FFFD.
    package mutating func append(field bytes: UnsafeRawBufferPointer) {
        var all: UInt8 = 0
        var needsQuotes = bytes.isEmpty || bytes.first == UInt8(ascii: " ") || bytes.last == UInt8(ascii: " ")
        for byte in bytes {
            all |= byte
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): needsQuotes = true
            default: continue
            }
        }
        guard all < 0x80 else { return append(field: String(decoding: bytes, as: UTF8.self), isQuoted: needsQuotes) }
        append(fieldOfText: bytes, isQuoted: needsQuotes)
    }

    private mutating func append(field text: String, isQuoted: Bool) {
        var text = text
        text.withUTF8 { append(fieldOfText: UnsafeRawBufferPointer($0), isQuoted: isQuoted) }
    }

    private mutating func append(fieldOfText bytes: UnsafeRawBufferPointer, isQuoted: Bool) {
        guard isQuoted else { return append(bytes) }
        append(UInt8(ascii: "\""))
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
    ///
    /// Control characters and characters that change the direction of text are escaped, so that the text is safe on a
    /// terminal.
    package mutating func append(quoted bytes: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        defer { append(UInt8(ascii: "\"")) }
        guard let special = bytes.firstIndex(where: Self.isSpecial) else { return append(bytes) }
        guard bytes[special...].allSatisfy({ $0 < 0x80 }) else {
            var text = String(decoding: bytes, as: UTF8.self)
            return text.withUTF8 { append(escaping: UnsafeRawBufferPointer($0)) }
        }
        append(escaping: bytes)
    }

    /// Appends a JSON string with its quotes.
    package mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always) private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Appends valid UTF-8 and escapes what needs it; the bytes between escapes are copied in one piece.
    private mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        var copied = 0
        var place = 0
        while place < bytes.count {
            guard Self.isSpecial(bytes[place]) else {
                place += 1
                continue
            }
            let (scalar, length) = Self.scalar(bytes, at: place)
            let isPlain = scalar.value >= 0x80 && !PrintableText.needsEscape(scalar)
            if !isPlain {
                append(UnsafeRawBufferPointer(rebasing: bytes[copied..<place]))
                append(escape: scalar)
                copied = place + length
            }
            place += length
        }
        append(UnsafeRawBufferPointer(rebasing: bytes[copied...]))
    }

    /// The scalar that begins at an index of valid UTF-8, and its length in bytes.
    private static func scalar(_ bytes: UnsafeRawBufferPointer, at place: Int) -> (Unicode.Scalar, Int) {
        let first = UInt32(bytes[place])
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = length == 1 ? first : first & (0x7F >> UInt32(length))
        for byte in bytes[place..<min(place + length, bytes.count)].dropFirst() {
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    private mutating func append(escape scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        default:
            append("\\u")
            let digits = String(scalar.value, radix: 16)
            for _ in digits.utf8.count..<max(4, digits.utf8.count) { append(UInt8(ascii: "0")) }
            append(digits)
        }
    }

    /// Adds bytes in base64.
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place + 3 <= bytes.count {
            appendBase64(UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]), 4)
            place += 3
        }
        guard place < bytes.count else { return }
        let isPair = place + 2 == bytes.count
        appendBase64(UInt32(bytes[place]) << 16 | (isPair ? UInt32(bytes[place + 1]) << 8 : 0), isPair ? 3 : 2)
        for _ in (isPair ? 3 : 2)..<4 { append(UInt8(ascii: "=")) }
    }

    private mutating func appendBase64(_ bits: UInt32, _ digits: Int) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for digit in 0..<digits { append(alphabet.utf8Start[Int(bits >> (18 - 6 * UInt32(digit)) & 63)]) }
    }

    /// Appends sixteen bytes in the format of a UUID.
    package mutating func append(uuid bytes: UnsafeRawBufferPointer) {
        let digits: StaticString = "0123456789ABCDEF"
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { append(UInt8(ascii: "-")) }
            append(digits.utf8Start[Int(byte >> 4)])
            append(digits.utf8Start[Int(byte & 15)])
        }
    }
}
