import CoreDataFoundation
import CoreDataSQL
import SQLiteKit
import Testing

/// What fetches become where a search index is at hand, beside what they become without.
@MainActor
@Suite("Narrowed fetches as SQL")
struct SearchGoldenTests {
    private var world: QueryWorld { DifferentialTests.world }

    private var compiler: QueryCompiler {
        QueryCompiler(
            schema: world.schema, model: world.layout, storeIdentifier: "STORE",
            search: SearchCatalog(
                columns: [
                    SearchColumn(table: "ZPERSON", column: "ZNAME"), SearchColumn(table: "ZPERSON", column: "ZNICK"),
                    SearchColumn(table: "ZNOTE", column: "ZTEXT"),
                ],
                pairs: [SearchPair(table: "ZPERSON", x: "ZRATIO", y: "ZMEDIUM")]))
    }

    private static let formats = [
        "nick CONTAINS 'abcd'", "nick CONTAINS[cd] 'Éta\"b'", "nick CONTAINS 'ab'", "nick LIKE[c] 'abc*def?'",
        "nick BEGINSWITH 'abc'", "name BEGINSWITH 'abc'", "NOT nick ENDSWITH 'abc'", "nick MATCHES 'abc.*'",
        "nick == name OR nick CONTAINS 'abc'", "ANY notes.text CONTAINS 'abc'", "boss.nick CONTAINS 'abc'",
        "occurrencesOfWords:in:('swift data', nick) > 0", "occurrencesOfWords:in:('swift', nick) >= 1",
        "occurrencesOfWords:in:('swift', nick) > -1", "rankOfWords:in:('swift', nick) > 1000000",
        "ratio BETWEEN {1, 2} AND medium BETWEEN {3, 4}", "ratio > 1 AND ratio <= 2.5 AND medium == 7 AND small == 1",
        "ratio > 1 AND medium BETWEEN {3, 4}", "ratio BETWEEN {1, 2} AND medium > 3 OR flag == YES",
        "small == 1 OR (ratio BETWEEN {-1e300, 2} AND medium BETWEEN {3, 4})",
        "NOT (ratio BETWEEN {1, 2} AND medium BETWEEN {3, 4})",
        "boss.ratio BETWEEN {1, 2} AND boss.medium BETWEEN {3, 4}",
        "ratio BETWEEN {1, 2} AND boss.medium BETWEEN {3, 4}", "ratio BETWEEN {2, 1} AND medium BETWEEN {3, 4}",
    ]

    private func entry(
        _ title: String, _ predicate: NSPredicate?, _ descriptors: [NSSortDescriptor] = [], limit: Int = 0
    ) throws -> GoldenFile.Entry {
        let query = try world.query("Person", predicate, sortedBy: descriptors, limit: limit)
        let compiled = try compiler.select(query, columns: ["Z_PK"])
        let bound = compiled.parameters.map { "\($0)" }.joined(separator: ", ")
        let uses =
            (compiled.usesSearchIndex ? ["    asks the index"] : [])
            + (compiled.isOfBestHits ? ["    for the best"] : [])
        return GoldenFile.Entry(
            title: title, lines: ["    " + compiled.sql] + (bound.isEmpty ? [] : ["    with " + bound]) + uses)
    }

    private func ranked() throws -> [GoldenFile.Entry] {
        let one = NSSortDescriptor.searchRank(of: "swift data", in: ["nick"])
        let two = NSSortDescriptor.searchRank(of: "swift data", in: ["nick", "name"])
        let search = NSPredicate.search("data swift", in: ["nick"])
        let both = NSPredicate.search("swift data", in: ["nick", "name"])
        let narrow = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "small == 1"), both])
        let wide = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "small == 1"), search])
        let name = NSSortDescriptor(key: "name", ascending: true)
        let worst = NSSortDescriptor.searchRank(of: "swift data", in: ["nick"], ascending: true)
        return [
            try entry("search, without an order", search, limit: 5),
            try entry("search, by rank", search, [one], limit: 5),
            try entry("search, by rank, without a limit", search, [one]),
            try entry("search of two texts, by rank", both, [two], limit: 5),
            try entry("search in one of two texts, by rank in both", search, [two], limit: 5),
            try entry("search of two texts, by rank in one", both, [one], limit: 5),
            try entry("search and more, by rank", narrow, [two], limit: 5),
            try entry("search or more, by rank", wide, [one], limit: 5),
            try entry("all, by rank", nil, [one], limit: 5),
            try entry("search, by rank and name", search, [one, name], limit: 5),
            try entry("search, the worst first", search, [worst], limit: 5),
        ]
    }

    @Test("fetches become these texts where a search index is at hand (FET-03, FET-04)")
    func narrowedFetchesBecomeText() throws {
        let entries = try Self.formats.map { try entry($0, try NSPredicate(parsing: $0)) } + ranked()
        let file = try GoldenFile("Searches")
        if GoldenFile.isRecording { try file.record(entries, version: "any") }
        let differences = try GoldenFile("Searches").differences(from: entries, version: "any")
        let hint = "\(GoldenFile.recordingVariable)=1 records them"
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))\n\(hint)")
    }
}
