import Foundation

/// A day without a time and without a zone, such as a birthday: it is the same day everywhere.
///
/// Days are counted in the Gregorian calendar, also before it was introduced (ISO 8601). Foundation's `Calendar(.gregorian)` is
/// Julian before 1582-10-15, so that the components are counted here.
public struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The years that there are.
    public static let years = 0...9_999

    /// One of `years`.
    public let year: Int
    /// From 1 to 12.
    public let month: Int
    /// From 1.
    public let day: Int

    /// Returns nil for a day that the calendar does not have, such as 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads `2012-04-04`, and nothing else; nil for another text and for a day that the calendar does not have.
    public init?(iso text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].allSatisfy { (48...57).contains($0) } ? bytes[range].reduce(0) { $0 * 10 + Int($1 - 48) } : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day of a time in a zone; nil outside of `years`.
    public init?(_ date: Date, in zone: TimeZone) {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        let local = seconds + Double(zone.secondsFromGMT(for: date))
        self.init(ordinal: Int((local / 86_400).rounded(.down)))
    }

    /// The day that is a number of days after 1970-01-01; nil outside of `years`.
    init?(ordinal: Int) {
        guard ordinal.magnitude < 10_000_000 else { return nil }
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years that begin in March.
        let shifted = ordinal + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        self.init(year: year, month: month < 10 ? month + 3 : month - 9, day: ofYear - (153 * month + 2) / 5 + 1)
    }

    /// The number of days since 1970-01-01.
    var ordinal: Int {
        let year = month <= 2 ? self.year - 1 : self.year
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// Noon of the day in UTC, by which it is formatted.
    var noon: Date { Date(timeIntervalSince1970: Double(ordinal) * 86_400 + 43_200) }

    /// The day some years, months and days later, in this order; a day that a month does not have becomes the month's last.
    /// Returns nil outside of `years`.
    public func adding(years: Int = 0, months: Int = 0, days: Int = 0) -> CalendarDay? {
        guard [years, months, days].allSatisfy({ $0.magnitude < 10_000_000 }) else { return nil }
        let total = year * 12 + month - 1 + years * 12 + months
        let newYear = total >= 0 ? total / 12 : -1
        guard Self.years.contains(newYear) else { return nil }
        let newMonth = total % 12 + 1
        let last = Self.length(ofMonth: newMonth, year: newYear)
        guard let moved = CalendarDay(year: newYear, month: newMonth, day: min(day, last)) else { return nil }
        return days == 0 ? moved : CalendarDay(ordinal: moved.ordinal + days)
    }

    /// The day as `2012-04-04`.
    public var description: String {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Whether a day is before another.
    public static func < (one: CalendarDay, other: CalendarDay) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }

    static func length(ofMonth month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
