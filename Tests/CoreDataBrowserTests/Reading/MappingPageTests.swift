import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import TestServers
import Testing

@Suite("Imports by mappings and from URLs in the page", .timeLimit(.minutes(3)))
struct MappingPageTests {
    private let heroes: ImportedHeroes

    init() throws { heroes = try ImportedHeroes() }

    private static let document = """
        {"meta": {"count": 3}, "people": [
        {"name": "Yota", "alias": {"civil": "Yve"}, "born": "03.02.2001"},
        {"name": "Zeta", "alias": {"civil": "Zoe"}, "born": "04.05.2002"},
        {"name": "Phi", "alias": {"civil": "Pia"}, "born": "long ago"}]}
        """

    private static let feed = """
        <?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
        <item><title>Yota</title><guid>a</guid></item><item><title>Zeta</title><guid>b</guid></item>
        </channel></rss>
        """

    @Test("a mapping is guessed, corrected as keys or as text, tried, and imported as a job (WEB-06, BRW-48)")
    func guessedMapping() async throws {
        let tab = try heroes.tab()
        let file = try #require(try await heroes.send(Self.document, tab, name: "people.json")["file"].text)
        let guessed = try await tab.ask("POST", "import/mapping", "{\"file\": \"\(file)\", \"entity\": \"Hero\"}")
        #expect(guessed["mapping"]["at"].text == "people" && guessed["mapping"]["entity"].text == "Hero")
        #expect(guessed["mapping"]["properties"]["name"].text == "name")
        #expect(guessed["records"][0]["properties"].first("name", "name")["from"].text == "name")
        let keys = """
            {"format": "json", "at": "people", "entity": "Hero", "match": "name", "properties": {"name": "name", \
            "secretIdentity": "alias.civil", "birthDate": {"from": "born", "date": "dd.MM.yyyy"}}}
            """
        let given = try await tab.ask("POST", "import/mapping", "{\"file\": \"\(file)\", \"mapping\": \(keys)}")
        let text = try #require(given["text"].text)
        #expect(text.contains("secretIdentity = \"alias.civil\";"))
        let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let read = try await tab.ask(
            "POST", "import/mapping", "{\"file\": \"\(file)\", \"mapping\": {\"text\": \(quoted)}}")
        #expect(read["mapping"].sorted == given["mapping"].sorted)
        let body = "{\"file\": \"\(file)\", \"job\": true, \"mapping\": \(keys), \"leaveOutRefused\": true"
        let trial = try await tab.ended(
            tab.ask("POST", "import", body + ", \"dryRun\": true}", status: 202)["id"].text)["result"]
        #expect(trial["inserted"].number == 2 && trial["refused"].number == 1, "\(trial)")
        #expect(trial["rules"][0]["column"].text == "born" && trial["rules"][0]["records"][0]["line"].number == 4)
        let done = try await tab.ended(tab.ask("POST", "import", body + "}", status: 202)["id"].text)["result"]
        #expect(done["inserted"].number == 2 && done["saved"].flag == true && done["transaction"].number != nil)
        let row = try await tab.ask("GET", "entities/Hero?where=name%20%3D%20'Yota'&keys=secretIdentity,birthDate")
        #expect(row["rows"][0]["values"]["secretIdentity"].text == "Yve")
        #expect(row["rows"][0]["values"]["birthDate"].text == "2001-02-03T00:00:00.000Z")
    }

    @Test("what is wrong in a mapping is named before anything is read (WEB-06)")
    func wrongMapping() async throws {
        let tab = try heroes.tab()
        let file = try #require(try await heroes.send(Self.document, tab, name: "people.json")["file"].text)
        func reason(_ mapping: String) async throws -> String {
            try await tab.ask(
                "POST", "import/mapping", "{\"file\": \"\(file)\", \"mapping\": \(mapping)}", status: 422)[
                    "error"]["reason"].text ?? ""
        }
        func keys(_ more: String) -> String { "{\"entity\": \"Hero\", \(more)}" }
        #expect(try await reason(keys("\"properties\": {\"nam\": \"name\"}")).contains("nam"))
        #expect(try await reason(keys("\"properties\": {\"name\": \"a\"}, \"mach\": \"x\"")).contains("mach"))
        #expect(try await reason("{\"text\": \"{ entity = \"}").contains("property list"))
        let deep = String(repeating: "{a=", count: 5_000)
        #expect(try await reason("{\"text\": \"\(deep)\"}").contains("property list"))
        _ = try await tab.ask("POST", "import/mapping", "{\"file\": \"\(file)\", \"mapping\": 7}", status: 422)
        let nobody = "{\"entity\": \"Nobody\", \"properties\": {\"a\": \"b\"}}"
        let job = try await tab.ask(
            "POST", "import", "{\"file\": \"\(file)\", \"job\": true, \"mapping\": \(nobody)}", status: 202)
        let ended = try await tab.ended(job["id"].text)
        #expect(ended["state"].text == "failed" && ended["error"]["reason"].text?.contains("Nobody") == true)
        #expect(ended["text"].text?.hasPrefix("Failed: ") == true)
        #expect(try await tab.ask("POST", "jobs/\(job["id"].text ?? "")/dismiss")["state"].text == "failed")
        #expect(try await tab.ask("GET", "jobs")["jobs"].list.isEmpty)
    }

