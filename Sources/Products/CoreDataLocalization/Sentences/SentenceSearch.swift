/// The search for the text of one English text, which remembers what it found for parts that several joints lead to.
final class SentenceSearch {
    private struct Part: Hashable {
        let text: String
        let depth: Int
        /// Whether the parts that it is joined of were looked up too.
        let isDivided: Bool
    }

    /// How deep parts of parts are looked up.
    private static let greatestDepth = 4

    private let table: SentenceTable
    private var found: [Part: String?] = [:]

    init(_ table: SentenceTable) { self.table = table }

    /// What the table has for a text, or for one or both of the parts that it is joined of.
    func joined(_ english: String, _ depth: Int) -> String? {
        if let exact = table.whole[english] { return exact }
        guard depth <= Self.greatestDepth else { return nil }
        return remembered(Part(text: english, depth: depth, isDivided: true)) { divided(english, depth) }
    }

    /// A text, or a text of which a part is filled in.
    private func known(_ english: String, _ depth: Int) -> String? {
        if let exact = table.whole[english] { return exact }
        return remembered(Part(text: english, depth: depth, isDivided: false)) { filled(english, depth) }
    }

    private func remembered(_ part: Part, _ search: () -> String?) -> String? {
        if let text = found[part] { return text }
        let text = search()
        found.updateValue(text, forKey: part)
        return text
    }

    private func filled(_ english: String, _ depth: Int) -> String? {
        let bytes = Array(english.utf8)
        for pattern in table.patterns {
            guard let values = pattern.values(in: bytes), isFilled(bytes, values[0], depth) else { continue }
            return pattern.text(values, rules: table.rules, locale: table.locale) { joined($0, depth + 1) }
        }
        return nil
    }

    /// Whether what fills a place at the beginning can stand there: a word, or a text of the table, so that ends such as
    /// `{} characters` do not take whole sentences.
    private func isFilled(_ english: [UInt8], _ value: String, _ depth: Int) -> Bool {
        !english.starts(with: value.utf8) || !value.contains { $0.isWhitespace }
            || (depth < Self.greatestDepth && known(value, depth + 1) != nil)
    }

    private func divided(_ english: String, _ depth: Int) -> String? {
        // Sentences before one pattern for all of them: what is filled in would take the next sentence as well.
        for parts in SentenceJoint.sentences(english) {
            if let left = known(parts.first, depth + 1), let right = joined(parts.second, depth + 1) {
                return left + parts.between + right
            }
        }
        if let found = known(english, depth) { return found }
        for parts in SentenceJoint.parts(english) {
            let (left, right) = (joined(parts.first, depth + 1), joined(parts.second, depth + 1))
            guard left != nil || right != nil else { continue }
            return (left ?? parts.first) + parts.between + (right ?? parts.second) + parts.end
        }
        return nil
    }
}
