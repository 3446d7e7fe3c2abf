import CoreData
import FoundationNetworking
import TestBasics
import Testing

@Suite struct BrowsePrintTests {
    /// An address of each kind of view of a store.
    private static let views = [
        "/", "/stores/1", "/stores/1/counts", "/stores/1/model", "/stores/1/entities/Book",
        "/stores/1/entities/Book?sort=-title&keys=title,pages,author.name&limit=2&offset=1",
        "/stores/1/entities/Book?where=pages%20%3E%3D%200&section=title",
        "/stores/1/entities/Book/sections?section=title",
        "/stores/1/entities/Book/facets?keys=title", "/stores/1/objects/Book/p1", "/stores/1/objects/Book/p1/preview",
        "/stores/1/objects/Book/p1/related/author", "/stores/1/objects/Book/p1/values/title",
        "/stores/1/predicate?entity=Book&where=title%20%3D", "/stores/1/history",
        "/stores/1/deletion?objects=Book/p1",
    ]

    @Test("browse --print prints what the page's address answers, byte by byte (BRW-14, BRW-51)")
    func browsePrintPrintsWhatPagesAddressAnswers() async throws {
        let library = try Library()
        defer { library.remove() }
        let token = library.store.deletingLastPathComponent().appendingPathComponent("token")
        let server = try BrowseServer(library.store, ["--token-file", token.path])
        defer { try? FileManager.default.removeItem(at: server.folder) }
        await eventually("the address") { server.text.hasSuffix("\n") }
        defer { server.end(SIGTERM) }
        let secret = try String(contentsOf: token, encoding: .utf8).trimmingCharacters(in: .newlines)
        for view in Self.views {
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(view)")))
            request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
            let (served, response) = try await URLSession.shared.data(for: request)
            let printed = try Tool.run(
                ["browse", library.store.path, "--print", view],
                environment: ["XDG_STATE_HOME": server.folder.appendingPathComponent("own").path])
            #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(view)")
            #expect(printed.code == 0, "\(view): \(printed.errors)")
            let text = String(decoding: served, as: UTF8.self)
            #expect(printed.output == text, "\(view)")
            #expect(!text.isEmpty)
        }
    }

    @Test("browse --print leaves no file beside a store (BRW-14)", arguments: [false, true])
    func leavesNothing(hasHistory: Bool) throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let state = ["XDG_STATE_HOME": folder.path]
        let (library, diary) = (try Library(), try Diary())
        defer {
            library.remove()
            diary.remove()
        }
        let store = hasHistory ? diary.store : library.store
        let before = try FolderState(around: store)
        let entity = hasHistory ? "Note" : "Book"
        for view in ["/stores/1", "/stores/1/entities/\(entity)?limit=5", "/stores/1/history"] {
            let printed = try Tool.run(["browse", store.path, "--print", view], environment: state)
            #expect(printed.code == 0 && !printed.output.isEmpty, "\(printed.errors)")
            #expect(try FolderState(around: store) == before, "\(view)")
        }
    }

    @Test("fetch and get print the values that lists and objects of the page have (BRW-51)")
    func sameValues() throws {
        let library = try Library()
        defer { library.remove() }
        let state = ["XDG_STATE_HOME": library.folder.appendingPathComponent("state").path]
        func view(_ address: String) throws -> [String: Any] {
            try Tool.run(["browse", library.store.path, "--print", address], environment: state).json()
        }
        let fetched = try Tool.run("fetch", library.store.path, "Book", "--sort", "title", "--format", "json")
            .json(as: [[String: Any]].self)
        let rows = try #require(try view("entities/Book?sort=title")["rows"] as? [[String: Any]])
        #expect(fetched.count == 4 && rows.count == 4)
        for (object, row) in zip(fetched, rows) {
            let id = try #require(row["id"] as? String)
            #expect((object["objectID"] as? String)?.hasSuffix("/" + id) == true)
            let attributes = try #require(object["attributes"] as? [String: Any])
            let values = try #require(row["values"] as? [String: Any])
            #expect(!values.isEmpty)
            for (key, value) in values where !((value as? [String: Any])?["bytes"] is Int) {
                #expect(value as? NSObject == attributes[key] as? NSObject, "\(id).\(key)")
            }
            let got = try Tool.run("get", library.store.path, id, "--format", "json").json(as: [String: Any].self)
            let shown = try #require(try view("objects/" + id)["attributes"] as? [[String: Any]])
            let all = Dictionary(
                uniqueKeysWithValues: shown.map { ($0["name"] as? String ?? "", $0["value"] ?? NSNull()) })
            #expect(all as NSDictionary == got["attributes"] as? NSDictionary, "\(id)")
        }
    }

    @Test("What the page does not have is refused in a line, and nothing is served")
    func whatPageDoesNotHaveIsRefusedInLine() throws {
        let library = try Library()
        defer { library.remove() }
        let entity = try Tool.run("browse", library.store.path, "--print", "entities/Bok")
        #expect(entity.code == 1 && entity.output.isEmpty && entity.errors.contains("did you mean 'Book'?"))
        for address in ["/stores/2", "nowhere", "/../etc", "entities/Book?where=%zz", "entities/Book?where=title ="] {
            let refused = try Tool.run("browse", library.store.path, "--print", address)
            #expect(refused.code == 1 && refused.output.isEmpty && refused.errorLines.count == 1, "\(address)")
        }
    }
}
