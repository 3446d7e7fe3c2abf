import CoreDataGraph

/// An event as iCalendar has it.
public struct CalendarEvent: Sendable, Hashable {
    /// What it is called.
    public var title: String
    /// When it begins.
    public var start: Date
    /// When it ends; nil, or a time before the beginning, is left out.
    public var end: Date?
    /// Whether it is about whole days, in ``timeZone``; the end is then its last day.
    public var isAllDay = false
    /// The zone in which days begin and end.
    public var timeZone = TimeZone.current
    /// Where it is.
    public var location: String?
    /// Anything else.
    public var notes: String?
    /// An address of the web.
    public var url: String?
    /// Latitude and longitude in degrees.
    public var latitude: Double?
    /// See ``latitude``.
    public var longitude: Double?
    /// What no other event has; a reader replaces an older event of the same one.
    public var identifier: String
    /// When the text is written.
    public var stamp: Date

    /// An event.
    public init(
        title: String, start: Date, end: Date? = nil, identifier: String = UUID().uuidString, stamp: Date = Date()
    ) {
        (self.title, self.start, self.end, self.identifier, self.stamp) = (title, start, end, identifier, stamp)
    }

    /// The event as text: a calendar of iCalendar 2.0 (RFC 5545); lines end with CR LF.
    ///
    /// Times are in UTC, which every reader shows in its own zone: a name of a zone that one reader knows and another does not
    /// would move one of the times.
    public var text: String { Self.text(of: [self]) }

    /// Several events in one calendar.
    public static func text(of events: [CalendarEvent]) -> String {
        var lines = ContentLines()
        lines.add("BEGIN", "VCALENDAR")
        lines.add("VERSION", "2.0")
        lines.add("PRODID", "-//OpenCoreData//CoreDataMail//EN")
        for event in events { event.add(to: &lines) }
        lines.add("END", "VCALENDAR")
        return lines.text
    }

    private func add(to lines: inout ContentLines) {
        lines.add("BEGIN", "VEVENT")
        lines.add("UID", text: identifier)
        if let time = ContentLines.time(stamp) { lines.add("DTSTAMP", time) }
        if isAllDay { addDays(to: &lines) } else { addTimes(to: &lines) }
        lines.add("SUMMARY", text: title)
        lines.add("LOCATION", text: location)
        if let place = ContentLines.place(latitude, longitude) { lines.add("GEO", place) }
        if let url, let written = URL(string: url), written.scheme != nil { lines.add("URL", written.absoluteString) }
        lines.add("DESCRIPTION", text: notes)
        lines.add("END", "VEVENT")
    }

    private func addTimes(to lines: inout ContentLines) {
        if let time = ContentLines.time(start) { lines.add("DTSTART", time) }
        if let end, end > start, let time = ContentLines.time(end) { lines.add("DTEND", time) }
    }

    /// The end of whole days is the first day that is not one of them.
    private func addDays(to lines: inout ContentLines) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let last = end.map { max($0, start) } ?? start
        if let day = ContentLines.day(start, in: timeZone) { lines.add("DTSTART;VALUE=DATE", day) }
        if let next = calendar.date(byAdding: .day, value: 1, to: last), let day = ContentLines.day(next, in: timeZone)
        {
            lines.add("DTEND;VALUE=DATE", day)
        }
    }
}
