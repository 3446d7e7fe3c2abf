import CoreData

/// How texts that stand for dates are written.
package struct DateForm: Sendable {
    package enum Kind: Sendable, Equatable {
        /// ISO 8601; without a zone in the one of the form.
        case iso
        /// Seconds or milliseconds since 1970-01-01 UTC.
        case seconds, milliseconds
        /// The date of a mail, as RSS has it (RFC 5322 and its obsolete forms): `Wed, 22 Feb 2012 09:30:00 +0100`; the day's name and
        /// the seconds may be missing.
        case internet
        /// A pattern of Unicode TS 35.
        case pattern(DatePattern)
    }

    /// The forms, of which the first that a text has counts.
    package var kinds: [Kind]
    /// The zone of texts that name none.
    package var zone: TimeZone

    package init(_ kinds: [Kind], zone: TimeZone) { (self.kinds, self.zone) = (kinds, zone) }

    /// The date of a text, as `ISODate` writes it.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    func text(_ given: String?, _ name: String) throws -> String {
        guard let given, let date = date(given.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ValueConversion.wrong(name, "the text is no date of the form that the mapping says")
        }
        return ISODate.text(date)
    }

    package func date(_ text: String) -> Date? { kinds.lazy.compactMap { date(text, $0) }.first }

    private func date(_ text: String, _ kind: Kind) -> Date? {
        switch kind {
        case .iso:
            guard let (date, hasZone) = ISOText.date(text) else { return nil }
            return hasZone ? date : Self.moved(date, to: zone)
        case .seconds: return Self.number(text).map { Date(timeIntervalSince1970: $0) }
        case .milliseconds: return Self.number(text).map { Date(timeIntervalSince1970: $0 / 1_000) }
        case .internet:
            for pattern in Self.internetPatterns {
                guard let (date, hasZone) = pattern.date(text) else { continue }
                return hasZone ? date : Self.moved(date, to: zone)
            }
            return nil
        case .pattern(let pattern):
            guard let (date, hasZone) = pattern.date(text) else { return nil }
            return hasZone ? date : Self.moved(date, to: zone)
        }
    }

    private static let internetPatterns = ["EEE, ", ""].flatMap { day in
        ["yyyy", "yy"].flatMap { year in
            [" HH:mm:ss Z", " HH:mm Z", " HH:mm:ss", " HH:mm"].compactMap { DatePattern("\(day)d MMM \(year)\($0)") }
        }
    }

    private static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first,
            first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
            let number = Double(text), abs(number) < 1e15
        else { return nil }
        return number
    }

    /// The date at which clocks of a zone show what they show in UTC at another; of an hour that comes twice the first.
    private static func moved(_ date: Date, to zone: TimeZone) -> Date {
        let early = date.addingTimeInterval(-Double(zone.secondsFromGMT(for: date.addingTimeInterval(-86_400))))
        if early.addingTimeInterval(Double(zone.secondsFromGMT(for: early))) == date { return early }
        return date.addingTimeInterval(-Double(zone.secondsFromGMT(for: date)))
    }
}
