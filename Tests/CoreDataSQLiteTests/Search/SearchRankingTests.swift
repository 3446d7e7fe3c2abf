import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import CoreDataSQLite

/// The first results by rank, which the index gives, are those of a store without one.
@Suite struct SearchRankingTests {
    private static let words = ["data", "Data", "swift", "Straße", "été", "日本", "данные", "ΛΟΓΟΣ", "fi", "x", "y"]

    private func text(_ random: inout SeededRandom, _ most: Int) -> String? {
        guard random.next(below: 12) > 0 else { return nil }
        return (0..<random.next(below: most)).map { _ in Self.words[random.next(below: Self.words.count)] }
            .joined(separator: " ")
    }

    private func keys(
        _ context: NSManagedObjectContext, _ words: String, _ keys: [String], _ predicate: NSPredicate?, limit: Int,
        offset: Int = 0
    ) throws -> [Int64] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
        request.predicate = predicate
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        request.sortDescriptors = [.searchRank(of: words, in: keys)]
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request).compactMap { Int64($0.uriRepresentation().lastPathComponent.dropFirst()) }
    }

    private func expected(
        _ scene: SearchScene, _ words: String, _ keys: [String], _ predicate: NSPredicate?, limit: Int, offset: Int = 0
    ) throws -> [Int64] {
        let rank = SearchRank(words: words, keyPaths: keys)
        let rows = try scene.stack.rows("SELECT Z_PK, ZTITLE, ZBODY, ZPLAIN, ZNUMBER FROM ZNOTE").map { row in
            let pairs = zip(["title", "body", "plain"], row[1...3].map(\.text)).compactMap { name, text in
                text.map { (name, $0 as Any) }
            }
            var object = Dictionary(uniqueKeysWithValues: pairs)
            object["number"] = row[4].integer.map { Int($0) } ?? 0
            return (key: row[0].integer ?? 0, object: object)
        }
        let found = rows.filter { predicate?.evaluate(with: $0.object) ?? true }.map { row in
            (rank.value { row.object[$0] }, row.key)
        }
        let sorted = found.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1)
        return Array(sorted.dropFirst(offset).prefix(limit))
    }

    private func asksForBest(_ scene: SearchScene, _ body: () throws -> Void) throws -> Bool {
        try scene.stack.statements(body).contains { $0.contains(SQLFunctionLibrary.indexedRank) }
    }

    private func change(_ scene: SearchScene, _ random: inout SeededRandom) throws {
        let notes = try scene.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        for note in notes {
            switch random.next(below: 8) {
            case 0: note.setValue(text(&random, 20), forKey: "body")
            case 1: note.setValue(text(&random, 6), forKey: "title")
            case 2 where notes.count > 50: scene.context.delete(note)
            default: break
            }
        }
        for _ in 0..<20 {
            let note = scene.note(text(&random, 6), text(&random, 20))
            note.setValue(text(&random, 6), forKey: "plain")
            note.setValue(random.next(below: 5), forKey: "number")
        }
        try scene.context.save()
        scene.context.reset()
        guard random.next(below: 3) == 0 else { return }
        try scene.raw("UPDATE ZNOTE SET ZTITLE = 'data data' WHERE Z_PK % 11 = 3")
    }

    @Test(
        "results by rank are the same with and without the index (FET-04)",
        arguments: TestSeed.sequences(3, exhaustive: 150))
    func answersAreTheSameWithAndWithout(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scene = try SearchScene()
        var best = 0
        for _ in 0..<8 {
            try change(scene, &random)
            for _ in 0..<12 {
                let words = (0...random.next(below: 2)).map { _ in Self.words[random.next(below: Self.words.count)] }
                    .joined(separator: " ")
                let keys = [["title"], ["body"], ["title", "body"], ["title", "plain"]][random.next(below: 4)]
                let search = NSPredicate.search(words, in: keys)
                let few = NSPredicate(format: "number == %d", random.next(below: 5))
                let predicates = [
                    search, NSCompoundPredicate(andPredicateWithSubpredicates: [few, search]),
                    NSCompoundPredicate(orPredicateWithSubpredicates: [few, search]), few,
                    NSCompoundPredicate(notPredicateWithSubpredicate: search), nil,
                ]
                let predicate = predicates[random.next(below: predicates.count)]
                let (limit, offset) = (1 + random.next(below: 12), random.next(below: 6))
                let wanted = try expected(scene, words, keys, predicate, limit: limit, offset: offset)
                var found: [Int64] = []
                let asked = try asksForBest(scene) {
                    found = try self.keys(scene.context, words, keys, predicate, limit: limit, offset: offset)
                }
                if asked { best += 1 }
                #expect(found == wanted, "seed \(seed): \(words) in \(keys), \(predicate?.formatString ?? "")")
            }
        }
        #expect(best > 2, "seed \(seed)")
    }

    @Test(arguments: [
        ("data", ["title"], 5, true), ("data", ["title", "body"], 5, true), ("data", ["title"], 0, false),
        ("data", ["title", "plain"], 5, false), ("data", ["folder.name"], 5, false), ("", ["title"], 5, false),
        (String(repeating: "x", count: 1_001), ["title"], 5, false),
    ])
    func bestHitsAreAskedFor(words: String, keys: [String], limit: Int, isAsked: Bool) throws {
        let scene = try SearchScene()
        for number in 0..<20 { scene.note("data \(number)", "data") }
        try scene.context.save()
        let asked = try asksForBest(scene) {
            _ = try self.keys(scene.context, words, keys, .search(words, in: keys), limit: limit)
        }
        #expect(asked == isAsked)
    }

    @Test func rarePartOfManyHitsIsFoundWhole() throws {
        let scene = try SearchScene()
        for number in 0..<3_000 {
            // The wanted ones rank last.
            scene.note(number % 1_000 == 0 ? "data and more words" : "data data").setValue(
                number % 1_000 == 0 ? 1 : 0, forKey: "number")
        }
        try scene.context.save()
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            .search("data", in: ["title"]), NSPredicate(format: "number == 1"),
        ])
        let found = try keys(scene.context, "data", ["title"], predicate, limit: 50)
        #expect(found.count == 3)
        #expect(try expected(scene, "data", ["title"], predicate, limit: 50) == found)
    }

    @Test func falseIndexMakesNoFalseResults() throws {
        let scene = try SearchScene()
        for number in 0..<20 { scene.note(number < 10 ? "data \(number)" : "swift \(number)") }
        try scene.context.save()
        let side = try Connection.open(scene.sidePath)
        try side.execute("INSERT INTO words2(rowid, words) VALUES (15, 'data data data')")
        try side.execute("INSERT INTO words2(rowid, words) VALUES (900, 'data data data')")
        side.close()
        let found = try keys(scene.context, "data", ["title"], .search("data", in: ["title"]), limit: 10)
        #expect(found == Array(1...10))
    }
}
