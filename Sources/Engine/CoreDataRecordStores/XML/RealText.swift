import CoreDataStore

/// Real numbers as texts that give back every bit.
enum RealText {
    /// The shortest text that gives the number; `bits:` and sixteen digits for what is not a number in an unusual way.
    static func text(_ value: Double) -> String {
        if value.isNaN, value.bitPattern != Double.nan.bitPattern {
            let digits = String(value.bitPattern, radix: 16)
            return "bits:" + String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "\(value)"
    }

    /// Seconds with the twenty decimals that Apple's framework gives them, where these give back the number.
    static func seconds(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e18 else { return text(value) }
        let decimals = String(format: "%.20f", value)
        return Double(decimals)?.bitPattern == value.bitPattern ? decimals : text(value)
    }

    /// The number of a text; nil for other texts.
    static func value(_ text: String) -> Double? {
        if text.hasPrefix("bits:") {
            let digits = text.dropFirst(5)
            guard digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit) else { return nil }
            return UInt64(digits, radix: 16).map(Double.init(bitPattern:))
        }
        return Double(text)
    }

    /// A decimal in the form of rows; nil for other texts.
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
