import Foundation

/// The texts of numbers, dates and units in a locale: one table of styles for the command line and the page.
///
/// The texts here are Foundation's; `intl` hands the same styles to JavaScript. The calendar is always passed explicitly, since
/// `DateFormatter` takes the locale's own and `Date.FormatStyle` does not.
public struct FormatStyleTable: Sendable {
    /// The locale with its calendar.
    public let locale: Locale
    /// The zone of dates with a time; days have none.
    public let timeZone: TimeZone
    /// The calendar in which dates are shown.
    public let calendar: Calendar.Identifier

    /// A table for a locale; without a calendar its own counts: the Buddhist one in Thailand.
    ///
    /// A calendar that Foundation has without formatting in it is replaced by the Gregorian one.
    public init(locale: Locale, timeZone: TimeZone = .gmt, calendar: Calendar.Identifier? = nil) {
        let wanted = calendar ?? locale.calendar.identifier
        self.calendar = LanguageTag.calendars.values.contains(wanted) ? wanted : .gregorian
        self.locale = locale.checked(calendar: self.calendar)
        self.timeZone = timeZone
    }

    // MARK: Numbers

    /// The text of a number, with all its digits as far as the style shows them.
    public func text(_ number: Decimal, _ style: NumberStyle = .decimal) -> String {
        guard number.isFinite else { return "NaN" }
        let plain = Decimal.FormatStyle(locale: locale)
        switch style {
        case .none: return number.formatted(plain.precision(.fractionLength(0)).grouping(.never))
        case .decimal: return number.formatted(plain.precision(.fractionLength(0...3)))
        case .exact: return number.formatted(plain.precision(.fractionLength(0...130)))
        case .scientific: return number.formatted(plain.precision(.fractionLength(0...6)).notation(.scientific))
        case .percent:
            return number.formatted(Decimal.FormatStyle.Percent(locale: locale).precision(.fractionLength(0)))
        case .currency(let code):
            return number.formatted(Decimal.FormatStyle.Currency(code: Self.currency(code), locale: locale))
        case .spelledOut: return words(number)
        }
    }

    /// The text of an integer of at most 64 bits, or of another with the digits of `Decimal`.
    public func text(_ number: some BinaryInteger, _ style: NumberStyle = .decimal) -> String {
        if let small = Int64(exactly: number) { return text(Decimal(small), style) }
        if let large = UInt64(exactly: number) { return text(Decimal(large), style) }
        return text(Decimal(string: String(number), locale: Locale(identifier: "")) ?? .nan, style)
    }

    /// The words of an integer in 64 bits, and of a fraction to the digits of `Double`; a greater number in digits.
    private func words(_ number: Decimal) -> String {
        let integer = Int64(number.plain).map { NSNumber(value: $0) }
        let isSmall = number.magnitude < 1_000_000_000_000
        // By its digits: the double that `NSDecimalNumber` makes of a decimal may be the next one to it, whose words have many digits more.
        let fraction = isSmall ? Double(number.plain).map { NSNumber(value: $0) } : nil
        guard let value = integer ?? fraction else { return text(number) }
        return SharedFormatters.words(value, locale: locale.identifier) ?? text(number)
    }

    /// A code of three letters; XXX, "no currency", for another text.
    private static func currency(_ code: String) -> String {
        code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0 & 0xDF) } ? code.uppercased() : "XXX"
    }

    // MARK: Dates

    /// The text of a time in the table's zone; empty if both styles are `none`, and for a date that is not finite.
    public func text(_ date: Date, date dateStyle: DateStyle, time timeStyle: DateStyle) -> String {
        text(date, dateStyle, timeStyle, timeZone)
    }

    /// The text of a day, in whatever zone the reader is.
    public func text(_ day: CalendarDay, _ style: DateStyle) -> String { text(day.noon, style, .none, .gmt) }

    private func text(_ date: Date, _ dateStyle: DateStyle, _ timeStyle: DateStyle, _ zone: TimeZone) -> String {
        // Foundation's calendars end with about the year 140,000.
        let isShown = dateStyle != .none || timeStyle != .none
        guard isShown, abs(date.timeIntervalSinceReferenceDate) < 1e12 else { return "" }
        return SharedFormatters.withDates(key(dateStyle, timeStyle, zone)) { $0.string(from: date) }
    }

    /// The key of the formatter of some styles.
    func key(_ date: DateStyle, _ time: DateStyle, _ zone: TimeZone) -> SharedFormatters.DateKey {
        SharedFormatters.DateKey(locale: locale.identifier, zone: zone.identifier, date: date, time: time)
    }

    // MARK: Units

    /// Whether the locale's region uses the metric system; the United Kingdom does but for roads.
    public var usesMetricSystem: Bool { locale.measurementSystem != .us }

    /// The text of a measured value in the unit that the region uses, with at most one digit after the decimal sign.
    public func text(_ value: Decimal, _ unit: MeasuredUnit) -> String {
        let shown = unit.preferred(in: locale)
        let number = unit.convert(value, to: shown)
        let digits = number.formatted(Decimal.FormatStyle(locale: locale).precision(.fractionLength(0...1)))
        return digits + UnitTexts.text(shown, language: locale.language.languageCode?.identifier ?? "")
    }
}
