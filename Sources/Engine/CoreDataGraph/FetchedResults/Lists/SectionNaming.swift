import CoreDataStore

/// What the sections of a list are called: the text of a value, or the first letter of that.
struct SectionNaming {
    let keyPath: String
    /// The locale by which letters are folded; nil where sections are not letters.
    let letters: Locale?

    /// The name of the section that an object belongs to.
    ///
    /// - Throws: `UnknownKeyError` for a key that the object does not have.
    func name(of object: NSManagedObject) throws -> String {
        name(ofValue: try object.codedValue(forKeyPath: keyPath))
    }

    /// The name for a value; empty for nil.
    func name(ofValue value: Any?) -> String {
        let text = Self.text(value)
        return letters.map { Self.letter(text, $0) } ?? text
    }

    /// The first letter of a text, without case and marks; empty for an empty text.
    private static func letter(_ text: String, _ locale: Locale) -> String {
        guard let first = text.first else { return "" }
        let folded = String(first).folding(options: [.diacriticInsensitive, .widthInsensitive], locale: locale)
        return firstLetter(of: folded.uppercased(with: locale)) ?? String(first)
    }

    /// The first letter of a text as a capital; nil for an empty text.
    static func firstLetter(of text: String) -> String? {
        text.first.flatMap { String($0).uppercased().first }.map { String($0) }
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let text as String: text
        case let flag as Bool: flag ? "1" : "0"
        case let number as NSNumber: number.stringValue
        case let url as URL: url.absoluteString
        case let uuid as UUID: uuid.uuidString
        case let object as NSObject: object.description
        case let value?: String(describing: value)
        }
    }
}
