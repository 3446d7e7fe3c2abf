import Foundation

/// The text of one value for one specifier in a locale.
struct SpecifierText {
    let locale: Locale

    /// The text of a value; `width` and `precision` are those of the specifier, or of the arguments that give them.
    func text(
        _ argument: TextArgument, _ specifier: FormatString.Specifier, width: Int?, precision: Int?
    ) -> String {
        let plain: String
        switch argument {
        case .text(let value):
            plain = precision.map { "@sS".contains(specifier.conversion) ? String(value.prefix($0)) : value } ?? value
        case .integer(let value): plain = integer(Decimal(value), value, specifier, precision)
        case .unsigned(let value): plain = integer(Decimal(value), Int64(bitPattern: value), specifier, precision)
        case .number(let value): plain = number(value, specifier, precision)
        case .double(let value): plain = double(value, specifier, precision)
        }
        let signed = specifier.flags.contains("+") && argument.isNotNegative ? "+" + plain : plain
        return padded(signed, specifier, to: min(width ?? 0, FormatString.largest))
    }

    private func integer(
        _ value: Decimal, _ bits: Int64, _ specifier: FormatString.Specifier, _ precision: Int?
    ) -> String {
        switch specifier.conversion {
        case "x": String(UInt64(bitPattern: bits), radix: 16)
        case "X": String(UInt64(bitPattern: bits), radix: 16, uppercase: true)
        case "o", "O": String(UInt64(bitPattern: bits), radix: 8)
        case "p": "0x" + String(UInt64(bitPattern: bits), radix: 16)
        case "c", "C": UInt32(exactly: bits).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "\u{FFFD}"
        case "d", "D", "i", "u", "U", "@", "s", "S": value.formatted(decimals(0...0))
        default: number(value, specifier, precision)
        }
    }

    private func number(_ value: Decimal, _ specifier: FormatString.Specifier, _ precision: Int?) -> String {
        guard value.isFinite else { return "NaN" }
        let digits = min(precision ?? 6, 100)
        return switch specifier.conversion {
        case "f", "F": value.formatted(decimals(digits...digits))
        case "e", "E":
            value.formatted(
                Decimal.FormatStyle(locale: locale).precision(.fractionLength(digits)).notation(.scientific))
        case "g", "G":
            value.formatted(Decimal.FormatStyle(locale: locale).precision(.significantDigits(1...max(1, digits))))
        default: value.formatted(decimals(0...(precision.map { min($0, 100) } ?? 38)))
        }
    }

    private func double(_ value: Double, _ specifier: FormatString.Specifier, _ precision: Int?) -> String {
        if value.isFinite, let exact = Decimal(string: "\(value)", locale: Locale(identifier: "")) {
            return number(exact, specifier, precision)
        }
        return value.formatted(FloatingPointFormatStyle<Double>(locale: locale))
    }

    private func decimals(_ digits: ClosedRange<Int>) -> Decimal.FormatStyle {
        Decimal.FormatStyle(locale: locale).precision(.fractionLength(digits))
    }

    private func padded(_ text: String, _ specifier: FormatString.Specifier, to width: Int) -> String {
        let missing = width - text.count
        guard missing > 0 else { return text }
        if specifier.flags.contains("-") { return text + String(repeating: " ", count: missing) }
        guard specifier.flags.contains("0"), text.allSatisfy({ $0.isHexDigit }) else {
            return String(repeating: " ", count: missing) + text
        }
        return String(repeating: "0", count: missing) + text
    }
}

extension TextArgument {
    /// Whether the value is a number that is not negative.
    fileprivate var isNotNegative: Bool {
        switch self {
        case .text: false
        case .integer(let value): value >= 0
        case .unsigned: true
        case .number(let value): value >= 0
        case .double(let value): value >= 0
        }
    }
}
