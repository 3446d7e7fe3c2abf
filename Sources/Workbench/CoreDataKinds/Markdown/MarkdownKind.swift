import CoreData

/// A text in Markdown, as CommonMark defines it.
struct MarkdownKind: ValueKind {
    let name = "markdown"
    let summary = "a text with headings, lists and links in Markdown"
    let types: Set<AttributeKind> = [.string]

    private static let certain: Set = ["markdown", "md"]
    private static let likely: Set = ["notes", "note", "body", "text", "content", "description", "summary", "details", "comment"]

    /// A text of people is guessed to be Markdown if it has marks that plain text seldom has.
    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, GuessRule(words: Self.certain, needsName: true)) { $0 is String }
            + entity.attributes.compactMap { attribute in
                guard AttributeKind(attribute.description) == .string, !attribute.words.isDisjoint(with: Self.likely)
                else { return nil }
                let texts = entity.values(of: attribute.key).compactMap { $0 as? String }
                guard texts.count(where: Self.hasMarks) * 5 >= texts.count, texts.contains(where: Self.hasMarks) else {
                    return nil
                }
                return KindGuess(KindUse(kind: name, key: attribute.key, origin: .guess), .both)
            }
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        KindReading(values.text(use.key) ?? "")
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? { text }

    /// Whether a text has two of: a heading, a list, emphasis, a link, code.
    static func hasMarks(_ text: String) -> Bool {
        let text = text.prefix(10_000)
        let marks = [
            text.contains(#/(?m)^#{1,6} \S/#), text.contains(#/(?m)^[-*+] \S.*\n[-*+] \S/#),
            text.contains(#/\*\*\S[^*\n]{0,200}\*\*/#), text.contains(#/\[[^\]\n]{1,200}\]\(https?:[^)\s]{1,500}\)/#),
            text.contains(#/(?m)^```/#), text.contains(#/(?m)^> \S/#),
        ]
        return marks.count(where: \.self) >= 2 || marks[3]
    }
}
