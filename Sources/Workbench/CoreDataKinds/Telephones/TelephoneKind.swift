import CoreData

/// A telephone number, as people write it.
struct TelephoneKind: ValueKind {
    let name = "telephone"
    let summary = "a telephone number, which is called"
    let types: Set<AttributeKind> = [.string]

    private static let rule = GuessRule(
        words: ["phone", "telephone", "tel", "mobile", "cell", "cellphone", "fax", "phonenumber"], needsName: true)

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { ($0 as? String).flatMap(Self.link) != nil }
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        let text = values.text(use.key) ?? ""
        guard let link = Self.link(text) else { return .none(text, "it is no telephone number") }
        return KindReading(text, link: link)
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard Self.link(text) != nil else {
            throw refused(attribute, "it is no telephone number", hint: "give 3 to 15 digits, such as +49 30 901820")
        }
        return text
    }

    /// The address of RFC 3966; nil for a text that is no number. E.164 allows 15 digits.
    static func link(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        var digits = ""
        var `extension` = ""
        var isExtension = false
        var rest = Substring(text)
        while let character = rest.first {
            rest.removeFirst()
            if let digit = digit(character) {
                if isExtension { `extension`.append(digit) } else { digits.append(digit) }
            } else if character == "+", digits.isEmpty {
                digits.append("+")
            } else if isExtension {
                guard character == " " || character == "." else { return nil }
            } else if let mark = Self.extensions.first(where: { (String(character) + rest).lowercased().hasPrefix($0) })
            {
                rest = rest.dropFirst(mark.count - 1)
                isExtension = true
            } else {
                guard Self.separators.contains(character) else { return nil }
            }
        }
        let count = digits.count { $0 != "+" }
        guard (3...15).contains(count), !isExtension || (1...8).contains(`extension`.count) else { return nil }
        return "tel:" + digits + (isExtension ? ";ext=" + `extension` : "")
    }

    private static let separators = Set(" \u{A0}\u{202F}-\u{2010}\u{2011}().\\/")
    private static let extensions = ["extension", "ext.", "ext", "x", "#"]

    /// The ASCII digit of a decimal digit of any script.
    private static func digit(_ character: Character) -> Character? {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
            scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
        else { return nil }
        return "\(Int(value))".first
    }
}
