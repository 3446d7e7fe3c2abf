import CoreData

/// Durations as texts, in seconds.
enum DurationText {
    /// Hours, minutes and seconds as `1:02:03`, with a fraction where there is one, and days before them: `2 d 1:02:03`.
    static func text(_ seconds: Decimal) -> String {
        let sign = seconds < 0 ? "-" : ""
        let (whole, fraction) = split(seconds.magnitude)
        let (days, rest) = whole.quotientAndRemainder(dividingBy: 86_400)
        let clock = "\(rest / 3_600):\(two(rest / 60 % 60)):\(two(rest % 60))\(fraction)"
        return sign + (days > 0 ? "\(days) d " : "") + clock
    }

    /// The text of ISO 8601: `PT1H2M3S`, `PT0S` for none.
    static func isoText(_ seconds: Decimal) -> String {
        let (whole, fraction) = split(seconds.magnitude)
        let parts = [(whole / 3_600, "H"), (whole / 60 % 60, "M")].filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }
        let rest = whole % 60 > 0 || !fraction.isEmpty || parts.isEmpty ? "\(whole % 60)\(fraction)S" : ""
        return (seconds < 0 ? "-" : "") + "PT" + parts.joined() + rest
    }

    /// The seconds of a text of ISO 8601, of `1:30:00` and `1:30` (minutes and seconds), of `2 d 1:30:00`, and of numbers with units:
    /// `1h 30m`, `90 min`. Nil for another text, and for months and years, whose lengths vary.
    static func seconds(_ text: String) -> Decimal? {
        var text = text.trimmingCharacters(in: .whitespaces).lowercased()
        guard !text.isEmpty, text.utf8.count <= 60 else { return nil }
        let isNegative = text.hasPrefix("-")
        if isNegative { text.removeFirst() }
        guard let found = text.hasPrefix("p") ? iso(text.dropFirst()) : units(text) else { return nil }
        return isNegative ? -found : found
    }

    private static func iso(_ text: Substring) -> Decimal? {
        let halves = text.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
        let date = parts(halves[0], ["w": 604_800, "d": 86_400])
        guard halves.count == 2 else { return halves[0].isEmpty ? nil : date }
        guard let date, !halves[1].isEmpty, let time = parts(halves[1], ["h": 3_600, "m": 60, "s": 1]) else {
            return nil
        }
        return date + time
    }

    private static let factors: [String: Decimal] = {
        let names: [(Decimal, [String])] = [
            (604_800, ["w", "week", "weeks"]), (86_400, ["d", "day", "days"]),
            (3_600, ["h", "hr", "hrs", "hour", "hours"]), (60, ["m", "min", "mins", "minute", "minutes"]),
            (1, ["s", "sec", "secs", "second", "seconds"]),
            (Decimal(1) / 1_000, ["ms", "millisecond", "milliseconds"]),
        ]
        return Dictionary(uniqueKeysWithValues: names.flatMap { factor, names in names.map { ($0, factor) } })
    }()

    /// Numbers with units, and a time of colons at the end.
    private static func units(_ text: String) -> Decimal? {
        var rest = Substring(text)
        var clock: Decimal = 0
        if rest.contains(":") {
            let last = rest.lastIndex(of: " ").map { rest.index(after: $0) } ?? rest.startIndex
            guard let found = colons(rest[last...]) else { return nil }
            clock = found
            rest = rest[..<last]
            if rest.allSatisfy(\.isWhitespace) { return clock }
        }
        return parts(rest.filter { !$0.isWhitespace }[...], factors).map { $0 + clock }
    }

    private static func colons(_ text: Substring) -> Decimal? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let last = parts.last, let seconds = number(last), seconds < 60,
            last.prefix(while: { $0 != "." }).count == 2
        else { return nil }
        let whole = parts.dropLast().map { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
        guard let first = whole.first.flatMap(\.self), first <= 100_000_000 else { return nil }
        guard whole.count == 2 else { return Decimal(first) * 60 + seconds }
        guard let minutes = whole[1], minutes < 60, parts[1].count == 2 else { return nil }
        return Decimal(first) * 3_600 + Decimal(minutes) * 60 + seconds
    }

    /// Numbers, each with a unit after it.
    private static func parts(_ text: Substring, _ factors: [String: Decimal]) -> Decimal? {
        var sum: Decimal = 0
        var rest = text
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let factor = factors[String(unit)], let value = number(digits) else { return nil }
            sum += value * factor
        }
        return sum
    }

    private static func number(_ digits: Substring) -> Decimal? {
        let parts = digits.replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
            return nil
        }
        return Decimal(string: parts.joined(separator: "."), locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Whole seconds, and the fraction with its point; both are in the range of durations.
    private static func split(_ seconds: Decimal) -> (Int, String) {
        var (value, whole) = (seconds, Decimal())
        NSDecimalRound(&whole, &value, 0, .down)
        var fraction = value - whole
        var rounded = Decimal()
        NSDecimalRound(&rounded, &fraction, 6, .plain)
        guard rounded > 0, rounded < 1 else {
            return (NSDecimalNumber(decimal: whole + rounded).intValue, "")
        }
        return (
            NSDecimalNumber(decimal: whole).intValue, String(NSDecimalNumber(decimal: rounded).stringValue.dropFirst())
        )
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
