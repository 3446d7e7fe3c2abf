import CoreData
import SQLiteKit

/// Converts the text that a person enters for a parameter of a statement to the parameter's value.
///
/// | text | value |
/// |---|---|
/// | `12`, `-1.5e3` | a number |
/// | `'12'` | the text between the quotes, in which `''` is one of them |
/// | `x'00ff'` | bytes |
/// | `@null` | NULL |
/// | `@2024-02-29`, `@2024-02-29T12:00:00Z` | the seconds since 2001, as dates are stored |
/// | `@@…` | the text with one `@` |
/// | anything else | that text |
enum SQLParameterValue {
    /// The value of a text by the table above; nil for an invalid date after `@`, or invalid digits in `x'…'`.
    static func value(_ text: String) -> Value? {
        if text.hasPrefix("@@") { return .text(String(text.dropFirst())) }
        if text == "@null" { return .null }
        if text.hasPrefix("@") {
            return ISODate.date(String(text.dropFirst())).map { .real($0.timeIntervalSinceReferenceDate) }
        }
        if let inner = inner(text, after: "'") { return .text(inner.replacing("''", with: "'")) }
        if let digits = inner(text, after: "x'") ?? inner(text, after: "X'") { return bytes(digits).map(Value.blob) }
        return number(text) ?? .text(text)
    }

    /// The value of a text for the parameter with a name.
    ///
    /// - Throws: `SQLConsoleError` for an invalid text.
    static func required(_ text: String, for name: String) throws -> Value {
        if let value = value(text) { return value }
        throw SQLConsoleError(
            .badParameter, "'\(text)' is not a value for the parameter \(name)",
            hint: "a date is @2024-02-29, bytes are x'00ff', and @@ begins a text with one @")
    }

    private static func inner(_ text: String, after start: String) -> String? {
        guard text.hasPrefix(start), text.hasSuffix("'"), text.count > start.count else { return nil }
        return String(text.dropFirst(start.count).dropLast())
    }

    private static func number(_ text: String) -> Value? {
        if let integer = Int64(text) { return .integer(integer) }
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        guard isPlain, let real = Double(text), real.isFinite else { return nil }
        return .real(real)
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[place..<place + 2], as: UTF8.self)
            guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
