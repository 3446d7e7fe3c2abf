import CoreData

/// A pattern of dates such as `EEE, dd MMM yyyy HH:mm:ss Z`, with the letters of Unicode TS 35 that dates in documents need.
///
/// | letters | what they stand for |
/// |---|---|
/// | `y`, `yyyy` | the year, in up to four digits or in four; `yy` its last two, from 1950 to 2049 |
/// | `M`, `MM` | the month as a number; `MMM`, `MMMM` its English name, short or long |
/// | `d`, `dd` | the day of the month |
/// | `E` to `EEEE` | the English name of the day, which is not compared with the date |
/// | `H`, `HH`, `h`, `hh`, `a` | the hour from 0 to 23, from 1 to 12, AM or PM |
/// | `m`, `mm`, `s`, `ss`, `S` … | minute, second, digits of a fraction of a second |
/// | `Z`, `X`, `x`, `z` | a zone: `Z`, `+0100`, `+01:00`, `+01`, or a name such as GMT, EST or CEST |
///
/// Text in quotes and other marks stand for themselves, a blank for any number of blanks. The calendar is the proleptic Gregorian
/// one, and texts are read to their end.
package struct DatePattern: Sendable, Equatable {
    enum Field: Sendable, Equatable {
        case year(Int)
        case month(Int)
        case day, weekday, hour, hourOfHalf, half, minute, second, fraction, zone
        case literal(Character)
    }

    let fields: [Field]

    /// Nil for a pattern with another letter, or without a year, a month and a day.
    package init?(_ pattern: String) {
        var fields: [Field] = []
        var rest = Substring(pattern)
        while let first = rest.first {
            if first == "'" {
                guard let (text, end) = Self.quoted(rest) else { return nil }
                fields += text.map { .literal($0) }
                rest = end
                continue
            }
            let run = rest.prefix { $0 == first }
            rest = rest.dropFirst(run.count)
            if first.isASCII, first.isLetter {
                guard let field = Self.field(first, run.count) else { return nil }
                fields.append(field)
            } else {
                fields += run.map { .literal($0) }
            }
        }
        func has(_ isWanted: (Field) -> Bool) -> Bool { fields.contains(where: isWanted) }
        guard has({ if case .year = $0 { true } else { false } }), has({ if case .month = $0 { true } else { false } }),
            has({ $0 == .day })
        else { return nil }
        self.fields = fields
    }

    /// The text from a quote to the next, two of which stand for one.
    private static func quoted(_ text: Substring) -> (String, Substring)? {
        var (result, rest) = ("", text.dropFirst())
        if rest.first == "'" { return ("'", rest.dropFirst()) }
        while let first = rest.popFirst() {
            if first != "'" {
                result.append(first)
            } else if rest.first == "'" {
                result.append("'")
                rest.removeFirst()
            } else {
                return (result, rest)
            }
        }
        return nil
    }

    private static func field(_ letter: Character, _ count: Int) -> Field? {
        switch letter {
        case "y", "u": .year(count)
        case "M", "L": count <= 4 ? .month(count) : nil
        case "d": .day
        case "E": .weekday
        case "H": .hour
        case "h": .hourOfHalf
        case "a": .half
        case "m": .minute
        case "s": .second
        case "S": .fraction
        case "Z", "X", "x", "z": .zone
        default: nil
        }
    }

    // MARK: Reading

    private struct Parts {
        var (year, month, day) = (0, 0, 0)
        var (hour, minute, second) = (0, 0, 0)
        var fraction = 0.0
        var isAfternoon: Bool?
        var isHourOfHalf = false
        var offset: Int?
    }

    /// The date of a text, in UTC where it names no zone, and whether it names one; nil for a text of another form.
    func date(_ text: String) -> (date: Date, hasZone: Bool)? {
        var rest = Substring(text)
        var parts = Parts()
        for field in fields {
            guard Self.read(field, &rest, &parts) else { return nil }
        }
        guard rest.isEmpty else { return nil }
        if parts.isHourOfHalf {
            guard (1...12).contains(parts.hour) else { return nil }
            parts.hour %= 12
            if parts.isAfternoon == true { parts.hour += 12 }
        }
        let day = String(
            Self.padded(parts.year, 4) + "-" + Self.padded(parts.month, 2) + "-" + Self.padded(parts.day, 2))
        // A leap second is the first one after it, as POSIX counts.
        guard (0...9_999).contains(parts.year), let start = ISODate.date(day), (0...23).contains(parts.hour),
            (0...59).contains(parts.minute), (0...60).contains(parts.second)
        else { return nil }
        let seconds = parts.hour * 3_600 + parts.minute * 60 + parts.second - (parts.offset ?? 0)
        return (start.addingTimeInterval(Double(seconds) + parts.fraction), parts.offset != nil)
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func read(_ field: Field, _ rest: inout Substring, _ parts: inout Parts) -> Bool {
        switch field {
        case .literal(let character): return take(character, &rest)
        case .year(2):
            guard let number = number(&rest, most: 2) else { return false }
            parts.year = number + (number < 50 ? 2_000 : 1_900)
        case .year(let count):
            let digits = rest.prefix(4).prefix { $0.isASCII && $0.isWholeNumber }
            return (count < 4 || digits.count == 4) && set(&parts.year, &rest, most: 4)
        case .month(let count) where count > 2:
            guard let month = name(months, &rest) else { return false }
            parts.month = month + 1
        case .month: return set(&parts.month, &rest, most: 2)
        case .day: return set(&parts.day, &rest, most: 2)
        case .weekday: return name(days, &rest) != nil
        case .hour: return set(&parts.hour, &rest, most: 2)
        case .hourOfHalf:
            parts.isHourOfHalf = true
            return set(&parts.hour, &rest, most: 2)
        case .half:
            guard let half = name(["am", "pm"], &rest) else { return false }
            parts.isAfternoon = half == 1
        case .minute: return set(&parts.minute, &rest, most: 2)
        case .second: return set(&parts.second, &rest, most: 2)
        case .fraction:
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            guard !digits.isEmpty, let fraction = Double("0." + digits) else { return false }
            parts.fraction = fraction
            rest = rest.dropFirst(digits.count)
        case .zone:
            guard let offset = ZoneOffset.read(&rest) else { return false }
            parts.offset = offset
        }
        return true
    }

    private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
        if character == " " {
            let blanks = rest.prefix { $0 == " " }
            rest = rest.dropFirst(blanks.count)
            return !blanks.isEmpty
        }
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private static func set(_ part: inout Int, _ rest: inout Substring, most: Int) -> Bool {
        guard let number = number(&rest, most: most) else { return false }
        part = number
        return true
    }

    private static func number(_ rest: inout Substring, most: Int) -> Int? {
        let digits = rest.prefix(most).prefix { $0.isASCII && $0.isWholeNumber }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    static let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// The number of a name that stands here, whole or its first three letters, whatever the case.
    private static func name(_ names: [String], _ rest: inout Substring) -> Int? {
        let word = rest.prefix { $0.isLetter && $0.isASCII }.lowercased()
        let isShort = word.count == 3 || word == "sept"
        guard let number = names.firstIndex(where: { $0 == word || isShort && $0.hasPrefix(word) }) else { return nil }
        rest = rest.dropFirst(word.count)
        return number
    }
}

/// Zones as dates in documents have them.
enum ZoneOffset {
    /// The seconds east of UTC of the zone that stands here; nil for one that is not known.
    static func read(_ rest: inout Substring) -> Int? {
        guard let first = rest.first else { return nil }
        if first == "+" || first == "-" {
            var digits = rest.dropFirst().prefix(5)
            if digits.dropFirst(2).first == ":" {
                digits = digits.prefix(5)
            } else {
                digits = digits.prefix { $0.isASCII && $0.isWholeNumber }.prefix(4)
            }
            let numbers = digits.filter { $0 != ":" }
            guard numbers.count == 2 || numbers.count == 4, numbers.allSatisfy({ $0.isASCII && $0.isWholeNumber }),
                let hours = Int(numbers.prefix(2)), let minutes = numbers.count == 4 ? Int(numbers.suffix(2)) : 0,
                hours <= 18,
                minutes < 60
            else { return nil }
            rest = rest.dropFirst(1 + digits.count)
            return (first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
        }
        let word = rest.prefix { $0.isLetter && $0.isASCII }
        guard let hours = hours[word.uppercased()] else { return nil }
        rest = rest.dropFirst(word.count)
        return Int(hours * 3_600)
    }

    /// Those of RFC 5322 (4.3), and the usual ones of Europe, Asia and Australia.
    private static let hours: [String: Double] = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8,
        "PDT": -7, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3,
        "MSK": 3,
        "IST": 5.5, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "AKST": -9, "AKDT": -8, "HST": -10,
    ]
}
