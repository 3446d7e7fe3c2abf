import CoreData
import CoreDataTestSupport
import Testing

/// What `fetch` prints of stores that Apple's framework wrote, inserted into emptied copies of them.
@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct RoundTripTests {
    private static let stores: [(path: String, entities: [String])] = [
        ("coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite", ["Car", "Person"]),
        ("coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite", ["Car", "Person"]),
        (
            "coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
            ["Book", "Feedback", "Page", "Writer"]
        ),
        ("ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite", ["BookmarkEntity"]),
    ]

    /// The objects of a store, with what they are called in place of addresses, which differ.
    private func contents(_ store: URL, _ entities: [String]) throws -> (text: String, objects: [String]) {
        var text = ""
        var objects: [[String: Any]] = []
        for entity in entities {
            let outcome = try Tool.run("fetch", store.path, entity, "--format", "json")
            try #require(outcome.code == 0, "\(outcome.errors)")
            text += outcome.output
            objects += try outcome.json(as: [[String: Any]].self)
        }
        var names: [String: String] = [:]
        for object in objects {
            let values = try JSONSerialization.data(withJSONObject: object["attributes"] ?? [:], options: .sortedKeys)
            names[object["objectID"] as? String ?? ""] =
                "\(object["entity"] ?? "") " + String(decoding: values, as: UTF8.self)
        }
        let lines = objects.map { object in
            let relationships = object["relationships"] as? [String: Any] ?? [:]
            let ends = relationships.sorted { $0.key < $1.key }.map { key, end in
                let targets =
                    (end as? [String])?.compactMap { names[$0] }.sorted() ?? [names[end as? String ?? ""] ?? "-"]
                return "\(key): \(targets)"
            }
            return (names[object["objectID"] as? String ?? ""] ?? "") + ends.joined(separator: "; ")
        }
        return (text, lines.sorted())
    }

    @Test("TOOL-17: what fetch prints of a store is inserted into another, and is the same there", arguments: stores)
    func contentsGoFromStoreToStore(path: String, entities: [String]) throws {
        let source = try Fixtures.copyOfStore("stores/\(path)")
        let target = try Fixtures.copyOfStore("stores/\(path)")
        // A store with persistent history is only read.
        try Database.change(
            target, "DROP TABLE IF EXISTS ACHANGE", "DROP TABLE IF EXISTS ATRANSACTION",
            "DROP TABLE IF EXISTS ATRANSACTIONSTRING")
        let given = try contents(source, entities)
        #expect(given.objects.count > 0)
        for entity in entities {
            let outcome = try Tool.run("delete", target.path, entity, "--all")
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(try contents(target, entities).objects == [])
        let outcome = try Tool.run(["insert", target.path, "--json-file", "-"], input: given.text)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == given.objects.count)
        #expect(try contents(target, entities).objects == given.objects)
        // Plain SQL counts what is in the tables of the root entities.
        let count = try entities.reduce(0) { count, entity in
            count + (Int(try Database.text(target, "SELECT COUNT(*) FROM Z\(entity.uppercased())") ?? "") ?? 0)
        }
        #expect(count == given.objects.count)
    }

    @Test(
        "a store with persistent history is shown and not changed, and told so once",
        arguments: ["delete", "set", "insert"])
    func storesWithHistoryAreNotChanged(command: String) throws {
        let store = try Fixtures.copyOfStore("stores/\(Self.stores[2].path)")
        let before = try Data(contentsOf: store)
        let words = ["delete": ["Book", "--all"], "set": ["Book/p1", "title=x"], "insert": ["Book", "title=x"]]
        let outcome = try Tool.run([command, store.path] + (words[command] ?? []))
        #expect(outcome.code != 0)
        #expect(outcome.errors.components(separatedBy: "persistent history").count == 2, "\(outcome.errors)")
        #expect(try Data(contentsOf: store) == before)
        let fetched = try Tool.run("fetch", store.path, "Book", "--limit", "1")
        #expect(fetched.code == 0 && !fetched.output.isEmpty)
    }
}
