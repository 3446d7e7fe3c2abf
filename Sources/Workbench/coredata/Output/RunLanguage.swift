import CoreDataBrowserServer
import CoreDataLocalization
import CoreDataWorkbench
import Synchronization

/// The language of this run, in which results and errors are printed for people; what is for programs stays as it is.
///
/// The program says everything in English. `SentenceTable` finds the same in another language: the tables that the
/// browser's page uses too, those of the tool, and the texts of validation errors.
enum RunLanguage {
    private struct Words: Sendable {
        var asked: String?
        var sentences: SentenceTable?
        var formats: FormatStyleTable?
    }

    /// Set once, before the command runs.
    private static let words = Mutex(Words())

    /// Takes `--language TAG` out of the words of a command line.
    ///
    /// - Throws: `UsageError` without a tag.
    static func option(in words: inout [String]) throws -> String? {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        guard let place = words[..<end].firstIndex(where: { $0 == "--language" || $0.hasPrefix("--language=") })
        else { return nil }
        let word = words.remove(at: place)
        if let sign = word.firstIndex(of: "=") { return String(word[word.index(after: sign)...]) }
        guard place < words.count else {
            throw UsageError("--language needs a value: --language TAG", command: nil)
        }
        return words.remove(at: place)
    }

    /// Chooses the language: that of the option, else that of `LC_ALL`, `LC_MESSAGES` or `LANG`, else English.
    ///
    /// - Throws: `UsageError` for an option that is not a tag.
    static func begin(
        _ option: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let choice: LanguageChoice
        do { choice = try LanguageChoice(option: option, environment: environment) } catch {
            throw UsageError("\(error)", command: nil)
        }
        let shown = ShownLanguage(choice, among: PageLanguages.all, isNamed: option != nil)
        if shown.name != "en" || option != nil { ModelTexts.languages = choice.languages }
        words.withLock {
            $0.asked = option
            $0.sentences = PageLanguages.sentences(shown, parts: ["tool", "server"])
            $0.formats = shown.formats.map { FormatStyleTable(locale: $0) }
        }
    }

    /// What `--language` says; nil without it.
    static var asked: String? { words.withLock { $0.asked } }

    /// How the region writes numbers and dates; nil for the plain forms of English.
    static var formats: FormatStyleTable? { words.withLock { $0.formats } }

    /// What the program says in English, in the language of the run; as it is where there is no translation.
    static func text(_ english: String) -> String {
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
