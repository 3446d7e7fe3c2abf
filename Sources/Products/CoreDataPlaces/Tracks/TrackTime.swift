import Foundation

/// Times as GPX and GeoJSON write them: ISO 8601, with or without fractions, in UTC or with an offset.
enum TrackTime {
    /// The time of a text; nil if it is none. A text without a zone is in UTC, as GPX wants.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes.count <= 40, bytes[4] == 45, bytes[7] == 45,
            bytes[10] | 32 == 116 || bytes[10] == 32,
            bytes[13] == 58, bytes[16] == 58, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), (1...12).contains(month), (1...days(month, year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == 46 || rest.first == 44 {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !digits.isEmpty, let part = Double("0." + String(decoding: digits, as: UTF8.self)) else { return nil }
            (fraction, rest) = (part, rest.dropFirst(digits.count + 1))
        }
        guard let offset = offset(Array(rest)) else { return nil }
        let time = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset
        return Date(timeIntervalSince1970: Double(time) + fraction)
    }

    /// A time in UTC, with milliseconds where it has a fraction.
    static func text(_ date: Date) -> String {
        let thousandths = (date.timeIntervalSince1970 * 1000).rounded()
        guard abs(thousandths) < 2.5e14 else { return "" }
        let (seconds, part) = floorDivision(Int(thousandths), 1000)
        let (days, rest) = floorDivision(seconds, 86_400)
        let (year, month, day) = civil(days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        let fraction = part == 0 ? "" : "." + padded(part, 3)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock)\(fraction)Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(count - digits.count, 0)) + digits
    }

    private static func floorDivision(_ number: Int, _ by: Int) -> (Int, Int) {
        let quotient = number >= 0 ? number / by : (number - by + 1) / by
        return (quotient, number - quotient * by)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 48)
        }
        return value
    }

    private static func offset(_ rest: [UInt8]) -> Int? {
        guard let sign = rest.first else { return 0 }
        if rest.count == 1, sign | 32 == 122 { return 0 }
        let digits = rest.dropFirst().filter { $0 != 58 }
        guard sign == 43 || sign == 45, digits.count == 4, let number = number(digits[...]), number % 100 < 60,
            number <= 1800
        else { return nil }
        let seconds = (number / 100 * 60 + number % 100) * 60
        return sign == 45 ? -seconds : seconds
    }

    private static func days(_ month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The days from 1970-01-01 in the Gregorian calendar, with years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let (era, ofEra) = floorDivision(shifted, 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let (era, ofEra) = floorDivision(days + 719_468, 146_097)
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let shown = month < 10 ? month + 3 : month - 9
        return (era * 400 + year + (shown <= 2 ? 1 : 0), shown, day)
    }
}
