import CoreData
import MarkdownKit

/// A text in Markdown, as CommonMark defines it.
struct MarkdownKind: ValueKind {
    let name = "markdown"
    let summary = "a text with headings, lists and links in Markdown"
    let types: Set<AttributeKind> = [.string]

    private static let certain: Set = ["markdown", "md"]
    private static let likely: Set = [
        "notes", "note", "body", "text", "content", "description", "summary", "details", "comment",
    ]

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

    func content(_ values: KindValues, _ use: KindUse) -> JSONValue? {
        values.text(use.key).flatMap(MarkdownTree.nodes).map { .array($0.map(\.json)) }
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

extension MarkdownNode {
    /// A text, or `{"part", "in"}` with what is special of the part.
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .lineBreak: .object([("part", .string("break"))])
        case .rule: .object([("part", .string("rule"))])
        case .element(let element, let nodes): .object(element.members + [("in", .array(nodes.map(\.json)))])
        }
    }
}

extension MarkdownNode.Element {
    fileprivate var members: [(String, JSONValue)] {
        func part(_ name: String, _ more: (String, JSONValue)...) -> [(String, JSONValue)] {
            [("part", .string(name))] + more
        }
        return switch self {
        case .paragraph: part("paragraph")
        case .quote: part("quote")
        case .emphasis: part("emphasis")
        case .strong: part("strong")
        case .deleted: part("deleted")
        case .code: part("code")
        case .heading(let level): part("heading", ("level", .count(level)))
        case .list(let start): part("list", ("start", .count(start)))
        case .item(let isDone): part("item", ("done", isDone.map { .bool($0) } ?? .null))
        case .codeBlock(let language): part("codeBlock", ("language", .string(language)))
        // Only addresses of the web and of mail are let through, as with the kinds of these.
        case .link(let address, let title): part("link", ("link", .text(Self.link(address))), ("title", .string(title)))
        // Pictures of the web are not fetched: who reads a text would be seen by its author.
        case .image(let address, let title):
            part("image", ("link", .text(Self.link(address))), ("title", .string(title)))
        case .table: part("table")
        case .row: part("row")
        case .cell(let isHead): part("cell", ("head", .bool(isHead)))
        }
    }

    private static func link(_ address: String) -> String? {
        guard address.lowercased().hasPrefix("mailto:") else { return WebAddressKind.link(address) }
        return MailAddressKind.isAddress(String(address.dropFirst(7).prefix { $0 != "?" })) ? address : nil
    }
}
