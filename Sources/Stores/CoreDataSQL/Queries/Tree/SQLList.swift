import CoreDataStore

/// Many values bound as one parameter, a JSON array: the SQL text does not depend on their number.
///
/// JSON has no bytes and no exact fractions, and SQLite ends JSON texts at NUL: such values are passed as hexadecimal
/// digits or as bit patterns, and an SQL function converts them back.
package struct SQLList: Sendable, Hashable {
    package enum Encoding: Sendable, Hashable {
        case integers
        /// The bit patterns of doubles.
        case reals
        case texts
        /// Texts that contain NUL, as hexadecimal digits of their bytes.
        case digitsOfTexts
        case digitsOfBlobs
    }

    package let encoding: Encoding
    package let json: String
    /// The JSON array of the values' beginnings, as indexes store them; nil if all values are short.
    private let startsJSON: String?

    init(encoding: Encoding, json: String, startsJSON: String? = nil) {
        self.encoding = encoding
        self.json = json
        self.startsJSON = startsJSON
    }

    /// The list of the values' beginnings; nil if it equals this list.
    var beginnings: SQLList? { startsJSON.map { SQLList(encoding: encoding, json: $0) } }

    /// Returns lists with the values, one for each encoding; NULL is omitted.
    static func lists(of values: [SQLParameter]) -> [SQLList] {
        let parts = texts(of: values)
        let starts = values.map(IndexedBeginning.beginning)
        let areShort = starts.allSatisfy { $0?.isShort ?? true }
        let beginnings = areShort ? [:] : texts(of: zip(values, starts).map { $1?.parameter ?? $0 })
        let order: [Encoding] = [.integers, .reals, .texts, .digitsOfTexts, .digitsOfBlobs]
        return order.compactMap { encoding in
            parts[encoding].map { SQLList(encoding: encoding, json: $0, startsJSON: beginnings[encoding]) }
        }
    }

    private static func texts(of values: [SQLParameter]) -> [Encoding: String] {
        var parts: [Encoding: String] = [:]
        for value in values {
            guard let (encoding, element) = element(for: value) else { continue }
            parts[encoding, default: ""] += (parts[encoding] == nil ? "[" : ",") + element
        }
        return parts.mapValues { $0 + "]" }
    }

    private static func element(for value: SQLParameter) -> (Encoding, String)? {
        switch value {
        case .null: nil
        case .integer(let integer): (.integers, String(integer))
        case .real(let real): (.reals, String(Int64(bitPattern: real.bitPattern)))
        case .text(let text) where text.utf8.contains(0): (.digitsOfTexts, "\"\(digits(text.utf8))\"")
        case .text(let text): (.texts, quoted(text))
        case .blob(let data): (.digitsOfBlobs, "\"\(digits(data))\"")
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func digits(_ bytes: some Swift.Collection<UInt8>) -> String {
        let digits: StaticString = "0123456789ABCDEF"
        return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            var count = 0
            for byte in bytes {
                buffer[count] = digits.utf8Start[Int(byte >> 4)]
                buffer[count + 1] = digits.utf8Start[Int(byte & 15)]
                count += 2
            }
            return count
        }
    }

    /// Decodes hexadecimal digits; nil for any other text.
    static func bytes(ofDigits text: String) -> Data? {
        guard text.utf8.count.isMultiple(of: 2) else { return nil }
        var data = Data(capacity: text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = value(ofDigit: character) else { return nil }
            if let first = high {
                data.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return data
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
