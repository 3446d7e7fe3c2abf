import CoreData
import FoundationNetworking
import StoreContract
import TestBasics
import Testing

@Suite struct BrowseJobTests {
    /// A program that asks a running server with its token.
    private struct Client {
        let server: BrowseServer
        let token: String
        let store: String

        func ask(_ method: String, _ path: String, _ body: Data? = nil, _ type: String = "application/json")
            async throws
            -> [String: Any]
        {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/stores/\(store)/\(path)"))
            var request = URLRequest(url: url)
            request.httpMethod = method
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            request.setValue("tab1", forHTTPHeaderField: "X-Tab")
            request.setValue("application/json", forHTTPHeaderField: "Accept")
            if let body {
                request.httpBody = body
                request.setValue(type, forHTTPHeaderField: "Content-Type")
            }
            let data = try await URLSession.shared.data(for: request).0
            return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        }

        /// A job once a condition holds.
        func job(_ id: String, until condition: ([String: Any]) -> Bool) async throws -> [String: Any] {
            while true {
                let job = try await ask("GET", "jobs/\(id)")
                if condition(job) || job["error"] is [String: Any] { return job }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private static func client(_ store: URL, in folder: URL) async throws -> Client {
        let token = folder.appendingPathComponent("token")
        let server = try BrowseServer(store, ["--write", "--token-file", token.path], in: folder)
        await eventually("the address") { server.text.hasSuffix("\n") }
        let text = try String(contentsOf: token, encoding: .utf8).trimmingCharacters(in: .newlines)
        let client = Client(server: server, token: text, store: "1")
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        request.setValue("Bearer \(text)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let data = try await URLSession.shared.data(for: request).0
        let list = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let id = (list?["stores"] as? [[String: Any]])?.first?["id"] as? String
        return Client(server: client.server, token: text, store: try #require(id))
    }

    private static func count(_ store: URL) throws -> Int {
        let stack = try Stack(SuperDB.model(), url: store)
        defer { try? stack.coordinator.remove(stack.store) }
        return try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero"))
    }

    @Test(
        "an import whose server is killed leaves nothing behind, is offered by the next one, and ends there (CONC-06, WEB-06)"
    )
    func killedServer() async throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(SuperDB.model(), url: store)
        SuperDB.fill(stack.context)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let rows = 150_000
        let table = Data(("name\n" + (0..<rows).map { "Hero \($0)\n" }.joined()).utf8)
        let first = try await Self.client(store, in: folder.url)
        let sent = try await first.ask("POST", "import/files?name=heroes.csv", table, "application/octet-stream")
        let file = try #require(sent["file"] as? String, "\(sent)")
        let body = Data("{\"file\": \"\(file)\", \"format\": \"csv\", \"entity\": \"Hero\", \"job\": true}".utf8)
        let id = try #require(try await first.ask("POST", "import", body)["id"] as? String)
        _ = try await first.job(id) { ($0["completed"] as? Int ?? 0) > 0 }
        kill(first.server.process.processIdentifier, SIGKILL)
        first.server.process.waitUntilExit(within: .seconds(30))
        #expect(try Self.count(store) == 5)
        let second = try await Self.client(store, in: folder.url)
        let unfinished = try await second.ask("GET", "jobs")["unfinished"] as? [[String: Any]] ?? []
        #expect(unfinished.count == 1 && unfinished[0]["id"] as? String == id, "\(unfinished)")
        #expect(unfinished.first?["subject"] as? String == "heroes.csv")
        _ = try await second.ask("POST", "jobs/\(id)/restart", Data("{}".utf8))
        let ended = try await second.job(id) { $0["state"] as? String == "finished" }
        #expect((ended["result"] as? [String: Any])?["inserted"] as? Int == rows, "\(ended)")
        #expect(try Self.count(store) == 5 + rows)
        #expect((try await second.ask("GET", "jobs")["unfinished"] as? [Any])?.isEmpty == true)
        second.server.end(SIGTERM)
    }
}
