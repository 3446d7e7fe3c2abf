import CoreData

/// Converts dates to text and back: ISO 8601 in UTC with fractions of a second, in the proleptic Gregorian calendar.
///
/// A date outside the years 0000–9999, a date that twelve digits of a second cannot represent exactly, and an invalid
/// date (NaN) are written as `@` and the seconds since 2001-01-01.
package enum ISODate {
    private static let secondsInDay: Int64 = 86400
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDay: Int64 = 11323

    /// The text of a date, such as `2024-02-29T12:00:00.250Z`; 3, 6, 9 or 12 digits of fraction, as few as distinguish
    /// it.
    package static func text(_ date: Date) -> String {
        var text = ByteText()
        append(date.timeIntervalSinceReferenceDate, to: &text)
        return text.string
    }

    /// Appends the text of the date `seconds` after 2001-01-01.
    package static func append(_ seconds: Double, to text: inout ByteText) {
        guard seconds.isFinite, abs(seconds) < 400_000_000_000 else { return append(bare: seconds, to: &text) }
        guard let (whole, fraction, digits) = split(seconds) else { return append(bare: seconds, to: &text) }
        let day = floorDivide(whole, secondsInDay)
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        guard (0...9999).contains(year) else { return append(bare: seconds, to: &text) }
        let rest = whole - day * secondsInDay
        append(year, digits: 4, end: "-", to: &text)
        append(month, digits: 2, end: "-", to: &text)
        append(dayOfMonth, digits: 2, end: "T", to: &text)
        append(rest / 3600, digits: 2, end: ":", to: &text)
        append(rest / 60 % 60, digits: 2, end: ":", to: &text)
        append(rest % 60, digits: 2, end: ".", to: &text)
        append(fraction, digits: digits, end: "Z", to: &text)
    }

    private static func append(bare seconds: Double, to text: inout ByteText) {
        text.append(UInt8(ascii: "@"))
        text.append(seconds.description)
    }

    /// Appends a non-negative number and the text after it.
    private static func append(_ number: Int64, digits: Int, end: StaticString, to text: inout ByteText) {
        text.append(number.magnitude, digits: digits)
        text.append(end)
    }

    /// The whole seconds, and the digits of the fraction as a number; nil if twelve digits do not represent the date
    /// exactly.
    private static func split(_ seconds: Double) -> (whole: Int64, fraction: Int64, digits: Int)? {
        let down = seconds.rounded(.down)
        for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9), (12, 1e12)] {
            let scaled = ((seconds - down) * scale).rounded()
            guard down + scaled / scale == seconds else { continue }
            return scaled >= scale ? (Int64(down) + 1, 0, digits) : (Int64(down), Int64(scaled), digits)
        }
        return nil
    }

    /// The date of a text: a day, or a day and a time with an optional zone (UTC without one), or `@` and seconds.
    ///
    /// Nil for a text that is not a date. Day and time are separated by `T` or a blank; seconds and their fraction are
    /// optional.
    package static func date(_ text: String) -> Date? {
        if text.hasPrefix("@") {
            return Double(text.dropFirst()).flatMap { $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil }
        }
        return DigitForm.reading(text) { date(&$0) }
    }

    /// Why a text in the form of a date is invalid, such as `2001-02-30`; nil for a valid date, and for any other text.
    package static func impossibility(_ text: String) -> String? {
        guard date(text) == nil else { return nil }
        return DigitForm.reading(text) { form -> String? in
            guard let year = form.number(4), form.take("-"), let month = form.number(2), form.take("-"),
                let day = form.number(2)
            else { return nil }
            guard (1...12).contains(month) else { return "a year has months from 01 to 12" }
            let length = length(of: month, year)
            guard day >= 1, day <= length else {
                return "month \(month) of the year \(year) has days from 01 to \(length)"
            }
            guard form.take("T") || form.take(" "), let hour = form.number(2), form.take(":"),
                let minute = form.number(2)
            else { return nil }
            return hour < 24 && minute < 60 ? nil : "a day has times from 00:00 to 23:59"
        }
    }

    private static func date(_ form: inout DigitForm) -> Date? {
        guard let year = form.number(4), form.take("-"), let month = form.number(2), form.take("-"),
            let day = form.number(2), (1...12).contains(month), day >= 1, day <= length(of: month, year)
        else { return nil }
        let days = ordinal(year, month: month, day: day) - referenceDay
        guard let (seconds, fraction) = time(&form), form.isAtEnd else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(days * secondsInDay + seconds) + fraction)
    }

    /// Parses the time after a day: the seconds since midnight in UTC, and a fraction of a second; 0 if nothing follows
    /// the day.
    private static func time(_ form: inout DigitForm) -> (seconds: Int64, fraction: Double)? {
        guard form.take("T") || form.take(" ") else { return (0, 0) }
        guard let hour = form.number(2), form.take(":"), let minute = form.number(2) else { return nil }
        var (second, fraction): (Int64, Double) = (0, 0)
        if form.take(":") {
            guard let number = form.number(2) else { return nil }
            second = number
            if form.take(".") || form.take(",") {
                guard let (digits, count) = form.digits(atMost: 12) else { return nil }
                fraction = Double(digits) / power(count)
            }
        }
        guard hour < 24, minute < 60, second < 60, let offset = offset(&form) else { return nil }
        return (hour * 3600 + minute * 60 + second - offset, fraction)
    }

    /// Parses a time zone: the seconds east of UTC; nil for an invalid zone.
    private static func offset(_ form: inout DigitForm) -> Int64? {
        if form.isAtEnd || form.take("Z") { return 0 }
        let isWest = form.take("-")
        guard isWest || form.take("+"), let hours = form.number(2) else { return nil }
        _ = form.take(":")
        guard let minutes = form.number(2), hours <= 18, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    // MARK: The calendar: days since 1970-01-01, counted in eras of 400 years that begin in March

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func ordinal(_ year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func length(of month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 {
        value >= 0 ? value / by : -((-value + by - 1) / by)
    }

    private static func power(_ digits: Int) -> Double {
        (0..<digits).reduce(1.0) { product, _ in product * 10 }
    }
}

extension ISODate {
    /// The text of the time `seconds` after 2001-01-01, rounded to milliseconds.
    static func milliseconds(_ seconds: Double) -> String {
        let whole = seconds.rounded(.down)
        // This sum is a number for which `text` needs exactly three digits.
        let rounded = whole + ((seconds - whole) * 1000).rounded() / 1000
        return text(Date(timeIntervalSinceReferenceDate: rounded))
    }
}
