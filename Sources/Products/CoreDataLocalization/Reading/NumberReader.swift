import Foundation

/// Reads numbers as people of a locale write them: to the end of the text, without losing a digit.
///
/// `NumberFormatter` reads "12abc" as 12 and, in the United States, "1.234,5" as 1.234; here both are errors with their place. What
/// `FormatStyleTable` writes in the styles `none`, `decimal` and `percent` is read back. Where the locale has digits of its own, those of
/// ASCII are read too, with the signs that go with them; so are Arabic digits in every region of Arabic.
public struct NumberReader: Sendable {
    /// The greatest number of significant digits, which `Decimal` keeps exactly.
    public static let mostDigits = 38

    private let symbols: [NumberSymbols]

    /// A reader for a locale.
    public init(locale: Locale) {
        let own = NumberSymbols(locale: locale.checked(calendar: nil))
        // Readers of Arabic write Arabic digits also where their region prints those of ASCII.
        let isArabic = locale.language.languageCode?.identifier == "ar"
        let other = own.digits["1"] == nil ? "latn" : isArabic ? "arab" : nil
        symbols = [own] + [other].compactMap { $0 }.map { NumberSymbols(locale: Self.locale(locale, digits: $0)) }
    }

    private static func locale(_ locale: Locale, digits: String) -> Locale {
        var parts = Locale.Components(locale: locale)
        parts.numberingSystem = Locale.NumberingSystem(digits)
        return Locale(components: parts)
    }

    /// The number that a text is.
    ///
    /// - Throws: `ReadingError`: for groups that are not the locale's, for anything that is not part of the number, and for more than
    ///   38 significant digits.
    public func decimal(_ text: String) throws -> Decimal { try number(text, isPercent: false).decimal }

    /// The number that a text in hundredths is, with or without a percent sign: 0.25 for "25 %".
    ///
    /// - Throws: `ReadingError`, as `decimal(_:)`.
    public func percent(_ text: String) throws -> Decimal { try number(text, isPercent: true).decimal }

    /// The integer that a text is.
    ///
    /// - Throws: `ReadingError`, as `decimal(_:)`, also for a fraction and for an integer beyond 64 bits.
    public func integer(_ text: String) throws -> Int64 {
        let number = try number(text, isPercent: false)
        return try number.integer { Int64($0) }
    }

    /// The integer that a text is, without a sign of its own but `+`.
    ///
    /// - Throws: `ReadingError`, as `integer(_:)`, also for a negative integer.
    public func unsigned(_ text: String) throws -> UInt64 {
        let number = try number(text, isPercent: false)
        return try number.integer { $0 == "-0" ? 0 : UInt64($0) }
    }

    private func number(_ text: String, isPercent: Bool) throws -> ReadNumber {
        let typed = try TypedText(text)
        let found = symbols.first { set in text.unicodeScalars.contains { set.digits[$0] != nil } }
        guard let set = found ?? symbols.first else { throw ReadingError(.empty, at: 0, "The text is empty.") }
        var scan = NumberScan(text: typed, symbols: set, isPercent: isPercent)
        return try scan.number()
    }
}

/// A number in digits of ASCII.
struct ReadNumber {
    let isNegative: Bool
    let integer: String
    let fraction: String
    /// How many places the point is moved to the left.
    let shift: Int
    /// Where the first digit and the decimal sign stand.
    let (start, decimalPlace): (Int, Int)

    var decimal: Decimal {
        get throws {
            let part = String(fraction.reversed().drop { $0 == "0" }.reversed())
            let digits = String((integer + part).drop { $0 == "0" })
            guard digits.count <= NumberReader.mostDigits, part.count + shift <= 120 else {
                throw ReadingError(
                    .outOfRange, at: start, "The number has more than \(NumberReader.mostDigits) significant digits.")
            }
            guard !digits.isEmpty else { return 0 }
            guard let significand = Decimal(string: digits, locale: Locale(identifier: "")) else {
                throw ReadingError(.outOfRange, at: start, "The number is out of range.")
            }
            return Decimal(
                sign: isNegative ? .minus : .plus, exponent: -part.count - shift, significand: significand)
        }
    }

