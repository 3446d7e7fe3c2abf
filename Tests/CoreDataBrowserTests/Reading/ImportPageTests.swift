import CoreData
import CoreDataBrowser
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

@Suite("Files that are imported on the page", .timeLimit(.minutes(3)))
struct ImportPageTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(SuperDB.model(), url: file)
        SuperDB.fill(stack.context)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    private func tab(isWriting: Bool = true, rules: BrowserRules = .everything) throws -> EditingTab {
        let browser = EditingTab.browser(beside: file, rules: rules)
        try browser.open(file, isWriting: isWriting)
        return EditingTab(browser)
    }

    /// Sends a file.
    @discardableResult
    private func send(
        _ text: String, _ tab: EditingTab, name: String = "heroes.csv", type: String = "application/octet-stream",
        status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let response = await tab.browser.respond(
            to: BrowserRequest(
                method: "POST", target: tab.browser.named("/stores/1/import/files?name=\(name)"),
                headers: ["X-Tab": tab.name, "Content-Type": type], body: BrowserBody(Array(text.utf8)),
                user: BrowserUser(name: tab.user)))
        let bytes = try await response.body.bytes(limit: 1 << 22)
        #expect(
            response.status == status, "\(String(decoding: bytes, as: UTF8.self))", sourceLocation: sourceLocation)
        return Reply(try? JSONSerialization.jsonObject(with: Data(bytes)))
    }

    private func names() throws -> [String] {
        let stack = try Stack(SuperDB.model(), url: file)
        defer { try? stack.coordinator.remove(stack.store) }
        return try stack.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    @Test(
        "a table is mapped by its titles, tried without a trace, and imported with the report of the command (BRW-48, BRW-51)"
    )
    func tableIsMappedByItsTitles() async throws {
        let tab = try tab()
        let sent = try await send("Name,secret identity,Notes\nAlpha,Changed,x\nZeta,Zoe,y\n", tab)
        #expect(sent["entity"].text == "Hero" && sent["format"].text == "csv")
        #expect(sent["columns"].list.map { $0["property"].text } == ["name", "secretIdentity", nil])
        let id = try #require(sent["file"].text)
        let map = "\"map\": {\"Name\": \"name\", \"secret identity\": \"secretIdentity\", \"Notes\": null}"
        let body = "{\"file\": \"\(id)\", \"format\": \"csv\", \"entity\": \"Hero\", \"match\": \"name\", \(map)"
        let before = try names()
        let tried = try await tab.ask("POST", "import", body + ", \"dryRun\": true}")
        #expect(tried["inserted"].number == 1 && tried["updated"].number == 1 && tried["saved"].flag == false)
        #expect(try names() == before)
        let done = try await tab.ask("POST", "import", body + "}")
        #expect(done["inserted"].number == 1 && done["updated"].number == 1 && done["saved"].flag == true)
        #expect(done["entities"]["Hero"]["inserted"].number == 1 && done["refusals"].list.isEmpty)
        #expect(try names() == (before + ["Zeta"]).sorted())
        let rows = try await tab.ask("GET", "entities/Hero?where=name%20%3D%20'Alpha'&keys=secretIdentity")["rows"]
        #expect(rows[0]["values"]["secretIdentity"].text == "Changed")
        #expect(try await tab.ask("GET", "import/files/\(id)")["read"].isNull)
    }

    @Test("refused rows are reported by line and column, and nothing is imported unless the rest is wanted (BRW-48)")
    func refusedRowsAreReportedByLineAndColumn() async throws {
        let tab = try tab()
        let sent = try await send("name,birthDate\nYota,2001-02-03T00:00:00Z\nZeta,yesterday\n", tab)
        let body = "{\"file\": \"\(sent["file"].text ?? "")\", \"format\": \"csv\", \"entity\": \"Hero\""
        let before = try names()
        let refused = try await tab.ask("POST", "import", body + "}")
        #expect(refused["saved"].flag == false && refused["refused"].number == 1)
        #expect(refused["refusals"][0]["line"].number == 3 && refused["refusals"][0]["column"].text == "birthDate")
        #expect(try names() == before)
        let rest = try await tab.ask("POST", "import", body + ", \"leaveOutRefused\": true}")
        #expect(rest["saved"].flag == true && rest["inserted"].number == 1)
        #expect(try names() == (before + ["Yota"]).sorted())
    }

    @Test("lines of JSON lead to each other by their addresses (BRW-48)")
    func linesOfJSONLeadToEachOtherByTheirAddresses() async throws {
        let tab = try tab()
        let lines = """
            {"objectID": "Hero/p901", "entity": "Hero", "attributes": {"name": "Yota"}, "relationships": {}}
            {"objectID": "Power/p901", "entity": "Power", "attributes": {"name": "Flight"}, "relationships": {"hero": "Hero/p901"}}
            """
        let sent = try await send(lines, tab, name: "all.jsonl")
        #expect(sent["entity"].text == "Hero" && sent["format"].text == "jsonl")
        let done = try await tab.ask(
            "POST", "import", "{\"file\": \"\(sent["file"].text ?? "")\", \"format\": \"jsonl\"}")
        #expect(done["inserted"].number == 2, "\(done)")
        let power = try await tab.ask("GET", "entities/Power?keys=hero")["rows"][0]
        #expect(power["links"]["hero"]["label"].text == "Yota")
    }

    @Test("read-only stores, staged edits, other people's files and malformed files are refused (BRW-48, BRW-53)")
    func refusedRequests() async throws {
        let tab = try tab()
        try await send("name\nX\n", tab, type: "text/plain", status: 415)
        let bad = try await send("name,\"x\nA", tab, status: 422)
        #expect(bad["error"]["reason"].text?.hasPrefix("heroes.csv") == true, "\(bad)")
        let sent = try await send("name\nX\n", tab)
        let body = "{\"file\": \"\(sent["file"].text ?? "")\", \"format\": \"csv\", \"entity\": \"Hero\"}"
        let other = EditingTab(tab.browser, user: "adam")
        try await other.ask("POST", "import", body, status: 404)
        try await tab.ask("POST", "import", body.replacing("csv", with: "xml"), status: 422)
        let unknown = try await tab.ask("POST", "import", body.replacing("\"Hero\"", with: "\"Nothing\""))
        #expect(unknown["refused"].number == 1 && unknown["saved"].flag == false)
        try await tab.stage("{\"do\": \"insert\", \"entity\": \"Hero\", \"values\": {\"name\": \"N\"}}")
        let staged = try await tab.ask("POST", "import", body, status: 409)
        #expect(staged["error"]["code"].text == "staged")
        try await send("name\nX\n", try self.tab(isWriting: false), status: 409)
        let clerk = try self.tab(rules: BrowserRules { _, action, _, _ in action == .read })
        try await send("name\nX\n", clerk, status: 403)
        #expect(try !names().contains("X"))
    }

    @Test("an import ends when its task is cancelled, and leaves nothing behind (BRW-48)")
    func importEndsWhenItsTaskIsCancelled() async throws {
        let tab = try tab()
        let text = "name\n" + (0..<200_000).map { "Hero \($0)\n" }.joined()
        let sent = try await send(text, tab)
        let before = try names()
        let body = "{\"file\": \"\(sent["file"].text ?? "")\", \"format\": \"csv\", \"entity\": \"Hero\"}"
        let task = Task {
            await tab.browser.respond(
                to: BrowserRequest(
                    method: "POST", target: tab.browser.named("/stores/1/import"),
                    headers: ["X-Tab": tab.name, "Content-Type": "application/json"],
                    body: BrowserBody(Array(body.utf8)), user: BrowserUser(name: tab.user))
            ).status
        }
        // It has begun once it tells how far it is.
        while try await tab.ask("GET", "import/files/\(sent["file"].text ?? "")")["read"].number ?? 0 == 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        #expect(await task.value == 499)
        #expect(try names() == before)
    }
}