    @Test("a feed that is fetched from a URL is taken by the ready-made mapping (WEB-11, BRW-48)")
    func feedFromURL() async throws {
        let server = try ScriptedServer { _, reply in
            try reply.respond(200, ["Content-Type: application/rss+xml"], text: Self.feed)
        }
        defer { server.stop() }
        let tab = try heroes.tab(hosts: ["127.0.0.1"])
        let url = server.url("/feed?token=hidden").absoluteString
        let started = try await tab.ask("POST", "import/urls", "{\"url\": \"\(url)\"}", status: 202)
        #expect(started["kind"].text == "download" && started["subject"].text == "127.0.0.1/feed")
        let ended = try await tab.ended(started["id"].text)
        let sent = ended["result"]
        #expect(sent["feed"].text == "rss" && sent["format"].text == "xml", "\(ended)")
        let file = try #require(sent["file"].text)
        let shown = try await tab.ask(
            "POST", "import/mapping", "{\"file\": \"\(file)\", \"mapping\": \"feed\", \"entity\": \"Hero\"}")
        #expect(shown["records"][0]["properties"].first("name", "name")["from"].text == "title")
        let body = "{\"file\": \"\(file)\", \"mapping\": \"feed\", \"entity\": \"Hero\", \"job\": true}"
        let done = try await tab.ended(tab.ask("POST", "import", body, status: 202)["id"].text)
        #expect(done["result"]["inserted"].number == 2, "\(done)")
        #expect(try heroes.names().contains("Yota"))
    }

