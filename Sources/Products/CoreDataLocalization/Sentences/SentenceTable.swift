import Foundation

/// Sentences that a program makes in English, in another language: by the English texts themselves, with places for what is filled in.
///
/// An entry is `"the entity '{}' has no property '{}'": "die Entität „{1}“ hat keine Eigenschaft „{2}“"`. A place is `{}`, or `#` for a
/// number; `{1}`, `{2}` … say where it goes. What is filled in is looked up too, and so are the parts of texts that are joined by
/// `: `, `; `, `, ` or brackets, and sentences after one another. What stands in quotation marks is a name, and stays as it is.
///
/// Further keys with `.zero`, `.one`, `.two`, `.few`, `.many` or `.other` behind an English text are its plural forms; the first number
/// that is filled in decides. The browser's page reads the same tables in `base/serverTextTable.js`.
public struct SentenceTable: Sendable {
    /// The greatest length of a text that is looked up, in bytes; none of a program's is longer.
    private static let longest = 800

    /// The entries without places.
    let whole: [String: String]
    /// The entries with places, those with the most text of their own first.
    let patterns: [SentencePattern]
    let rules: PluralRules
    let locale: Locale

    /// A table of a language.
    ///
    /// - Parameter locale: what the numbers that choose a plural form are written by; left out, that of the language.
    public init(_ texts: [String: String], language: LanguageTag, locale: Locale? = nil) {
        var (whole, found) = ([String: String](), [(SentencePattern, String)]())
        for (english, text) in texts where PluralForms.stem(of: english, in: texts) == nil {
            guard let pattern = SentencePattern(english, text, PluralForms(of: english, in: texts)) else {
                whole[english] = text
                continue
            }
            found.append((pattern, english))
        }
        self.whole = whole
        patterns = found.sorted { ($1.0.weight, $0.1) < ($0.0.weight, $1.1) }.map(\.0)
        rules = PluralRules(for: language)
        self.locale = locale ?? language.locale
    }

    /// A table of a language from a file of JSON: an object of texts.
    ///
    /// - Throws: an error of `JSONDecoder` for anything else.
    public init(json: [Data], language: LanguageTag, locale: Locale? = nil) throws {
        let tables = try json.map { try JSONDecoder().decode([String: String].self, from: $0) }
        self.init(tables.reduce(into: [:]) { $0.merge($1) { first, _ in first } }, language: language, locale: locale)
    }

    /// The text for an English one; nil where neither it nor a part of it is there.
    public func text(_ english: String) -> String? {
        english.utf8.count <= Self.longest ? SentenceSearch(self).joined(english, 0) : nil
    }
}
