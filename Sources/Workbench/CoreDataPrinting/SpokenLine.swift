import CoreDataLocalization

/// Translates a line by its parts: what it is about, sentences, the reference of a code, and what helps.
///
///     PATH: not saved: Author/p1: SENTENCE. SENTENCE. [1660] (HINT)
package struct SpokenLine {
    /// How many labels a line has at most.
    private static let mostLabels = 4
    private let sentences: SentenceTable

    init(_ sentences: SentenceTable) { self.sentences = sentences }

    func text(_ english: String) -> String { text(english, labels: Self.mostLabels) }

    private func text(_ english: String, labels: Int) -> String {
        guard let colon = english.firstRange(of: ": "), labels > 0,
            let name = label(english[..<colon.lowerBound])
        else { return ending(english) }
        return name + ": " + text(String(english[colon.upperBound...]), labels: labels - 1)
    }

    /// A path, an object or a word before a colon, which stays, or a text of the table; nil for a part of a sentence.
    private func label(_ text: Substring) -> String? {
        guard !text.contains("'"), !text.contains("\"") else { return nil }
        if let known = sentences.text(String(text)) { return known }
        return text.contains("/") || !text.contains(" ") ? String(text) : nil
    }

    /// The text behind the labels, with the reference of a code and what helps at its end.
    private func ending(_ english: String) -> String {
        guard let reference = english.firstRange(of: /\ \[[^\[\]]{1,80}\]/) else {
            return sentences.text(english) ?? english
        }
        let head = String(english[..<reference.lowerBound])
        let tail = String(english[reference.upperBound...])
        var hint = tail
        if tail.hasPrefix(" ("), tail.hasSuffix(")") {
            let inner = String(tail.dropFirst(2).dropLast())
            hint = " (" + (sentences.text(inner) ?? inner) + ")"
        }
        return (sentences.text(head) ?? head) + english[reference] + hint
    }
}
