/// Dates as ISO 8601 texts in UTC to the second, `2024-02-29T12:00:00Z`, in the Gregorian calendar for all years.
///
/// This is the form of dates in XML property lists. Foundation's formats use the Julian calendar for days before
/// October 1582, and accept the 30th of February as a day in March.
package enum CalendarSeconds {
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDay = 11_323
    /// The seconds since 2001 of the years 1 to 9999, which can be written with four digits.
    private static let range = -63_113_904_000.0..<252_423_993_600.0

    /// The text of a date, rounded down to the second; a date outside the years 1 to 9999 becomes the nearest in that
    /// range.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let bounded = min(max(seconds.isNaN ? 0 : seconds, range.lowerBound), range.upperBound - 1).rounded(.down)
        let whole = Int(bounded)
        let day = (whole >= 0 ? whole : whole - 86_399) / 86_400
        let rest = whole - day * 86_400
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(dayOfMonth, 2) + "T" + digits(rest / 3600, 2)
            + ":" + digits(rest / 60 % 60, 2) + ":" + digits(rest % 60, 2) + "Z"
    }

    /// The date of a text in this form; nil for any other text and for a day that its month does not have.
    package static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
            bytes[16] == 0x3A, bytes[19] == 0x5A, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), (1...12).contains(month), day >= 1, day <= length(of: month, in: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = ordinal(year, month: month, day: day) - referenceDay
        return Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    /// The number of days of a month.
    package static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in bytes {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    // MARK: Days since 1970-01-01, counted in eras of 400 years that begin in March

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func ordinal(_ year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