    /// The integer, by what reads its digits.
    func integer<Number>(_ read: (String) -> Number?) throws -> Number {
        guard fraction.isEmpty else { throw ReadingError(.fraction, at: decimalPlace, "An integer is expected.") }
        guard let number = read((isNegative ? "-" : "") + integer) else {
            throw ReadingError(.outOfRange, at: start, "The integer is out of range.")
        }
        return number
    }
}

/// One pass over a typed number.
private struct NumberScan {
    var text: TypedText
    let symbols: NumberSymbols
    let isPercent: Bool

    mutating func number() throws -> ReadNumber {
        // Some languages write the percent sign first, before the minus sign or after it.
        var hadSign = takePercent()
        let isNegative = takeSign()
        text.skipSpace()
        if !hadSign { hadSign = takePercent() }
        let start = text.offset
        let integer = try integer()
        let decimalPlace = text.offset
        let fraction = try fraction(needsDigits: integer.isEmpty)
        text.skipSpace()
        if !hadSign { _ = takePercent() }
        guard text.isAtEnd else { throw unexpected() }
        return ReadNumber(
            isNegative: isNegative, integer: integer.isEmpty ? "0" : integer, fraction: fraction,
            shift: isPercent ? 2 : 0, start: start, decimalPlace: decimalPlace)
    }

    private mutating func takePercent() -> Bool {
        guard isPercent, let next = text.next, NumberSymbols.percentSigns.contains(next) else { return false }
        text.advance()
        text.skipSpace()
        return true
    }

    private mutating func takeSign() -> Bool {
        guard let next = text.next else { return false }
        let isMinus = NumberSymbols.minusSigns.contains(next)
        if isMinus || NumberSymbols.plusSigns.contains(next) { text.advance() }
        return isMinus
    }

    /// The digits before the decimal sign, whose groups must have the locale's lengths.
    private mutating func integer() throws -> String {
        var groups: [(digits: String, offset: Int)] = [("", text.offset)]
        var sign: Unicode.Scalar?
        while let next = text.next {
            if let digit = symbols.digits[next] {
                groups[groups.count - 1].digits += String(digit)
                text.advance()
                continue
            }
            guard symbols.groupSigns.contains(next), isDigitNext else { break }
            guard sign == nil || sign == next, !groups[groups.count - 1].digits.isEmpty else { throw unexpected() }
            sign = next
            text.advance()
            groups.append(("", text.offset))
        }
        guard groups.count > 1 else { return groups[0].digits }
        for (place, group) in groups.enumerated() {
            let wanted = place == groups.count - 1 ? symbols.lastGroup : symbols.otherGroups
            let isRight = place == 0 ? (1...wanted).contains(group.digits.count) : group.digits.count == wanted
            guard isRight else {
                throw ReadingError(
                    .grouping, at: group.offset, "A group of \(wanted) digits is expected here, or no groups at all.")
            }
        }
        return groups.map(\.digits).joined()
    }

    /// Whether a digit stands after the next scalar; a blank may also stand at the end, before a percent sign.
    private var isDigitNext: Bool {
        var ahead = text
        ahead.advance()
        return ahead.next.map { symbols.digits[$0] != nil } ?? false
    }

    private mutating func fraction(needsDigits: Bool) throws -> String {
        guard let next = text.next, symbols.decimalSigns.contains(next) else {
            if needsDigits { throw unexpected() }
            return ""
        }
        text.advance()
        var digits = ""
        while let next = text.next, let digit = symbols.digits[next] {
            digits += String(digit)
            text.advance()
        }
        guard !digits.isEmpty else { throw unexpected() }
        return digits
    }

    private func unexpected() -> ReadingError {
        let what = text.isAtEnd ? "A digit is expected at the end." : "This is not part of a number in the locale."
        return ReadingError(.unexpected, at: text.offset, what)
    }
}
