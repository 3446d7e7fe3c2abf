import CoreData

/// A field of the form in which a person is edited, named as the attribute is.
enum PersonField: String, CaseIterable {
    case firstName, lastName, dateOfBirth, eyeColor

    var title: String {
        switch self {
        case .firstName: "First Name"
        case .lastName: "Last Name"
        case .dateOfBirth: "Date of Birth"
        case .eyeColor: "Eye Color"
        }
    }

    /// What the field shows of a person.
    func text(of person: AWPerson) -> String {
        switch self {
        case .firstName: person.firstName ?? ""
        case .lastName: person.lastName ?? ""
        case .dateOfBirth: person.dateOfBirth.map { $0.formatted(Self.days) } ?? ""
        case .eyeColor: person.eyeColor?.name ?? ""
        }
    }

    /// The attribute's value that a text typed into the field stands for; an empty text stands for none.
    func value(of text: String) throws -> Any? {
        guard !text.isEmpty else { return nil }
        switch self {
        case .firstName, .lastName: return text
        case .dateOfBirth:
            if let date = try? Date(text, strategy: Self.days) { return date }
            throw Complaint("\(title): write a day as 1980-05-01")
        case .eyeColor:
            if let color = EyeColor.named(text) { return color }
            throw Complaint("\(title): choose \(EyeColor.all.map(\.name).joined(separator: ", "))")
        }
    }

    private static let days = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
}
