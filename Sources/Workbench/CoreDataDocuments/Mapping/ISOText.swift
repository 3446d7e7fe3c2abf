import CoreData

/// Dates of ISO 8601 in all forms that documents have them in.
///
/// Beside what `ISODate` reads: the basic form `20240229T120000Z`, zones as `+01`, small letters `t` and `z`, more than 12 digits of a
/// fraction, and the second 60, which is the first one after it, as POSIX counts.
enum ISOText {
    /// The date of a text, in UTC where it names no zone, and whether it names one; nil for a text of another form.
    static func date(_ text: String) -> (date: Date, hasZone: Bool)? {
        if let date = ISODate.date(text) { return (date, hasZone(text)) }
        return variant(text)
    }

    private static func hasZone(_ text: String) -> Bool {
        text.hasPrefix("@") || text.hasSuffix("Z") || text.dropFirst(10).contains { $0 == "+" || $0 == "-" }
    }

    private static func variant(_ text: String) -> (date: Date, hasZone: Bool)? {
        let form =
            /([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})(?:[Tt ]([0-9]{2})(:?)([0-9]{2})(?:\6([0-9]{2})(?:[.,]([0-9]+))?)?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?/
        guard text.utf8.count < 100, let parts = text.wholeMatch(of: form)?.output else { return nil }
        var plain = "\(parts.1)-\(parts.3)-\(parts.4)"
        guard let hour = parts.5, let minute = parts.7 else { return ISODate.date(plain).map { ($0, false) } }
        let isLeapSecond = parts.8 == "60"
        plain += "T\(hour):\(minute):\(isLeapSecond ? "59" : parts.8 ?? "00")"
        if let fraction = parts.9 { plain += ".\(fraction.prefix(12))" }
        if let zone = parts.10 {
            let digits = zone.filter { $0 != ":" }
            plain += digits.lowercased() == "z" ? "Z" : digits.count == 3 ? digits + "00" : digits
        }
        return ISODate.date(plain).map { ($0.addingTimeInterval(isLeapSecond ? 1 : 0), parts.10 != nil) }
    }
}
