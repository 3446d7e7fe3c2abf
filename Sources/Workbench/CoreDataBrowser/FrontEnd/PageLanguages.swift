import CoreData
import CoreDataLocalization

/// The languages that the page and the tool have texts in.
package enum PageLanguages {
    /// Their tags, in the order of the page's menu.
    package static let all = ["en", "de", "fr", "ar"]

    /// The name of a language in itself.
    static func name(of language: String) -> String { LanguageTag(language)?.ownName ?? language }

    /// The texts of errors and results, which are English, in a language; nil for English, and where its files are not found.
    ///
    /// - Parameter parts: The tables that are wanted, such as `server` and `tool`.
    package static func sentences(
        _ language: ShownLanguage, parts: [String], options: BrowserOptions = BrowserOptions()
    ) -> SentenceTable? {
        guard language.name != "en" else { return nil }
        let files = parts.compactMap { try? FrontEnd.data("strings/\($0)/\(language.name).json", options) }
        return try? SentenceTable(json: files, language: language.tag, locale: language.formats)
    }
}
