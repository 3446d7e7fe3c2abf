import CoreData
import Testing

@testable import CoreDataSQLite

/// Texts in scripts whose marks are letters' parts: found alike with the index, without it and in memory.
@Suite struct ScriptTests {
    private static let texts = [
        "हिन्दी में किताब", "मेरी किताबें", "مُحَمَّد يَكْتُبُ", "محمد", "שָׁלוֹם עוֹלָם", "שלום", "ภาษาไทยง่าย",
        "ที่บ้าน", "می\u{200C}خواهم بروم", "ঢাকা শহর",
    ]

    @Test("CONTAINS[cd] finds Hindi, Arabic, Hebrew and Thai alike in the index, the file and memory (PRD-17)")
    func containsCdFindsHindi() throws {
        let scene = try SearchScene()
        for text in Self.texts { scene.note(text).setValue(text, forKey: "plain") }
        try scene.context.save()
        for (pattern, count) in [
            ("हिन्दी", 1), ("हिनदी", 1), ("किताब", 2), ("محمد", 2), ("مُحَمَّد", 2), ("שלום", 2), ("עוֹלָם", 1), ("ไทย", 1),
            ("ภาษา", 1), ("บาน", 1), ("শহর", 1), ("خواهم", 1), ("দিল্লি", 0),
        ] {
            let indexed = NSPredicate(format: "title CONTAINS[cd] %@", pattern)
            let found = try scene.keys("title CONTAINS[cd] %@", pattern)
            #expect(found.count == count, "\(pattern)")
            #expect(try found == scene.expected(indexed), "\(pattern)")
            #expect(try found == scene.keys("plain CONTAINS[cd] %@", pattern), "\(pattern)")
            if SearchKey.key(of: pattern).unicodeScalars.count >= SearchKey.length {
                #expect(try scene.usesIndex(indexed), "\(pattern)")
            }
        }
    }

    @Test("words of these scripts are found whole, with and without their marks, in store and memory (PRD-17)")
    func wordsOfTheseScriptsAreFoundWhole() throws {
        let scene = try SearchScene()
        for text in Self.texts { scene.note(text) }
        try scene.context.save()
        for (words, count) in [
            ("किताब", 2), ("किताबें", 2), ("हिनदी किताब", 1), ("محمد", 2), ("שלום", 2), ("שלום עולם", 1), ("ไทย", 0),
            ("ภาษาไทยง่าย", 1), ("میخواهم", 1), ("خواهم", 0), ("ঢাকা", 1),
        ] {
            let search = NSPredicate.search(words, in: ["title"])
            let found = try SearchScene.keys(scene.context, search).sorted()
            #expect(found.count == count, "\(words)")
            #expect(try found == scene.expected(search), "\(words)")
        }
    }
}
