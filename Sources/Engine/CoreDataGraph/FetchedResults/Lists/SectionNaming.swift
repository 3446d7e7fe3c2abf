import CoreDataStore

/// Makes the section names of a list: the text of a value, or the first letter of that text.
struct SectionNaming {
    let keyPath: String
    /// The locale for folding letters; nil if sections are not first letters.
    let letters: Locale?

    /// The name of an object's section.
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

    /// The first letter of a text in upper case and without diacritics; empty for an empty text.
    private static func letter(_ text: String, _ locale: Locale) -> String {
        guard let first = text.first else { return "" }
        let folded = String(first).folding(options: [.diacriticInsensitive, .widthInsensitive], locale: locale)
        return firstLetter(of: folded.uppercased(with: locale)) ?? String(first)
    }

    /// The first letter of a text in upper case; nil for an empty text.
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
