import CoreData

/// A unit of the calendar, in UTC, by which dates are grouped.
package enum CalendarUnit: String, Sendable, CaseIterable {
    case day
    case month
    case year

    static let secondsInDay = 86_400.0

    /// The text of the unit that contains a day, counted from 2001-01-01: `2024-02-29`, `2024-02`, `2024`.
    func text(ofDay day: Int64) -> String {
        let text = ISODate.text(Date(timeIntervalSinceReferenceDate: Double(day) * Self.secondsInDay))
        guard !text.hasPrefix("@") else { return text }
        let length =
            switch self {
            case .day: 10
            case .month: 7
            case .year: 4
            }
        return String(text.prefix(length))
    }

    /// The position on a time axis, in days from 2001-01-01, of the start of the day, month or year that a text names;
    /// nil for another text.
    static func place(of text: String) -> Double? {
        let rest = text.count == 4 ? "-01-01" : text.count == 7 ? "-01" : ""
        return ISODate.date(text + rest).map { $0.timeIntervalSinceReferenceDate / secondsInDay }
    }
}
