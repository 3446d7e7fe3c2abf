import CoreDataGraph
import UniformTypeIdentifiers

/// A person, or a business, as a vCard has it.
public struct PersonCard: Sendable, Hashable {
    /// The first name.
    public var givenName: String?
    /// The last name.
    public var familyName: String?
    /// The whole name; nil makes it of the two others.
    public var fullName: String?
    /// Where the person works.
    public var organization: String?
    /// What the person is there.
    public var jobTitle: String?
    /// Addresses of mail.
    public var emails: [String] = []
    /// Telephone numbers.
    public var phones: [String] = []
    /// Street and number.
    public var street: String?
    /// The town.
    public var city: String?
    /// The region, or the state.
    public var region: String?
    /// The postal code.
    public var postalCode: String?
    /// The country.
    public var country: String?
    /// The birthday, in ``timeZone``.
    public var birthday: Date?
    /// The zone in which the birthday is a day.
    public var timeZone = TimeZone.current
    /// An address of the web.
    public var url: String?
    /// Anything else.
    public var note: String?
    /// Latitude and longitude in degrees.
    public var latitude: Double?
    /// See ``latitude``.
    public var longitude: Double?
    /// A picture: JPEG, PNG or GIF.
    public var photo: Data?
    /// What no other card has.
    public var identifier: String?

    /// A card without anything.
    public init() {}

    /// The whole name, else first and last one, else the organization, else an address.
    public var displayName: String {
        let parts = [givenName, familyName].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        return [fullName, parts, organization, emails.first, phones.first].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    }

    /// The card as text: vCard 3.0 (RFC 2426), which all programs for addresses read; lines end with CR LF.
    public var text: String {
        var lines = ContentLines()
        lines.add("BEGIN", "VCARD")
        lines.add("VERSION", "3.0")
        let hasParts = givenName?.isEmpty == false || familyName?.isEmpty == false
        lines.add(
            "N",
            list: hasParts
                ? [familyName, givenName, nil, nil, nil]
                : [displayName.isEmpty ? "-" : displayName, nil, nil, nil, nil])
        lines.add("FN", text: displayName.isEmpty ? "-" : displayName)
        lines.add("ORG", text: organization)
        lines.add("TITLE", text: jobTitle)
        for email in emails { lines.add("EMAIL;TYPE=INTERNET", text: email) }
        for phone in phones { lines.add("TEL;TYPE=VOICE", text: phone) }
        lines.add("ADR;TYPE=HOME", list: [nil, nil, street, city, region, postalCode, country])
        if let birthday, let day = ContentLines.day(birthday, in: timeZone, separator: "-") { lines.add("BDAY", day) }
        if let url, let written = URL(string: url), written.scheme != nil { lines.add("URL", written.absoluteString) }
        if let place = ContentLines.place(latitude, longitude) { lines.add("GEO", place) }
        lines.add("NOTE", text: note)
        addPhoto(to: &lines)
        lines.add("UID", text: identifier)
        lines.add("END", "VCARD")
        return lines.text
    }

    private func addPhoto(to lines: inout ContentLines) {
        guard let photo, let type = UTType(recognizing: photo), [.jpeg, .png, .gif].contains(type) else { return }
        let name = type.preferredFilenameExtension?.uppercased() ?? ""
        lines.add("PHOTO;ENCODING=b;TYPE=\(name)", photo.base64EncodedString())
    }
}
