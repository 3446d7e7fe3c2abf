import CoreDataGraph

/// Lines of vCard and iCalendar, RFC 2425 and 5545, 3.1: escaped, folded, ended by CR LF.
struct ContentLines {
    private(set) var text = ""

    /// A property with a text as its value; nothing for an empty one.
    mutating func add(_ name: String, text value: String?) {
        guard let value, !value.isEmpty else { return }
        add(name, Self.escaped(value))
    }

    /// A property with several texts in one value, of which at least one is not empty.
    mutating func add(_ name: String, list values: [String?]) {
        guard values.contains(where: { $0?.isEmpty == false }) else { return }
        add(name, values.map { Self.escaped($0 ?? "") }.joined(separator: ";"))
    }

    /// A property whose value is written as it is.
    mutating func add(_ name: String, _ value: String) {
        var length = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let size = UTF8.width(scalar)
            // At most 75 bytes without CR LF; a letter is never cut.
            if length + size > 75 {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += size
        }
        text += "\r\n"
    }

    private static func escaped(_ value: String) -> String {
        var result = String.UnicodeScalarView()
        let lines = value.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
        for scalar in lines.unicodeScalars {
            switch scalar {
            case "\n", "\u{2028}", "\u{2029}", "\u{85}": result.append(contentsOf: "\\n".unicodeScalars)
            case "\\", ";", ",":
                result.append("\\")
                result.append(scalar)
            case "\t": result.append(scalar)
            case _ where scalar.properties.generalCategory == .control: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// A latitude and a longitude with six digits behind the point, never with an exponent; nil if they are no place.
    static func place(_ latitude: Double?, _ longitude: Double?) -> String? {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        return "\(digits(latitude));\(digits(longitude))"
    }

    private static func digits(_ degrees: Double) -> String {
        let millionths = Int64((degrees * 1_000_000).rounded())
        let (whole, rest) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        return "\(millionths < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 6 - "\(rest)".count))\(rest)"
    }

    /// A day in a zone, as `20260131` or `2026-01-31`; nil for one before the year 1 or after 9999.
    static func day(_ date: Date, in zone: TimeZone, separator: String = "") -> String? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.era, .year, .month, .day], from: date)
        guard parts.era == 1, let year = parts.year, let month = parts.month, let day = parts.day,
            (1...9999).contains(year)
        else { return nil }
        return [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: separator)
    }

    /// A point in time in UTC, as `20260131T120000Z`.
    static func time(_ date: Date) -> String? {
        guard let zone = TimeZone(secondsFromGMT: 0), let day = day(date, in: zone) else { return nil }
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let ofDay = ((seconds % 86_400) + 86_400) % 86_400
        return "\(day)T\(padded(ofDay / 3_600, 2))\(padded(ofDay / 60 % 60, 2))\(padded(ofDay % 60, 2))Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
