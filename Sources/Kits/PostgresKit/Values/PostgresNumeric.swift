/// Converts between the binary format of the type `numeric` and decimal texts.
///
/// The format: four 16-bit numbers (the number of base-10,000 digits, the weight of the first one, the sign, the number
/// of decimal digits after the point), then the digits. Source: `numeric_send` and `numeric_recv` in PostgreSQL 15.
package enum PostgresNumeric {
    private static let negative: UInt16 = 0x4000
    private static let notANumber: UInt16 = 0xC000
    private static let positiveInfinity: UInt16 = 0xD000
    private static let negativeInfinity: UInt16 = 0xF000
    /// More decimal digits than any decimal of Core Data has; limits the size of the text of a malformed value.
    private static let mostDigits = 1_000

    /// The text of a value as the server writes it; nil for bytes of another format.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { return nil }
        func word(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        let (count, weight, sign, scale) = (Int(word(0)), Int(Int16(bitPattern: word(1))), word(2), Int(word(3)))
        switch sign {
        case notANumber: return "NaN"
        case positiveInfinity: return "Infinity"
        case negativeInfinity: return "-Infinity"
        case 0, negative: break
        default: return nil
        }
        guard bytes.count == 8 + count * 2, weight < mostDigits / 4, scale <= mostDigits else { return nil }
        func digit(_ index: Int) -> Int { index >= 0 && index < count ? Int(word(4 + index)) : 0 }
        guard (0..<count).allSatisfy({ digit($0) < 10_000 }) else { return nil }
        var text = sign == negative ? "-" : ""
        text += weight < 0 ? "0" : whole((0...weight).map(digit))
        guard scale > 0 else { return text }
        var fraction = ""
        var index = weight + 1
        while fraction.utf8.count < scale {
            fraction += padded(digit(index))
            index += 1
        }
        return text + "." + fraction.prefix(scale)
    }

    private static func whole(_ digits: [Int]) -> String {
        let text = digits.map(padded).joined()
        let significant = text.drop { $0 == "0" }
        return significant.isEmpty ? "0" : String(significant)
    }

    private static func padded(_ digit: Int) -> String {
        let text = String(digit)
        return String(repeating: "0", count: 4 - text.utf8.count) + text
    }

    /// The binary format of a decimal text: an optional sign, digits with at most one point, and an optional exponent.
    ///
    /// - Throws: a `PostgresError` of kind `misuse` for any other text.
    package static func bytes(of text: String) throws(PostgresError) -> [UInt8] {
        if text == "NaN" { return words([0, 0, notANumber, 0]) }
        guard let number = DecimalDigits(text), number.digits.count <= mostDigits,
            number.exponent.magnitude <= mostDigits
        else {
            throw PostgresError(.misuse, "a decimal has not the form of one", attempt: "send a decimal")
        }
        // Appends zeros until the exponent is a multiple of 4, so that the point is between two base-10,000 digits.
        var digits = number.digits
        var exponent = number.exponent
        let scale = max(0, -exponent)
        let shift = ((exponent % 4) + 4) % 4
        digits += [UInt8](repeating: 0, count: shift)
        exponent -= shift
        digits = [UInt8](repeating: 0, count: (4 - digits.count % 4) % 4) + digits
        var groups = stride(from: 0, to: digits.count, by: 4).map { start in
            digits[start..<start + 4].reduce(UInt16(0)) { $0 * 10 + UInt16($1) }
        }
        var weight = groups.count - 1 + exponent / 4
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        if groups.isEmpty { weight = 0 }
        let sign = number.isNegative && !groups.isEmpty ? negative : 0
        return words(
            [UInt16(groups.count), UInt16(bitPattern: Int16(clamping: weight)), sign, UInt16(clamping: scale)] + groups)
    }

    private static func words(_ words: [UInt16]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}

/// A parsed decimal: `digits` as an integer, times ten to the power of `exponent`.
private struct DecimalDigits {
    private(set) var isNegative = false
    private(set) var digits: [UInt8] = []
    private(set) var exponent = 0

    init?(_ text: String) {
        var rest = Substring(text)
        if let sign = rest.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            rest = rest.dropFirst()
        }
        if let mark = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let power = Int(rest[rest.index(after: mark)...]), power.magnitude < 10_000 else { return nil }
            exponent = power
            rest = rest[..<mark]
        }
        var hasPoint = false
        for character in rest.utf8 {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits.append(character - UInt8(ascii: "0"))
                if hasPoint { exponent -= 1 }
            case UInt8(ascii: ".") where !hasPoint: hasPoint = true
            default: return nil
            }
        }
        if digits.isEmpty { return nil }
    }
}
