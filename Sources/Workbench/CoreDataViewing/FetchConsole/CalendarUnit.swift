import CoreData

/// A part of the calendar, in UTC, by which dates are grouped.
package enum CalendarUnit: String, Sendable, CaseIterable {
    case day
    case month
    case year

    static let secondsInDay = 86_400.0

    /// The text of a part that begins with a day: `2024-02-29`, `2024-02`, `2024`.
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

    /// The place of a part on a scale of time, in days; nil for a text that is not such a part.
    static func place(of text: String) -> Double? {
        let rest = text.count == 4 ? "-01-01" : text.count == 7 ? "-01" : ""
        return ISODate.date(text + rest).map { $0.timeIntervalSinceReferenceDate / secondsInDay }
    }
}
