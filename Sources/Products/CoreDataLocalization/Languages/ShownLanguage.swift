import Foundation

/// The language in which a program with tables shows its texts, and what it writes numbers and dates by: of those that there are the
/// one that is wanted most, else English.
public struct ShownLanguage: Sendable {
    /// The language by the name that it has among those that there are, such as `fr`.
    public let name: String
    /// What numbers and dates are written by; nil for the plain forms of English texts: digits without groups, and ISO 8601.
    ///
    /// English has plain forms unless a person named a region with it, since scripts read them.
    public let formats: Locale?

    /// Chooses for what is wanted.
    ///
    /// - Parameters:
    ///   - choice: the languages that are wanted, and the locale of the formats.
    ///   - available: the names of the languages that there are besides English.
    ///   - isNamed: whether a person named the language for this program, so that the region of English counts.
    public init(_ choice: LanguageChoice, among available: [String], isNamed: Bool) {
        let match = LanguageMatch(among: available + ["en"])
        let found = choice.languages.lazy.compactMap { tag in match.best(for: [tag]).map { (tag, $0) } }.first
        guard let (tag, name) = found else {
            (self.name, formats) = ("en", nil)
            return
        }
        self.name = name
        if tag.language == "en", !isNamed || tag.region == nil {
            formats = nil
        } else {
            formats = tag == choice.languages.first ? choice.locale : tag.locale
        }
    }

    /// The tag of the language.
    public var tag: LanguageTag { LanguageTag(name) ?? .english }

    /// Whether lines of the language run from right to left.
    public var isRightToLeft: Bool { tag.isRightToLeft }
}

extension LanguageTag {
    /// Whether lines of the language's script run from right to left.
    public var isRightToLeft: Bool {
        ["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Samr"].contains(likely.script)
    }

    /// The language by its name in itself, such as `Deutsch`; the tag where there is none.
    public var ownName: String {
        Locale(identifier: description).localizedString(forIdentifier: description).map {
            $0.prefix(1).uppercased(with: locale) + $0.dropFirst()
        } ?? description
    }
}
