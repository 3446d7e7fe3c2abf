import CRawBaseline
import CoreData

/// An object with a text that is searched.
final class Page: NSManagedObject {
    static let table = PropertyTable([.stored("text")])

    override class var propertyTable: PropertyTable { table }

    var text: String? { attribute(0) }
}

/// The first results of a search for words, the best first: what a search field asks for.
enum TextSearch {
    static let all = [
        Benchmark(
            "FT", "fetch the best 50 of # objects for a word that a twentieth of them has", size: 1_000_000, bar: 2,
            stretch: 1.2
        ) { count, bench in
            let (url, rawURL) = try bench.once("pages \(count)") { try fill(bench, count) }
            let container = try Workbench.open(url, model)
            return Sides(
                ours: { try fetch(container, count) }, raw: { try rawFetch(rawURL, count) })
        }
    ]

    private static var model: NSManagedObjectModel {
        let model = Workbench.model("Page", [("text", .stringAttributeType)])
        model.entitiesByName["Page"]?.attributesByName["text"]?.userInfo = [CoreDataSearchIndexUserInfoKey: "YES"]
        return model
    }

    private static let words = [
        "alpha", "naïve", "café", "gamma", "delta", "straße", "store", "object", "context", "index", "lemma", "über",
        "note",
        "query", "fault", "graph",
    ]

    /// Ten to thirty words; in every twentieth text some of them are the one that is looked for.
    private static func text(_ row: Int) -> String {
        var state = UInt64(truncatingIfNeeded: row) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let count = 10 + next(20)
        let wanted = row % 20 == 0 ? 1 + next(4) : 0
        return (0..<count).map { $0 < wanted ? "wanted" : words[next(words.count)] }.joined(separator: " ") + " \(row)"
    }

    /// A store with a search index, and beside it a database in which FTS5 has the same texts.
    private static func fill(_ bench: Workbench, _ count: Int) throws -> (URL, URL) {
        let (url, rawURL) = (bench.place("Pages"), bench.place("RawPages"))
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        for start in stride(from: 0, to: count, by: 20_000) {
            let objects = (start..<min(count, start + 20_000)).map { ["text": text($0)] as [String: Any] }
            try context.performAndWait {
                _ = try context.execute(NSBatchInsertRequest(entityName: "Page", objects: objects))
            }
        }
        try Workbench.close(container)
        guard raw_fill_texts(rawURL.path, url.path) == 0 else { throw Failure("the raw texts cannot be written") }
        return (url, rawURL)
    }

    private static func fetch(_ container: NSPersistentContainer, _ count: Int) throws -> Sample {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Page>(entityName: "Page")
            request.predicate = .search("wanted", in: ["text"])
            request.sortDescriptors = [.searchRank(of: "wanted", in: ["text"])]
            request.fetchLimit = 50
            request.returnsObjectsAsFaults = false
            let start = raw_now()
            let pages = try context.fetch(request)
            let bytes = pages.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
            let seconds = raw_now() - start
            guard pages.count == min(50, (count + 19) / 20), bytes > 0 else {
                throw Failure("the search found \(pages.count) objects")
            }
            return Sample(seconds: seconds)
        }
    }

    private static func rawFetch(_ url: URL, _ count: Int) throws -> Sample {
        let query = """
            SELECT length(CAST(page.text AS BLOB)) FROM words JOIN page ON page.id = words.rowid
            WHERE words MATCH 'wanted' ORDER BY rank LIMIT 50
            """
        let result = raw_scan_keys(url.path, query)
        guard result.error == 0, result.rows == min(50, (count + 19) / 20), result.sum > 0 else {
            throw Failure("the raw search saw wrong texts: \(result)")
        }
        return Sample(seconds: result.seconds)
    }
}
