import Foundation

/// The texts of a program in all its languages, in tables.
///
/// A text is looked for in the languages that are wanted, one after the other, then in the development language, then in English; a
/// key that is nowhere is its own text. So a translation that is missing is seen as English, and never as an empty place. A value,
/// so that several threads may use it.
public struct StringTables: Sendable {
    /// The table that is meant where none is named: `Localizable`.
    public static let standardTable = "Localizable"

    /// The language of the program's own texts, such as `en`.
    public let developmentLanguage: String
    /// Entries by language, table and key.
    private var entries: [String: [String: [String: TextEntry]]] = [:]
    /// The choice among the languages of the entries.
    private var match = LanguageMatch(among: [])

    /// Empty tables.
    public init(developmentLanguage: String = "en") { self.developmentLanguage = developmentLanguage }

    /// Adds texts to a table of a language; those with the same key are replaced.
    public mutating func add(_ texts: [String: TextEntry], language: String, table: String = standardTable) {
        let isNew = entries[language] == nil
        entries[language, default: [:]][table, default: [:]].merge(texts) { $1 }
        if isNew { match = LanguageMatch(among: Array(entries.keys)) }
    }

    /// Adds a `.strings` file to a table of a language.
    ///
    /// - Throws: `StringTableError` with line and column; nothing is added then.
    public mutating func add(strings data: Data, language: String, table: String = standardTable) throws {
        add(try StringsFile(data).texts.mapValues { TextEntry(.text($0)) }, language: language, table: table)
    }

    /// Adds a `.stringsdict` file to a table of a language.
    ///
    /// - Throws: `StringTableError` with the place or the key; nothing is added then.
    public mutating func add(stringsdict data: Data, language: String, table: String = standardTable) throws {
        add(try StringsdictReader.entries(data), language: language, table: table)
    }

    /// Adds a string catalog (`.xcstrings`) with all its languages to a table.
    ///
    /// - Throws: `StringTableError` with the key; nothing is added then.
    public mutating func add(catalog data: Data, table: String = standardTable) throws {
        for (language, texts) in try CatalogReader.tables(data).tables { add(texts, language: language, table: table) }
    }

    /// The languages that there are texts of, in alphabetical order.
    public var languages: [String] { entries.keys.filter { LanguageTag($0) != nil }.sorted() }

    /// The names of the tables in alphabetical order.
    public var tables: [String] { Set(entries.values.flatMap(\.keys)).sorted() }

    /// The keys of a table in a language.
    public func keys(table: String = standardTable, language: String) -> Set<String> {
        Set(entries[language]?[table].map { Array($0.keys) } ?? [])
    }

    /// The text for a key, with arguments in the places of its specifiers.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - table: the name of the table.
    ///   - languages: the languages that are wanted, the most wanted first.
    ///   - arguments: the values for `%@`, `%d` and so on; without any the text is not read as a format, and `%` stays `%`.
    ///   - default: the text for a key that no table has; left out, the key.
    ///   - locale: what numbers are written by; left out, that of the language in which the text was found.
    ///   - device: the kind of device, by Apple's names.
    public func text(
        _ key: String, table: String = standardTable, languages: [LanguageTag], arguments: [TextArgument] = [],
        default: String? = nil, locale: Locale? = nil, device: String = "other"
    ) -> String {
        let found = entry(key, table: table, languages: languages)
        let tag = found.flatMap { LanguageTag($0.language) } ?? .english
        return TextExpansion.text(
            found?.entry ?? TextEntry(.text(`default` ?? key)), arguments, rules: PluralRules(for: tag),
            locale: locale ?? tag.locale, device: device)
    }

    /// Whether a key is found in one of the languages, the development language or English.
    public func contains(_ key: String, table: String = standardTable, languages: [LanguageTag]) -> Bool {
        entry(key, table: table, languages: languages) != nil
    }

    /// The entry of a key in one language.
    func entry(_ key: String, table: String, in language: String) -> TextEntry? { entries[language]?[table]?[key] }

    private func entry(
        _ key: String, table: String, languages: [LanguageTag]
    ) -> (entry: TextEntry, language: String)? {
        let own = [LanguageTag(developmentLanguage), .english].compactMap { $0 }
        for tag in languages + own {
            for name in match.names(for: tag) {
                if let entry = entries[name]?[table]?[key] { return (entry, name) }
            }
        }
        return entries["Base"]?[table]?[key].map { ($0, "Base") }
    }
}
