import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Whatever is written, and by whom: answers with the index are those without.
@Suite struct SearchAgreementTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static let pieces = [
        "a", "A", "b", "e", "e\u{301}", "é", "É", "\u{301}", "\u{308}", "ß", "ẞ", "ss", "S", "ι", "Ι", "\u{345}", "ᾳ",
        "ᾼ",
        "α", "Α", "İ", "i", "ı", "I", "\u{0}", "*", "?", "\\", "\"", "日", "本", "가", "\u{1100}", "\u{1161}", "\u{11A8}",
        "\u{1D165}", "\u{302E}", "ſ", "\u{212A}", "ǰ", "ΐ", "ŉ", "ﬁ", "x", " ", "'", "%", "\u{FFFE}", "😀", "σ", "ς",
        "Σ",
    ]

    private func text(_ numbers: inout Numbers, most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in
            Self.pieces.randomElement(using: &numbers) ?? ""
        }.joined()
    }

    /// Part of a text, in another of its forms.
    private func pattern(_ texts: [String], _ numbers: inout Numbers) -> String {
        guard Int.random(in: 0..<5, using: &numbers) > 0, let text = texts.randomElement(using: &numbers) else {
            return self.text(&numbers, most: 6)
        }
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { return "" }
        let start = Int.random(in: 0..<scalars.count, using: &numbers)
        let end = Int.random(in: start..<min(scalars.count, start + 8), using: &numbers)
        let part = String(String.UnicodeScalarView(scalars[start...end]))
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: return part.uppercased()
        case 1: return part.lowercased()
        case 2: return part.decomposedStringWithCanonicalMapping
        case 3: return part.precomposedStringWithCanonicalMapping
        case 4: return TextFolding.folded(part, options: .diacriticInsensitive)
        default: return part
        }
    }

    private func predicate(_ texts: [String], _ numbers: inout Numbers) throws -> NSPredicate {
        func comparison() throws -> NSPredicate {
            let option = ["", "[c]", "[d]", "[cd]"].randomElement(using: &numbers) ?? ""
            let key = ["title", "body"].randomElement(using: &numbers) ?? ""
            let pattern = pattern(texts, &numbers)
            switch Int.random(in: 0..<7, using: &numbers) {
            case 6: return NSPredicate.search(pattern, in: Bool.random(using: &numbers) ? [key] : ["title", "body"])
            case 0: return try NSPredicate(parsing: "\(key) BEGINSWITH\(option) %@", arguments: [pattern])
            case 1: return try NSPredicate(parsing: "\(key) ENDSWITH\(option) %@", arguments: [pattern])
            case 2: return try NSPredicate(parsing: "\(key) LIKE\(option) %@", arguments: ["*" + pattern + "*"])
            default: return try NSPredicate(parsing: "\(key) CONTAINS\(option) %@", arguments: [pattern])
            }
        }
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: return NSCompoundPredicate(orPredicateWithSubpredicates: [try comparison(), try comparison()])
        case 1: return NSCompoundPredicate(andPredicateWithSubpredicates: [try comparison(), try comparison()])
        case 2: return NSCompoundPredicate(notPredicateWithSubpredicate: try comparison())
        default: return try comparison()
        }
    }

    private func texts(_ scene: SearchScene) throws -> [String] {
        try scene.stack.rows("SELECT ZTITLE FROM ZNOTE UNION ALL SELECT ZBODY FROM ZNOTE").compactMap { $0[0].text }
    }

    private func change(_ scene: SearchScene, _ other: Stack, _ numbers: inout Numbers) throws {
        let context = Bool.random(using: &numbers) ? scene.context : other.context
        context.reset()
        let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0:
            let update = NSBatchUpdateRequest(entityName: "Note")
            update.predicate = NSPredicate(format: "number == %d", Int.random(in: 0..<4, using: &numbers))
            update.propertiesToUpdate = ["title": text(&numbers, most: 20)]
            try context.execute(update)
        case 1:
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
            request.predicate = NSPredicate(format: "number == %d", Int.random(in: 0..<40, using: &numbers))
            try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        case 2:
            let rows = (0..<3).map { _ in ["title": text(&numbers, most: 20), "number": 2] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Memo", objects: rows))
        case 3:
            try scene.raw(
                "UPDATE ZNOTE SET ZBODY = ? WHERE Z_PK % 7 = ?",
                [.text(text(&numbers, most: 20)), .integer(Int64.random(in: 0..<7, using: &numbers))])
        case 4:
            notes.randomElement(using: &numbers)?.setValue("taken back", forKey: "title")
            context.rollback()
        default:
            for note in notes where Int.random(in: 0..<10, using: &numbers) == 0 {
                note.setValue(Bool.random(using: &numbers) ? text(&numbers, most: 20) : nil, forKey: "body")
            }
            if let note = notes.randomElement(using: &numbers) { context.delete(note) }
            for _ in 0..<4 {
                context.insert(
                    "Note",
                    [
                        "title": text(&numbers, most: 20), "body": text(&numbers, most: 30),
                        "number": Int.random(in: 0..<40, using: &numbers),
                    ])
            }
            try context.save()
        }
        context.reset()
    }

    @Test(arguments: TestSeed.sequences(3, exhaustive: 200))
    func answersAreTheSameWithAndWithout(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        let scene = try SearchScene()
        for _ in 0..<60 { scene.note(text(&numbers, most: 20), text(&numbers, most: 30)) }
        try scene.context.save()
        let other = try scene.stack.another()
        var used = 0
        for step in 0..<25 {
            try change(scene, other, &numbers)
            let texts = try texts(scene)
            for _ in 0..<8 {
                let predicate = try predicate(texts, &numbers)
                let expected = try scene.expected(predicate)
                let shown = "seed \(seed), step \(step): \(predicate.formatString)"
                var found: [[Int64]] = []
                let statements = try scene.stack.statements {
                    found.append(try SearchScene.keys(scene.context, predicate).sorted())
                }
                found.append(try SearchScene.keys(other.context, predicate).sorted())
                #expect(found == [expected, expected], "\(shown)")
                let first = try SearchScene.keys(scene.context, predicate, limit: 3)
                #expect(first == Array(expected.prefix(3)), "\(shown)")
                used += statements.count { $0.contains("search.trigrams") && $0.contains("ZNOTE") }
            }
            if step == 12 { try scene.reopen() }
        }
        // Otherwise it would only have been tested that scans agree with scans.
        #expect(used > 40, "seed \(seed)")
        try SearchScene.close(other)
    }
}

extension SearchScene {
    fileprivate static func close(_ stack: Stack) throws {
        stack.context.reset()
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    }
}
