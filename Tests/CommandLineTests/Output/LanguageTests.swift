import CoreData
import Foundation
import TestBasics
import Testing

@Suite struct RunLanguageTests {
    private let library: Library

    init() throws { library = try Library() }

    private func run(_ words: String..., environment: [String: String] = [:]) throws -> Tool.Outcome {
        let usual = ["LC_ALL": "", "LC_MESSAGES": "", "LANG": "C", "LANGUAGE": ""]
        return try Tool.run(words, environment: usual.merging(environment) { $1 })
    }

    @Test(
        "a result is in the language of --language, or of LC_ALL, LC_MESSAGES or LANG (L10N-02)",
        arguments: [
            (["--language", "de"], [:], "1 Objekt ausgewählt"), (["--language=fr-CA"], [:], "sélection : 1 objet"),
            (["--language", "zh,ar"], [:], "حُدِّد كائن واحد"), ([], ["LANG": "de_DE.UTF-8"], "1 Objekt ausgewählt"),
            ([], ["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"], "sélection : 1 objet"),
            ([], ["LANG": "de_DE.UTF-8", "LC_ALL": "C"], "1 object selected"), ([], [:], "1 object selected"),
            (["--language", "zh"], ["LANG": "de_DE"], "1 object selected"),
            ([], ["LANG": "en_US.UTF-8"], "1 object selected"),
        ] as [([String], [String: String], String)])
    func results(option: [String], environment: [String: String], expected: String) throws {
        defer { library.remove() }
        let usual = ["LC_ALL": "", "LC_MESSAGES": "", "LANG": "C", "LANGUAGE": ""]
        let words = ["set", library.store.path, "Novel", "genre=Myth", "--where", "title != nil", "--dry-run"]
        let outcome = try Tool.run(option + words, environment: usual.merging(environment) { $1 })
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").first.map(String.init) == expected)
    }

    @Test("an error and a wrong command line are in the language, with their words as they are (L10N-01)")
    func errors() throws {
        defer { library.remove() }
        let german = try run("--language", "de", "fetch", library.store.path, "Villain")
        #expect(german.code == 1 && german.errors.contains("das Modell hat keine solche Entität"), "\(german.errors)")
        let broken = try run(
            "set", library.store.path, "Author/p1", "name=" + String(repeating: "x", count: 21), "--language", "de")
        #expect(broken.code == 1)
        #expect(
            broken.errors.contains(
                "„name“ der Entität „Author“ ist länger, als das Modell erlaubt (höchstens 20 Zeichen)."),
            "\(broken.errors)")
        #expect(broken.errors.contains("[1660]"))
        let wrong = try run("--language", "fr", "fetch", library.store.path)
        #expect(wrong.code == 2 && wrong.errors.contains("ENTITY manque"), "\(wrong.errors)")
        #expect(wrong.errors.contains("Essayez « coredata fetch --help »."), "\(wrong.errors)")
        let unknown = try run("--language", "x", "inspect", library.store.path)
        #expect(unknown.code == 2 && unknown.errors.contains("'x' is not a language"))
        #expect(try run("inspect", library.store.path, "--language").code == 2)
    }

    @Test(
        "numbers and dates in tables follow the region (L10N-05, L10N-06)",
        arguments: [
            ("en-US", "1,000.42", "Apr 4, 2012 at 12:30:00 PM"), ("fr-FR", "1\u{202F}000,42", "4 avr. 2012 à 12:30:00"),
            ("de-DE", "1.000,42", "04.04.2012, 12:30:00"), ("en", "1000.42", "2012-04-04T12:30:00"),
        ])
    func formats(language: String, number: String, date: String) throws {
        defer { library.remove() }
        #expect(try run("set", library.store.path, "Book/p1", "price=1000.42").code == 0)
        #expect(try run("set", library.store.path, "Author/p1", "born=2012-04-04T12:30:00Z").code == 0)
        let books = try run("--language", language, "fetch", library.store.path, "Book", "--keys", "price")
        #expect(books.output.contains(number), "\(books.output)")
        let authors = try run("--language", language, "fetch", library.store.path, "Author", "--keys", "born")
        #expect(authors.output.replacing("\u{202F}PM", with: " PM").contains(date), "\(authors.output)")
    }

    @Test("what csv and json print is the same in every language (L10N-05)")
    func machineFormats() throws {
        defer { library.remove() }
        for format in ["csv", "json"] {
            let words = ["fetch", library.store.path, "Book", "--format", format]
            let plain = try Tool.run(words)
            let arabic = try Tool.run(words + ["--language", "ar-EG"])
            #expect(plain.output == arabic.output && !plain.output.isEmpty)
        }
        let check = ["check", library.store.path, "--format", "json"]
        #expect(try Tool.run(check).output == Tool.run(check + ["--language", "fr"]).output)
    }

    @Test("names are those of the model's tables, in tables and in errors (L10N-04)")
    func modelNames() throws {
        defer { library.remove() }
        let folder = library.folder.appendingPathComponent("de.lproj")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let table = "\"Entity/Author\" = \"Autor\";\n\"Property/name/Entity/Author\" = \"Vollständiger Name\";\n"
        try Data(table.utf8).write(to: folder.appendingPathComponent("LibraryModel.strings"))
        let words = library.model + ["--language", "de"]
        let list = try Tool.run(["fetch", library.store.path, "Author"] + words)
        #expect(list.output.contains("Vollständiger Name"), "\(list.output)\(list.errors)")
        let broken = try Tool.run(
            ["set", library.store.path, "Author/p1", "name=" + String(repeating: "x", count: 21)] + words)
        #expect(broken.errors.contains("„Vollständiger Name“ der Entität „Autor“ ist länger"), "\(broken.errors)")
        let english = try Tool.run(["fetch", library.store.path, "Author"] + library.model)
        #expect(!english.output.contains("Vollständiger"))
    }

    @Test("a check and a summary are whole in each language (L10N-01)", arguments: ["de", "fr", "ar"])
    func summaries(language: String) throws {
        defer { library.remove() }
        let sound = ["de": "Der Store ist in Ordnung.", "fr": "La base est intacte.", "ar": "المخزن سليم."]
        let check = try run("check", library.store.path, "--language", language)
        #expect(check.output.hasSuffix((sound[language] ?? "") + "\n"), "\(check.output)")
        let report = try run("inspect", library.store.path, "--language", language)
        #expect(!report.output.contains("ENTITY") && !report.output.contains("history"), "\(report.output)")
    }
}
