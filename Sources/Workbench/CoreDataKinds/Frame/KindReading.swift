import CoreData

/// What a value says to people, as lists, forms and the tool show it.
package struct KindReading: Sendable {
    /// The value in one line.
    package var text: String
    /// Where the value leads: an address of `https`, `http`, `mailto`, `tel` or `geo`, and of no other scheme.
    package var link: String?
    /// Red, green, blue and alpha, from 0 to 1.
    package var color: [Double]?
    /// A number that is shown in a style of `ValueStyle` instead of `text`, where numbers are written as a region does.
    package var number: (value: Decimal, style: String)?
    /// Latitude and longitude in degrees.
    package var place: (latitude: Double, longitude: Double)?
    /// The text that an editor begins with.
    package var entry: String
    /// Why the value is none of the kind; it is shown as it is.
    package var problem: String?

    package init(_ text: String, entry: String? = nil, link: String? = nil) {
        (self.text, self.entry, self.link) = (text, entry ?? text, link)
    }

    /// A value that is none of the kind.
    package static func none(_ text: String, _ problem: String) -> KindReading {
        var reading = KindReading(text)
        reading.problem = problem
        return reading
    }

    /// Whether the value is none of the kind.
    package var isProblem: Bool { problem != nil }

    package var json: JSONValue {
        var members: [(String, JSONValue)] = [("text", .string(text))]
        if entry != text { members.append(("entry", .string(entry))) }
        if let link { members.append(("link", .string(link))) }
        if let color { members.append(("color", .array(color.map { .real(($0 * 10_000).rounded() / 10_000) }))) }
        if let number {
            members.append(("number", .string(NSDecimalNumber(decimal: number.value).stringValue)))
            members.append(("style", .string(number.style)))
        }
        if let place { members.append(("place", .array([.real(place.latitude), .real(place.longitude)]))) }
        if let problem { members.append(("problem", .string(problem))) }
        return .object(members)
    }
}

/// The values of one object at the key paths of a use.
package struct KindValues {
    private let values: [String: Any]

    package init(_ values: [String: Any]) { self.values = values }

    package subscript(path: String) -> Any? { values[path] }

    /// The text of a string or a URI.
    func text(_ path: String) -> String? { Self.text(values[path]) }

    static func text(_ value: Any?) -> String? {
        switch value {
        case let text as String: text
        case let url as URL: url.absoluteString
        default: nil
        }
    }

    /// The exact number; nil for NaN, infinities and what is no number.
    func number(_ path: String) -> Decimal? { Self.number(values[path]) }

    static func number(_ value: Any?) -> Decimal? {
        guard let number = value as? NSNumber else { return nil }
        // The digits that are shown of a binary fraction, not those of its exact value.
        let decimal = number is NSDecimalNumber ? number.decimalValue : Decimal(string: number.stringValue)
        guard let decimal, decimal.isFinite else { return nil }
        return decimal
    }
}
