import Foundation
import Synchronization

/// Foundation's formatters for dates and for words, made once for each style and locale and shared.
///
/// Making one takes longer than using it a hundred times. May be used from any thread: a formatter is used under the lock.
enum SharedFormatters {
    struct DateKey: Hashable {
        let locale: String
        let zone: String
        let (date, time): (DateStyle, DateStyle)
    }

    private struct Kept {
        var dates: [DateKey: DateFormatter] = [:]
        var words: [String: NumberFormatter] = [:]
        var made = 0
    }

    /// The greatest number of formatters of a kind; when there are more all are dropped.
    private static let most = 128

    /// Guards the formatters.
    private static let kept = Mutex(Kept())

    /// How many formatters were made, for tests.
    static var made: Int { kept.withLock { $0.made } }

    /// Runs a block with the formatter of a style; the block must not keep it.
    static func withDates<Result>(_ key: DateKey, _ body: (DateFormatter) -> Result) -> Result {
        kept.withLock { kept in
            if let formatter = kept.dates[key] { return body(formatter) }
            if kept.dates.count >= most { kept.dates = [:] }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: key.locale)
            formatter.timeZone = TimeZone(identifier: key.zone) ?? .gmt
            formatter.dateStyle = key.date.foundation
            formatter.timeStyle = key.time.foundation
            // The Gregorian calendar also before it was introduced, as ISO 8601, the stores and Intl have it.
            formatter.gregorianStartDate = Date(timeIntervalSinceReferenceDate: -1e14)
            kept.dates[key] = formatter
            kept.made += 1
            return body(formatter)
        }
    }

    /// An integer in words; nil where the locale has none.
    static func words(_ number: NSNumber, locale: String) -> String? {
        kept.withLock { kept in
            if let formatter = kept.words[locale] { return formatter.string(from: number) }
            if kept.words.count >= most { kept.words = [:] }
            let formatter = NumberFormatter()
            formatter.locale = Locale(identifier: locale)
            formatter.numberStyle = .spellOut
            kept.words[locale] = formatter
            kept.made += 1
            return formatter.string(from: number)
        }
    }
}

extension DateStyle {
    fileprivate var foundation: DateFormatter.Style {
        switch self {
        case .none: .none
        case .short: .short
        case .medium: .medium
        case .long: .long
        case .full: .full
        }
    }
}
