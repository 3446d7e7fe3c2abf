import CoreData

/// An address to write mail to, such as `name@example.org`.
struct MailAddressKind: ValueKind {
    let name = "mailAddress"
    let summary = "an address to write mail to"
    let types: Set<AttributeKind> = [.string]

    private static let rule = GuessRule(words: ["email", "mail", "emailaddress", "mailaddress"])

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { ($0 as? String).map(Self.isAddress) ?? false }
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        let text = values.text(use.key) ?? ""
        guard Self.isAddress(text) else { return .none(text, "it is no mail address") }
        let escaped = text.addingPercentEncoding(withAllowedCharacters: Self.unescaped) ?? text
        return KindReading(text, link: "mailto:" + escaped)
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard Self.isAddress(text) else {
            throw refused(attribute, "it is no mail address", hint: "give one such as name@example.org")
        }
        return text
    }

    /// What RFC 6068 lets stand in an address of `mailto:`.
    private static let unescaped = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'*+@")
    /// What RFC 5321 allows in an atom beside letters and digits.
    private static let marks = Set("!#$%&'*+-/=?^_`{|}~".unicodeScalars)

    /// Whether a text is a mailbox of RFC 5321 with a dot-atom before the sign; letters beyond ASCII are allowed as RFC 6531 does.
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { return false }
        let (local, domain) = (text[..<at], text[text.index(after: at)...])
        guard local.utf8.count <= 64, areAtoms(local, allowing: marks), domain.utf8.count <= 253 else { return false }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && areAtoms(domain, allowing: ["-"])
            && labels.allSatisfy { $0.utf8.count <= 63 && $0.first != "-" && $0.last != "-" }
            && !(labels.last ?? "").allSatisfy(\.isNumber)
    }

    /// Whether a text is of words with single dots between them.
    private static func areAtoms(_ text: Substring, allowing marks: Set<Unicode.Scalar>) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty
                && atom.unicodeScalars.allSatisfy { scalar in
                    scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
                        || marks.contains(scalar)
                        || scalar.properties.generalCategory == .nonspacingMark
                }
        }
    }
}
