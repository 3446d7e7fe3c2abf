import Foundation

/// A time as cameras write it: `2019:05:04 10:11:12`, with fractions of a second and a zone or without.
struct CameraTime {
    let date: Date
    let hasZone: Bool

    /// - Parameters:
    ///   - text: The time; nil results for zeros and blanks, which stand for an unknown time, and for what is no time.
    ///   - zone: A zone that another field says, such as `+02:00` or `Z`, for a time without one.
    init?(_ text: String, zone: String) {
        let digits = text.prefix(19).utf8.map { Int($0) - 48 }
        guard digits.count == 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            digits[range].reduce(0 as Int?) { sum, digit in
                guard let sum, (0...9).contains(digit) else { return nil }
                return sum * 10 + digit
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19), year > 0,
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let rest = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        let seconds = Self.seconds(String(rest)) ?? Self.seconds(zone)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = seconds.flatMap { TimeZone(secondsFromGMT: $0) } ?? .current
        let parts = DateComponents(
            year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
        guard let date = calendar.date(from: parts),
            calendar.component(.day, from: date) == day
        else { return nil }
        (self.date, hasZone) = (date, seconds != nil)
    }

    /// The seconds east of Greenwich of `Z`, `+02:00` or `-0330`; nil for anything else.
    private static func seconds(_ text: String) -> Int? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text == "Z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let number = Int(digits), number / 100 <= 15, number % 100 < 60 else { return nil }
        return (number / 100 * 3_600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
    }
}