    @Test(
        "a URL that leads to this machine is refused unless its host is allowed by name, also by a redirect (WEB-13)")
    func privateURL() async throws {
        let server = try ScriptedServer { request, reply in
            switch request.path {
            case "/away": try reply.respond(302, ["Location: http://127.0.0.2:1/"])
            case "/name": try reply.respond(302, ["Location: http://localhost:1/"])
            case "/file": try reply.respond(302, ["Location: file:///etc/passwd"])
            default: try reply.respond(200, ["Content-Type: text/csv"], text: "name\nYota\n")
            }
        }
        defer { server.stop() }
        func outcome(_ tab: EditingTab, _ url: String) async throws -> Reply {
            try await tab.ended(tab.ask("POST", "import/urls", "{\"url\": \"\(url)\"}", status: 202)["id"].text)
        }
        let strict = try heroes.tab(hosts: ["example.test"])
        for host in ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "2130706433"] {
            let refused = try await outcome(strict, "http://\(host):\(server.port)/heroes.csv")
            #expect(refused["state"].text == "failed", "\(host)")
            #expect(refused["error"]["reason"].text?.contains("private network") == true, "\(host): \(refused)")
            #expect(refused["error"]["hint"].text?.contains("--allow-import-from") == true)
        }
        #expect(server.connectionCount == 0)
        let tab = try heroes.tab(hosts: ["127.0.0.1"])
        let allowed = try await outcome(tab, server.url("/heroes.csv").absoluteString)
        #expect(allowed["result"]["columns"][0]["property"].text == "name", "\(allowed)")
        for path in ["/away", "/name"] {
            let refused = try await outcome(tab, server.url(path).absoluteString)
            #expect(refused["error"]["reason"].text?.contains("private network") == true, "\(path): \(refused)")
        }
        let file = try await outcome(tab, server.url("/file").absoluteString)
        #expect(file["error"]["reason"].text?.contains("only URLs of http and https") == true, "\(file)")
        for text in ["file:///etc/passwd", "ftp://example.test/", "gopher://127.0.0.1/", "/etc/passwd", "http://"] {
            let refused = try await tab.ask("POST", "import/urls", "{\"url\": \"\(text)\"}", status: 422)
            #expect(refused["error"]["code"].text == "badURL", "\(text)")
        }
    }

    /// A server of a document with two pages, of which the second one waits for a flag.
    private func pages(_ isOpen: ClosedFlag) throws -> ScriptedServer {
        try ScriptedServer { request, reply in
            let type = "Content-Type: application/json"
            guard request.path == "/2" else {
                let fields = [type, "Link: </2>; rel=\"next\""]
                return try reply.respond(200, fields, text: "{\"people\": [{\"name\": \"Yota\"}]}")
            }
            while !isOpen.value { Thread.sleep(forTimeInterval: 0.005) }
            try reply.respond(200, [type], text: "{\"people\": [{\"name\": \"Zeta\"}]}")
        }
    }

    /// Starts an import of such a document, and returns its job when the second page is being fetched.
    private func startPages(_ tab: EditingTab, _ server: ScriptedServer) async throws -> String? {
        let url = server.url("/people.json").absoluteString
        let download = try await tab.ask("POST", "import/urls", "{\"url\": \"\(url)\"}", status: 202)
        let file = try #require(try await tab.ended(download["id"].text)["result"]["file"].text)
        let keys = """
            {"format": "json", "at": "people", "entity": "Hero", "next": "$link", \
            "properties": {"name": "name", "secretIdentity": "name"}}
            """
        let job = try await tab.ask(
            "POST", "import", "{\"file\": \"\(file)\", \"job\": true, \"mapping\": \(keys)}", status: 202)
        while !server.requests.contains(where: { $0.path == "/2" }) { try await Task.sleep(for: .milliseconds(5)) }
        return job["id"].text
    }

    @Test("others save while the pages of a document come, and keep that when it is taken back (WEB-06, BRW-48)")
    func savingWhilePagesCome() async throws {
        let isSaved = ClosedFlag()
        let server = try pages(isSaved)
        defer {
            isSaved.set(true)
            server.stop()
        }
        let before = try heroes.names()
        let tab = try heroes.tab(hosts: ["127.0.0.1"])
        let job = try await startPages(tab, server)
        let alpha = try await tab.ask("GET", "entities/Hero?where=name%20%3D%20'Alpha'")["rows"][0]["id"].text ?? ""
        try await tab.stage("{\"do\": \"set\", \"object\": \"\(alpha)\", \"key\": \"name\", \"value\": \"Mine\"}")
        try await tab.save()
        isSaved.set(true)
        let result = try await tab.ended(job)["result"]
        #expect(result["inserted"].number == 2, "\(result)")
        let name = try #require(result["import"].text)
        let reversal = try await tab.ask("POST", "import/reversal", "{\"import\": \"\(name)\"}", status: 202)
        #expect(try await tab.ended(reversal["id"].text)["state"].text == "finished")
        #expect(try heroes.names() == before.map { $0 == "Alpha" ? "Mine" : $0 }.sorted())
    }

    @Test("a store of one file stays open while the pages of a document come (WEB-06, BRW-48)")
    func readingWhilePagesCome() async throws {
        let isRead = ClosedFlag()
        let server = try pages(isRead)
        defer {
            isRead.set(true)
            server.stop()
        }
        var project = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { project.deleteLastPathComponent() }
        let package = project.appendingPathComponent("Examples/SuperDB/Sources/Model/SuperDB.xcdatamodeld")
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Heroes.xml")
        let stack = try Stack(try #require(NSManagedObjectModel(contentsOf: package)), url: file, kind: .xml)
        stack.context.insert("Hero", ["name": "A", "secretIdentity": "B"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        options.importHosts = ["127.0.0.1"]
        let browser = Browser(options: options)
        try browser.open(file, model: package, isWriting: true)
        let tab = EditingTab(browser)
        let job = try await startPages(tab, server)
        #expect(try await tab.ask("GET", "entities/Hero")["rows"].list.count == 1)
        isRead.set(true)
        let result = try await tab.ended(job)["result"]
        #expect(result["inserted"].number == 2, "\(result)")
        #expect(try await tab.ask("GET", "entities/Hero")["rows"].list.count == 3)
    }

    @Test("a download that is cancelled closes its connection (CONC-05, WEB-13)")
    func cancelledDownload() async throws {
        let isClosed = ClosedFlag()
        let server = try ScriptedServer { _, reply in
            try reply.send("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 1000000\r\n\r\nname\n")
            isClosed.set(reply.clientCloses(within: 60))
        }
        defer { server.stop() }
        let tab = try heroes.tab(hosts: ["127.0.0.1"])
        let url = server.url("/heroes.csv").absoluteString
        let id = try await tab.ask("POST", "import/urls", "{\"url\": \"\(url)\"}", status: 202)["id"].text
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await tab.ask("POST", "jobs/\(id ?? "")/cancel")
        #expect(try await tab.ended(id)["state"].text == "cancelled")
        while !isClosed.value { try await Task.sleep(for: .milliseconds(5)) }
    }
}

/// Set by the server's thread.
private final class ClosedFlag: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false

    var value: Bool { lock.withLock { isSet } }
    func set(_ flag: Bool) { lock.withLock { isSet = flag } }
}
