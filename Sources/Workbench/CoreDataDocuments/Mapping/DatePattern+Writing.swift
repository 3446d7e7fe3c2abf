import CoreData

extension DatePattern {
    /// The text of a date, with the clocks of a zone.
    package func text(_ date: Date, in zone: TimeZone) -> String? {
        let offset = zone.secondsFromGMT(for: date)
        let parts = ISODate.text(date.addingTimeInterval(Double(offset))).utf8.split { !(0x30...0x39).contains($0) }
            .map { String($0) ?? "" }
        guard parts.count == 7, let hour = Int(parts[3]), let month = Int(parts[1]) else { return nil }
        // The first of January 1970 was a Thursday.
        let day = Int(((date.timeIntervalSince1970 + Double(offset)) / 86_400).rounded(.down))
        let weekday = ((day + 3) % 7 + 7) % 7
        return fields.reduce(into: "") { text, field in
            switch field {
            case .year(2): text += parts[0].suffix(2)
            case .year: text += parts[0]
            case .month(1): text += "\(month)"
            case .month(2): text += parts[1]
            case .month(let count): text += Self.written(Self.months[month - 1], count)
            case .day: text += parts[2]
            case .weekday: text += Self.written(Self.days[weekday], 3)
            case .hour: text += parts[3]
            case .hourOfHalf: text += "\((hour + 11) % 12 + 1)"
            case .half: text += hour < 12 ? "AM" : "PM"
            case .minute: text += parts[4]
            case .second: text += parts[5]
            case .fraction: text += parts[6]
            case .zone: text += Self.zone(offset)
            case .literal(let character): text.append(character)
            }
        }
    }

    private static func written(_ name: String, _ count: Int) -> String {
        (count == 3 ? String(name.prefix(3)) : name).capitalized
    }

    private static func zone(_ offset: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + two(minutes / 60) + two(minutes % 60)
    }
}
