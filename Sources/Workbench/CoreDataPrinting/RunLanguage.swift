import CoreDataBrowserServer
import CoreDataLocalization
import CoreDataWorkbench
import Synchronization

/// The language of this run, in which results and errors are printed for people; what is for programs stays as it is.
///
/// The program says everything in English. `SentenceTable` finds the same in another language: the tables that the
/// browser's page uses too, those of the tool, and the texts of validation errors.
package enum RunLanguage {
    private struct Words: Sendable {
        var asked: String?
        var sentences: SentenceTable?
        var formats: FormatStyleTable?
    }

    /// Set once, before the command runs.
    private static let words = Mutex(Words())

    /// Takes the language of the run; `option` is what `--language` says.
    package static func use(_ choice: LanguageChoice, option: String?) {
        let shown = ShownLanguage(choice, among: PageLanguages.all, isNamed: option != nil)
        if shown.name != "en" || option != nil { ModelTexts.languages = choice.languages }
        words.withLock {
            $0.asked = option
            $0.sentences = PageLanguages.sentences(shown, parts: ["tool", "server"])
            $0.formats = shown.formats.map { FormatStyleTable(locale: $0) }
        }
    }

    /// What `--language` says; nil without it.
    package static var asked: String? { words.withLock { $0.asked } }

    /// How the region writes numbers and dates; nil for the plain forms of English.
    static var formats: FormatStyleTable? { words.withLock { $0.formats } }

    /// What the program says in English, in the language of the run; as it is where there is no translation.
    package static func text(_ english: String) -> String {
        guard let sentences = words.withLock({ $0.sentences }) else { return english }
        return SpokenLine(sentences).text(english)
    }

    /// A count as the region writes it.
    static func number(_ count: Int) -> String { formats?.text(count) ?? "\(count)" }

    /// A line of standard error, whose labels stand before the text.
    static func line(_ english: String) -> String {
        for label in ["\(Release.name): warning: ", "\(Release.name): "] where english.hasPrefix(label) {
            let own = label.hasSuffix("warning: ") ? "\(Release.name): \(text("warning")): " : label
            return own + text(String(english.dropFirst(label.count)))
        }
        return text(english)
    }
}
