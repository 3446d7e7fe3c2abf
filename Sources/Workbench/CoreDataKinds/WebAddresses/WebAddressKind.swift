import CoreData

/// An address of the web: a text or a URI that begins with `https:` or `http:`, or a host that begins with `www.`.
struct WebAddressKind: ValueKind {
    let name = "webAddress"
    let summary = "an address of the web, which opens"
    let types: Set<AttributeKind> = [.string, .uri]

    private static let rule = GuessRule(words: [
        "url", "uri", "link", "href", "website", "homepage", "web", "webpage", "permalink",
    ])

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { KindValues.text($0).flatMap(Self.link) != nil }
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        let text = values.text(use.key) ?? ""
        guard let link = Self.link(text) else { return .none(text, "it is no address of the web") }
        return KindReading(text, link: link)
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard Self.link(text) != nil else {
            throw refused(
                attribute, "it is no address of the web",
                hint: "give one that begins with https://, such as https://example.org")
        }
        guard AttributeKind(attribute) == .uri else { return text }
        return URL(string: text)
    }

    /// The address that a browser opens; nil for a text that is none. No other schemes, such as `javascript:`, are let through.
    static func link(_ text: String) -> String? {
        guard text.utf8.count <= 8_192, !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
        else { return nil }
        let whole = text.lowercased().hasPrefix("www.") ? "https://" + text : text
        guard let parts = URLComponents(string: whole), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.host, !host.isEmpty, let url = parts.url
        else { return nil }
        return url.absoluteString
    }
}
