import CoreDataLocalization
import CoreDataPrinting

/// The option `--language`, which every command takes.
enum LanguageOption {
    /// Takes `--language TAG` out of the words of a command line.
    ///
    /// - Throws: `UsageError` without a tag.
    static func take(from words: inout [String]) throws -> String? {
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

    /// Begins the language of the run: that of the option, else that of `LC_ALL`, `LC_MESSAGES` or `LANG`, else English.
    ///
    /// - Throws: `UsageError` for an option that is not a tag.
    static func begin(_ option: String?) throws {
        do { RunLanguage.use(try LanguageChoice(option: option), option: option) } catch {
            throw UsageError("\(error)", command: nil)
        }
    }
}
