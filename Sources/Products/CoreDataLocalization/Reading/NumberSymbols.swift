import Foundation

/// The digits and signs of numbers in a locale, found by formatting some.
struct NumberSymbols: Sendable {
    /// The values of the digits.
    let digits: [Unicode.Scalar: Int]
    let decimalSigns: Set<Unicode.Scalar>
    /// Empty where the locale has no groups.
    let groupSigns: Set<Unicode.Scalar>
    /// The lengths of the last group and of those before it: 3 and 2 in India.
    let (lastGroup, otherGroups): (Int, Int)

    static let minusSigns: Set<Unicode.Scalar> = ["-", "\u{2212}", "\u{FE63}", "\u{FF0D}", "\u{2010}", "\u{2011}"]
    static let plusSigns: Set<Unicode.Scalar> = ["+", "\u{FF0B}", "\u{FE62}"]
    static let percentSigns: Set<Unicode.Scalar> = ["%", "\u{066A}", "\u{FF05}", "\u{FE6A}"]

    init(locale: Locale) {
        let style = Decimal.FormatStyle(locale: locale)
        var digits: [Unicode.Scalar: Int] = [:]
        for digit in 0...9 {
            for scalar in Decimal(digit).formatted(style).unicodeScalars where scalar.properties.numericType == .decimal
            {
                digits[scalar] = digit
            }
        }
        self.digits = digits
        let signs = { (text: String) in text.unicodeScalars.filter { digits[$0] == nil && !TypedText.isMark($0) } }
        let fraction = Decimal(sign: .plus, exponent: -1, significand: 15).formatted(style)
        decimalSigns = Set(signs(fraction).prefix(1))
        let grouped = Decimal(1_234_567_890).formatted(style)
        groupSigns = Self.similar(to: signs(grouped).first)
        let groups = grouped.unicodeScalars.split { digits[$0] == nil }.map(\.count)
        lastGroup = groups.last ?? 3
        otherGroups = groups.count > 2 ? groups[groups.count - 2] : lastGroup
    }

    /// Signs that people type for a group sign that their keyboard does not have.
    private static func similar(to sign: Unicode.Scalar?) -> Set<Unicode.Scalar> {
        switch sign {
        case nil: []
        case let sign? where sign.properties.isWhitespace: [sign, " ", "\u{A0}", "\u{2009}", "\u{202F}"]
        case "\u{2019}"?, "'"?: ["\u{2019}", "'"]
        case let sign?: [sign]
        }
    }
}
