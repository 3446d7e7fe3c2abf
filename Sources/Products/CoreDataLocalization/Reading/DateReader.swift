import Foundation
import Synchronization

/// Reads dates as people of a locale write them, to the end of the text.
///
/// What `FormatStyleTable` writes in the styles `short`, `medium` and `long` of dates, and `short` and `medium` of times, is read back,
/// but for times that name a part of the day ("in the morning", `B` in patterns), Roman numerals and years below 100 without an era. Names may be of either
/// case, and digits of any script. A day that the calendar does not have is an error, and not another day.
public struct DateReader: Sendable {
    /// The years that a year of two digits can be.
    public static let centuries = 1950...2049

    private let table: FormatStyleTable

    /// A reader of what a table writes.
    public init(_ table: FormatStyleTable) { self.table = table }

    /// The day that a text in a style is.
    ///
    /// - Throws: `ReadingError` with the place.
    public func day(_ text: String, _ style: DateStyle) throws -> CalendarDay {
        try scan(text, style, .none).day
    }

    /// The time that a text in styles of date and time is, in the table's zone; of two times with the same text the first.
    ///
    /// - Throws: `ReadingError` with the place; also for a time that is left out when clocks are set forward.
    public func date(_ text: String, date: DateStyle, time: DateStyle) throws -> Date {
        guard date != .none else {
            throw ReadingError(.unsupportedStyle, at: 0, "A time without a date is not a date.")
        }
        let found = try scan(text, date, time)
        let local = Double(found.day.ordinal) * 86_400 + Double(found.seconds)
        let zone = table.timeZone
        let offsets = [-86_400.0, 86_400].map { zone.secondsFromGMT(for: Date(timeIntervalSince1970: local + $0)) }
        for offset in offsets {
            let date = Date(timeIntervalSince1970: local - Double(offset))
            if zone.secondsFromGMT(for: date) == offset { return date }
        }
        throw ReadingError(.noSuchDay, at: 0, "Clocks are set forward over this time in the zone.")
    }

    private func scan(
        _ text: String, _ date: DateStyle, _ time: DateStyle
    ) throws -> (day: CalendarDay, seconds: Int) {
        let key = table.key(date, time, .gmt)
        let names = DateNames.names(for: key)
        var scan = DateScan(text: try TypedText(text), names: names, calendar: table.calendar)
        try scan.read(DatePattern(names.pattern))
        return (try scan.day(), scan.seconds)
    }
}

/// The names and the pattern of dates in a style.
struct DateNames: Sendable {
    /// The greatest number of styles whose names are kept; when there are more all are dropped.
    private static let most = 64

    /// Guards the names that were asked for.
    private static let kept = Mutex<[SharedFormatters.DateKey: DateNames]>([:])

    /// The names of a style, which are kept for the next text.
    static func names(for key: SharedFormatters.DateKey) -> DateNames {
        if let names = kept.withLock({ $0[key] }) { return names }
        let names = DateNames(key)
        kept.withLock { kept in
            if kept.count >= most { kept = [:] }
            kept[key] = names
        }
        return names
    }

    let pattern: String
    /// Names of months, days and eras, each with its number, the longest names first.
    let (months, weekdays, eras): ([(String, Int)], [(String, Int)], [(String, Int)])
    let (morning, afternoon): (String, String)

    private init(_ key: SharedFormatters.DateKey) {
        let found = SharedFormatters.withDates(key) { formatter in
            (
                formatter.dateFormat ?? "",
                [
                    formatter.monthSymbols, formatter.shortMonthSymbols, formatter.standaloneMonthSymbols,
                    formatter.shortStandaloneMonthSymbols,
                ].map { $0 ?? [] },
                [
                    formatter.weekdaySymbols, formatter.shortWeekdaySymbols, formatter.standaloneWeekdaySymbols,
                    formatter.shortStandaloneWeekdaySymbols,
                ].map { $0 ?? [] },
                [formatter.eraSymbols, formatter.longEraSymbols].map { $0 ?? [] },
                formatter.amSymbol, formatter.pmSymbol
            )
        }
        (pattern, morning, afternoon) = (found.0, found.4, found.5)
        (months, weekdays) = (Self.numbered(found.1), Self.numbered(found.2))
        let last = (found.3.first ?? []).count
        // Narrow names of the eras since 1868, which Foundation does not give.
        let narrow = last > 5 ? zip(["M", "T", "S", "H", "R"], (last - 5)..<last).map { ($0, $1) } : []
        eras = Self.numbered(found.3) + narrow
    }

    private static func numbered(_ lists: [[String]]) -> [(String, Int)] {
        lists.flatMap { $0.enumerated().map { ($0.element, $0.offset) } }.filter { !$0.0.isEmpty }
            .sorted { $0.0.count > $1.0.count }
    }
}
