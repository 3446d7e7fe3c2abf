import CoreDataLocalization
import Foundation

/// The greeting in the first of the wanted languages that the program has.
struct Greeting {
    let tables: StringTables

    /// Reads the tables of the folder `Texts`, which comes with the program.
    ///
    /// - Throws: `StringTableError` with file, line and column.
    init() throws {
        tables = try StringTables(folder: Bundle.module.bundleURL.appendingPathComponent("Texts"))
    }

    /// The language that is chosen for those that are wanted; nil if none of them is there.
    func language(for wanted: [LanguageTag]) -> String? { LanguageMatch(among: tables.languages).best(for: wanted) }

    /// The text of a key, such as `helloWorld`; a key that no table has is its own text.
    func text(_ key: String = "helloWorld", for wanted: [LanguageTag]) -> String {
        tables.text(key, languages: wanted)
    }
}
