/// Texts of dates in a source: seconds since 2001, and a text for human readers.
package enum DateText {
    /// The seconds, without a fraction if they are an integer.
    package static func seconds(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }

    package static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 1e11 else { return "\(seconds)" }
        return date.formatted(style.time(includingFractionalSeconds: false)) + " +0000"
    }

    package static func text(ofSeconds text: String) -> String {
        guard let seconds = Double(text), seconds.isFinite else { return text }
        return self.text(of: Date(timeIntervalSinceReferenceDate: seconds))
    }

    /// Reads `2013-04-23`, `2013-04-23 12:00:00`, the same with ` +0000`, ISO 8601, or seconds since 2001.
    package static func date(_ text: String) -> Date? {
        if let seconds = Double(text) {
            return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
        }
        let plain = text.hasSuffix(" +0000") ? String(text.dropLast(6)) : text
        if let date = try? Date(plain, strategy: .iso8601) { return date }
        if let date = try? Date(plain, strategy: style.time(includingFractionalSeconds: false)) { return date }
        return try? Date(plain, strategy: style)
    }

    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .dash, dateTimeSeparator: .space, timeZone: .gmt
    ).year().month().day()
}
