import CoreData

/// What a row of the list shows.
struct PersonRow {
    let title: String
    let detail: String
    /// The background; nil where the colour of the eyes is not known.
    let color: EyeColor?

    init(_ person: AWPerson, locale: Locale = .current) {
        title = person.fullName
        detail = "Born: " + (person.dateOfBirth.map { Self.shortDate($0, locale) } ?? "")
        color = person.eyeColor
    }

    private static func shortDate(_ date: Date, _ locale: Locale) -> String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = .ofBirthdays
        formatter.timeZone = .gmt
        formatter.dateStyle = .short
        return formatter.string(from: date)
    }
}
