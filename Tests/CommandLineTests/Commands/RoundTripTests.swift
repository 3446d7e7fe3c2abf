import CoreData
import TestBasics
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

    @Test("what fetch prints of a store is inserted into another, and is the same there (TOOL-17)", arguments: stores)
    func contentsGoFromStoreToStore(path: String, entities: [String]) throws {
        let source = try Fixtures.copyOfStore("stores/\(path)")
        let target = try Fixtures.copyOfStore("stores/\(path)")
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

    @Test("edits of a store with persistent history are recorded in it", arguments: ["delete", "set", "insert"])
    func editsOfStoresWithHistoryAreRecorded(command: String) throws {
        let store = try Fixtures.copyOfStore("stores/\(Self.stores[2].path)")
        let words = [
            "delete": ["Book", "--all"], "set": ["Author/p1", "age=41"], "insert": ["Author", "age=41", "alias=Zoe"],
        ]
        let outcome = try Tool.run([command, store.path] + (words[command] ?? []) + ["--dry-run"])
        try #require(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        #expect(try Database.text(store, "SELECT max(Z_PK) FROM ATRANSACTION") == "1")
        let done = try Tool.run([command, store.path] + (words[command] ?? []))
        #expect(done.code == 0 && done.errors == "", "\(done.errors)")
        let transactions: [[String: Any]] = try Tool.run("history", store.path, "--limit", "1", "--format", "json")
            .json()
        #expect(transactions.count == 1 && transactions[0]["id"] as? Int == 2)
        #expect(transactions[0]["author"] as? String == "coredata")
        #expect(transactions[0]["processID"] as? String == "coredata")
        let changes = try #require(transactions[0]["changes"] as? [[String: Any]])
        #expect(changes.contains { $0["type"] as? String == (command == "set" ? "update" : command) })
    }
}
