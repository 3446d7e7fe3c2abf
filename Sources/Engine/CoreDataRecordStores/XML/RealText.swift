import CoreDataStore

/// Texts of real numbers from which every bit of the number can be restored.
enum RealText {
    /// The shortest text that represents the number exactly; for a NaN with other bits than `Double.nan`, `bits:` and
    /// 16 hexadecimal digits.
    static func text(_ value: Double) -> String {
        if value.isNaN, value.bitPattern != Double.nan.bitPattern {
            let digits = String(value.bitPattern, radix: 16)
            return "bits:" + String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "\(value)"
    }

    /// Seconds with 20 decimals, as Apple's framework writes them, if that text represents the number exactly;
    /// otherwise as `text(_:)`.
    static func seconds(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e18 else { return text(value) }
        let decimals = String(format: "%.20f", value)
        return Double(decimals)?.bitPattern == value.bitPattern ? decimals : text(value)
    }

    /// Parses a text that this type writes, or any other real number; nil for other texts.
    static func value(_ text: String) -> Double? {
        if text.hasPrefix("bits:") {
            let digits = text.dropFirst(5)
            guard digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit) else { return nil }
            return UInt64(digits, radix: 16).map(Double.init(bitPattern:))
        }
        return Double(text)
    }

    /// Parses a decimal and returns its text in the form of rows; nil for other texts.
    static func decimal(_ text: String) -> String? {
        if text == NSDecimalNumber.notANumber.stringValue { return text }
        var rest = Substring(text)
        if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.contains(where: \.isNumber), digits.filter({ $0 == "." }).count <= 1 else { return nil }
        rest = rest.dropFirst(digits.count)
        if !rest.isEmpty {
            guard rest.first == "e" || rest.first == "E", let power = Int(rest.dropFirst()), abs(power) < 200 else {
                return nil
            }
        }
        guard text.utf8.count <= 400, let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else {
            return nil
        }
        return NSDecimalNumber(decimal: value).stringValue
    }
}
