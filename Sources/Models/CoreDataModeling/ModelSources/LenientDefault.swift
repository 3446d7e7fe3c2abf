import CoreDataFoundation

/// Converts texts of default values that do not fit the attribute's type.
///
/// Some models have such defaults, and Apple's tools accept them: `NO` for an integer became 0 in the compiled model,
/// `empy` for a UUID became nil. Numbers are read like `integerValue`, `doubleValue` and `boolValue` of `NSString`.
enum LenientDefault {
    /// Returns the number at the beginning of the text, or 0; an integer is limited to the range of its type.
    ///
    /// A Boolean is YES if that number is not 0, or if the text begins with Y or T in either case. Returns nil for
    /// types without numbers.
    static func value(of text: String, type: NSAttributeType) -> NSNumber? {
        let number = leadingNumber(in: text)
        return switch type {
        case .integer16AttributeType: NSNumber(value: integer(number, Int16.self))
        case .integer32AttributeType: NSNumber(value: integer(number, Int32.self))
        case .integer64AttributeType: NSNumber(value: integer(number, Int64.self))
        case .booleanAttributeType: NSNumber(value: (Double(number) ?? 0) != 0 || saysYes(text))
        case .doubleAttributeType: NSNumber(value: Double(number) ?? 0)
        case .floatAttributeType: NSNumber(value: Float(number) ?? 0)
        case .decimalAttributeType: NSDecimalNumber(decimal: AttributeSource.decimal(number) ?? 0)
        default: nil
        }
    }

    private static func integer<Number: FixedWidthInteger>(_ text: String, _: Number.Type) -> Number {
        if let number = Number(text) { return number }
        let whole = (Double(text) ?? 0).rounded(.towardZero)
        return Number(exactly: whole) ?? (whole < 0 ? .min : .max)
    }

    private static func saysYes(_ text: String) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }) else { return false }
        return "yYtT".contains(first)
    }

    /// The longest number in digits at the beginning of a text, after white space; empty if the text begins otherwise.
    private static func leadingNumber(in text: String) -> String {
        var rest = Substring(text).drop { $0.isWhitespace }
        var number = ""
        func takeSign() -> String { rest.first.map { "+-".contains($0) } == true ? String(rest.removeFirst()) : "" }
        func takeDigits() -> String {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            return String(digits)
        }
        let sign = takeSign()
        let whole = takeDigits()
        var fraction = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = takeDigits()
        }
        guard !(whole + fraction).isEmpty else { return "" }
        number = sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
        guard rest.first == "e" || rest.first == "E" else { return number }
        rest.removeFirst()
        let exponent = takeSign() + takeDigits()
        return Int(exponent) == nil ? number : number + "e" + exponent
    }
}
