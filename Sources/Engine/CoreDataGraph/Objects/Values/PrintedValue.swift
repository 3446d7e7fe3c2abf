import CoreDataStore

/// The text of values in messages and logs.
enum PrintedValue {
    /// Returns the text of a value. For a date far outside the calendar, or whose interval is not a number,
    /// Foundation's own description would trap.
    static func text(_ value: Any) -> String {
        switch value {
        case let date as Date: text(date)
        case let parts as [String: Any]:
            "[" + parts.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "]"
        case let parts as [Any]: "[" + parts.map(text).joined(separator: ", ") + "]"
        default: "\(value)"
        }
    }

    private static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // About the years -29,000 to 33,000.
        return abs(seconds) < 1e12 ? date.description : "\(seconds) seconds since 2001-01-01"
    }
}
