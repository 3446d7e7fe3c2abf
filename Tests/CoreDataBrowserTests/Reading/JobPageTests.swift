import CoreData
import CoreDataBrowser
import CoreDataJobs
import CoreDataWorkbench
import StoreContract
import Synchronization
import TestBasics
import Testing

@Suite("Jobs that are started from the page", .timeLimit(.minutes(3)))
struct JobPageTests {
    private let heroes: ImportedHeroes

    init() throws { heroes = try ImportedHeroes() }

    private static func table(_ count: Int) -> String {
        "name\n" + (0..<count).map { "Hero \($0)\n" }.joined()
    }

    /// Starts an import of a table as a job.
    private func start(_ tab: EditingTab, _ text: String, more: String = "") async throws -> Reply {
        let sent = try await heroes.send(text, tab)
        let body = "{\"file\": \"\(sent["file"].text ?? "")\", \"format\": \"csv\", \"entity\": \"Hero\", \"job\": true"
        return try await tab.ask("POST", "import", body + more + "}", status: 202)
    }

    @Test("an import is a row until it has ended, keeps its report, and is taken back whole (CONC-06, BRW-48)")
    func importIsRow() async throws {
        let tab = try heroes.tab()
        let before = try heroes.names()
        let started = try await start(tab, Self.table(1_200))
        #expect(started["kind"].text == "import" && started["subject"].text == "heroes.csv")
        let id = try #require(started["id"].text)
        let ended = try await tab.ended(id)
        #expect(ended["state"].text == "finished", "\(ended)")
        let size = Self.table(1_200).utf8.count
        #expect(ended["text"].text == "Completed \(size) of \(size)" && ended["unit"].text == "bytes")
        let result = ended["result"]
        #expect(result["inserted"].number == 1_200 && result["saved"].flag == true)
        #expect(try await tab.ask("GET", "jobs")["jobs"].first("id", id)["state"].text == "finished")
        #expect(try heroes.names().count == before.count + 1_200)
        let (first, last) = (try #require(result["transaction"].number), try #require(result["through"].number))
        #expect(first < last)
        let name = try #require(result["import"].text)
        let alone = try await tab.ask("POST", "revert", "{\"transaction\": \(first)}", status: 409)
        #expect(alone["error"]["code"].text == "ofImport")
        let reversal = try await tab.ended(
            tab.ask("POST", "import/reversal", "{\"import\": \"\(name)\"}", status: 202)["id"].text)
        #expect(reversal["result"]["transactions"].number == last - first + 1, "\(reversal)")
        #expect(try heroes.names() == before)
        let again = try await tab.ended(
            tab.ask("POST", "import/reversal", "{\"import\": \"\(name)\"}", status: 202)["id"].text)
        #expect(again["state"].text == "failed" && again["error"]["code"].text == "noHistory", "\(again)")
    }

    @Test("an import with links, of which others have changed an object since, is not taken back (BRW-48, BRW-23)")
    func changedSince() async throws {
        let tab = try heroes.tab()
        let lines = """
            {"objectID": "Hero/p901", "entity": "Hero", "attributes": {"name": "Yota"}, "relationships": {}}
            {"objectID": "Power/p901", "entity": "Power", "attributes": {"name": "Flight"}, "relationships": {"hero": "Hero/p901"}}
            """
        let before = try heroes.names()
        func done() async throws -> String {
            let file = try #require(try await heroes.send(lines, tab, name: "all.jsonl")["file"].text)
            let job = try await tab.ask(
                "POST", "import", "{\"file\": \"\(file)\", \"format\": \"jsonl\", \"job\": true}", status: 202)
            return try #require(try await tab.ended(job["id"].text)["result"]["import"].text)
        }
        func takenBack(_ name: String) async throws -> Reply {
            let job = try await tab.ask("POST", "import/reversal", "{\"import\": \"\(name)\"}", status: 202)
            return try await tab.ended(job["id"].text)
        }
        let first = try await takenBack(done())
        #expect(first["state"].text == "finished", "\(first)")
        #expect(try heroes.names() == before)
        let second = try await done()
        let hero = try await tab.ask("GET", "entities/Hero?where=name%20%3D%20'Yota'")["rows"][0]["id"].text ?? ""
        try await tab.stage("{\"do\": \"set\", \"object\": \"\(hero)\", \"key\": \"name\", \"value\": \"Mine\"}")
        try await tab.save()
        let staged = try await tab.stage(
            "{\"do\": \"set\", \"object\": \"\(hero)\", \"key\": \"name\", \"value\": \"Staged\"}")
        withExtendedLifetime(staged) {}
        let held = try await tab.ask("POST", "import/reversal", "{\"import\": \"\(second)\"}", status: 409)
        #expect(held["error"]["code"].text == "staged")
        try await tab.ask("POST", "edits/undo")
        let refused = try await takenBack(second)
        #expect(refused["error"]["code"].text == "changedSince", "\(refused)")
        #expect(try heroes.names().contains("Mine"))
    }

    @Test("a dry run as a job changes nothing, and lists examples and refusals by rule (BRW-48, WEB-06)")
    func dryRun() async throws {
        let tab = try heroes.tab()
        let before = try heroes.names()
        let text = "name,birthDate\nAlpha,2001-02-03T00:00:00Z\nYota,yesterday\nZeta,\nPhi,tomorrow\n"
        let started = try await start(tab, text, more: ", \"match\": \"name\", \"dryRun\": true")
        #expect(started["kind"].text == "trial")
        let result = try await tab.ended(started["id"].text)["result"]
        #expect(result["saved"].flag == false && result["inserted"].number == 1 && result["updated"].number == 1)
        #expect(result["inserts"][0]["values"]["name"].text == "Zeta")
        #expect(result["updates"][0]["object"].text?.hasPrefix("Hero/p") == true)
        let rule = result["rules"][0]
        #expect(rule["count"].number == 2 && rule["column"].text == "birthDate")
        #expect(rule["records"].list.map { $0["line"].number } == [3, 5])
        #expect(try heroes.names() == before)
    }

    @Test("a cancelled import ends soon and leaves nothing; one that waits behind it leaves at once (CONC-05)")
    func cancelling() async throws {
        let tab = try heroes.tab()
        let before = try heroes.names()
        let first = try #require(try await start(tab, Self.table(300_000))["id"].text)
        while try await tab.ask("GET", "jobs/\(first)")["completed"].number ?? 0 == 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
        let second = try #require(try await start(tab, Self.table(3))["id"].text)
        let waiting = try await tab.ask("GET", "jobs/\(second)")
        #expect(waiting["state"].text == "waiting" && waiting["text"].text == "Waiting...")
        // Pages answer while the first one is at work.
        #expect(try await tab.ask("GET", "entities/Hero?limit=3")["rows"].list.count == 3)
        #expect(try await tab.ask("POST", "jobs/\(second)/pause")["state"].text == "paused")
        #expect(try await tab.ask("POST", "jobs/\(second)/resume")["state"].text == "waiting")
        #expect(try await tab.ask("POST", "jobs/\(second)/cancel")["state"].text == "cancelled")
        #expect(try await tab.ask("GET", "jobs/\(first)")["state"].text == "running")
        let pausing = try await tab.ask("POST", "jobs/\(first)/pause", status: 409)
        #expect(pausing["error"]["code"].text == "notPausable")
        #expect(try await tab.ask("POST", "jobs/\(first)/cancel")["text"].text == "Cancelled...")
        let ended = try await tab.ended(first)
        #expect(ended["state"].text == "cancelled" && ended["text"].text == "Cancelled...", "\(ended)")
        #expect(try heroes.names() == before)
    }

    @Test("the stream of a store reports its jobs to each tab, progress twice a second at most (CONC-06)")
    func events() async throws {
        let tab = try heroes.tab()
        let response = await tab.browser.respond(
            to: BrowserRequest(
                target: tab.browser.named("/stores/1/events"), headers: ["X-Tab": "tab2"],
                user: BrowserUser(name: "eva")))
        let started = ContinuousClock.now
        let id = try await start(tab, Self.table(20_000))["id"].text
        var (states, count) = ([String](), 0)
        while states.last != "finished", let piece = try await response.body.next() {
            for line in String(decoding: piece, as: UTF8.self).split(separator: "\n") where line.hasPrefix("data: ") {
                let event = Reply(try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)))
                guard event["kind"].text == "job", event["job"]["id"].text == id else { continue }
                states.append(event["job"]["state"].text ?? "")
                count += 1
            }
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        #expect(states.last == "finished" && states.contains("running"))
        #expect(Double(count) <= 2 * seconds + 4)
    }

    @Test("who reads only starts no job that writes, and who may not read everything sees none (BRW-53, CONC-06)")
    func rights() async throws {
        let reader = try heroes.tab(isWriting: false)
        try await reader.ask("POST", "import", "{\"file\": \"f1\", \"job\": true}", status: 409)
        try await reader.ask("POST", "import/urls", "{\"url\": \"https://example.test/\"}", status: 409)
        try await reader.ask("POST", "repair", "{\"job\": true}", status: 409)
        let check = try await reader.ask("POST", "check", status: 202)
        #expect(try await reader.ended(check["id"].text)["result"]["sound"].flag == true)
        let tab = try heroes.tab(
            rules: BrowserRules { user, action, entity, _ in
                user?.name == "eva" || action == .read && entity != "Power"
            })
        let id = try #require(try await start(tab, Self.table(2))["id"].text)
        _ = try await tab.ended(id)
        let other = EditingTab(tab.browser, user: "adam")
        #expect(try await other.ask("GET", "jobs")["jobs"].list.isEmpty)
        try await other.ask("GET", "jobs/\(id)", status: 404)
        try await other.ask("POST", "jobs/\(id)/cancel", status: 404)
        try await tab.ask("GET", "jobs/none", status: 404)
        try await tab.ask("POST", "jobs/\(id)/dance", status: 404)
    }

    @Test("an export as a job makes the file that the address sends (CONC-06, BRW-47)")
    func export() async throws {
        let tab = try heroes.tab(isWriting: false)
        let started = try await tab.ask("POST", "export", "{\"entities\": \"Hero\", \"to\": \"csv\"}", status: 202)
        let id = try #require(started["id"].text)
        let ended = try await tab.ended(id)
        #expect(ended["result"]["objects"].number == 5 && ended["file"].text == "Hero.csv")
        func bytes(_ path: String) async throws -> [UInt8] {
            let answer = await tab.browser.respond(
                to: BrowserRequest(
                    target: tab.browser.named("/stores/1/\(path)"), headers: ["X-Tab": tab.name],
                    user: BrowserUser(name: tab.user)))
            #expect(answer.status == 200)
            return try await answer.body.bytes(limit: 1 << 20)
        }
        let made = try await bytes("jobs/\(id)/file")
        #expect(try await bytes("export?entities=Hero&to=csv") == made && made.count > 50)
        try await tab.ask("POST", "export", "{\"to\": \"csv\"}", status: 400)
        let check = try await tab.ask("POST", "check", status: 202)
        try await tab.ask("GET", "jobs/\(try #require(check["id"].text))/file", status: 404)
    }

    @Test("of the files that exports have made the last eight are kept, and a dismissed job is gone (CONC-06, BRW-47)")
    func keptFiles() async throws {
        let tab = try heroes.tab(isWriting: false)
        var ids: [String] = []
        for _ in 0..<9 {
            let job = try await tab.ask("POST", "export", "{\"entities\": \"Hero\", \"to\": \"csv\"}", status: 202)
            ids.append(try #require(job["id"].text))
            _ = try await tab.ended(ids.last)
        }
        let first = ids[0]
        // The job's last observer removes the file.
        while try await !tab.ask("GET", "jobs/\(first)")["file"].isNull { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await tab.ask("GET", "jobs/\(first)")["state"].text == "finished")
        try await tab.ask("GET", "jobs/\(first)/file", status: 410)
        for id in ids.dropFirst() { #expect(try await tab.ask("GET", "jobs/\(id)")["file"].text == "Hero.csv") }
        try await tab.ask("POST", "jobs/\(ids[8])/dismiss")
        try await tab.ask("GET", "jobs/\(ids[8])", status: 404)
        try await tab.ask("GET", "jobs/\(ids[8])/file", status: 404)
    }

    @Test("a job that has ended keeps nothing of what its work needed (CONC-06)", arguments: [false, true])
    func workIsReleased(isCancelled: Bool) throws {
        final class Content: Sendable {}
        weak var content: Content?
        let job: Job
        do {
            let needed = Content()
            content = needed
            job = Job("Import", work: { _ in withExtendedLifetime(needed) {} })
        }
        #expect(content != nil)
        if isCancelled { job.cancel() } else { try job.runInPlace() }
        #expect(content == nil && job.state.isEnded)
    }

    @Test("a user who may not change everything cannot forget the unfinished job of another user (CONC-06, BRW-53)")
    func forgettingOfOthers() async throws {
        let tab = try heroes.tab(
            rules: BrowserRules { user, action, _, _ in user?.name == "eva" || action == .read })
        let other = EditingTab(tab.browser, user: "adam")
        let folder = heroes.state.appendingPathComponent("jobs")
        let running = try #require(try await start(tab, Self.table(300_000))["id"].text)
        let noted = try Data(contentsOf: folder.appendingPathComponent("\(running).plist"))
        #expect(try PropertyListDecoder().decode(JobRecord.self, from: noted).parameters["user"] == "eva")
        try await tab.ask("POST", "jobs/\(running)/cancel")
        _ = try await tab.ended(running)
        func leave(_ user: String) throws -> String {
            let store = try #require(tab.browser.core.shown.first?.id)
            return try JobJournal(folder: folder).begin(
                kind: "check", title: "Check",
                parameters: ["store": store, "subject": "Heroes", "request": "{}", "user": user]
            ).record.id.uuidString
        }
        let (hers, his) = (try leave("eva"), try leave("adam"))
        try await other.ask("POST", "jobs/\(hers)/forget", status: 403)
        try await other.ask("POST", "jobs/\(his)/forget", status: 204)
        #expect(try await tab.ask("GET", "jobs")["unfinished"].list.compactMap { $0["id"].text } == [hers])
        try await tab.ask("POST", "jobs/\(hers)/forget", status: 204)
    }

    @Test("a job that an ended process has left is offered again, begun again from its file, or forgotten (CONC-06)")
    func unfinished() async throws {
        let tab = try heroes.tab()
        let folder = heroes.state.appendingPathComponent("jobs")
        let journal = try JobJournal(folder: folder)
        let request = "{\"format\": \"csv\", \"entity\": \"Hero\", \"job\": true}"
        func leave(_ text: String?) throws -> String {
            let store = try #require(tab.browser.core.shown.first?.id)
            let entry = try journal.begin(
                kind: "import", title: "Import",
                parameters: [
                    "store": store, "subject": "left.csv", "name": "left.csv", "request": request,
                ])
            if let text {
                try Data(text.utf8).write(to: folder.appendingPathComponent("\(entry.record.id.uuidString).data"))
            }
            return entry.record.id.uuidString
        }
        let (whole, lost, unwanted) = (try leave("name\nYota\n"), try leave(nil), try leave("name\nZeta\n"))
        let listed = try await tab.ask("GET", "jobs")["unfinished"]
        #expect(Set(listed.list.compactMap { $0["id"].text }) == [whole, lost, unwanted])
        #expect(listed[0]["kind"].text == "import" && listed[0]["subject"].text == "left.csv")
        let again = try await tab.ask("POST", "jobs/\(whole)/restart", status: 202)
        #expect(try await tab.ended(again["id"].text)["result"]["inserted"].number == 1)
        try await tab.ask("POST", "jobs/\(lost)/restart", status: 410)
        try await tab.ask("POST", "jobs/\(lost)/forget", status: 204)
        try await tab.ask("POST", "jobs/\(unwanted)/forget", status: 204)
        try await tab.ask("POST", "jobs/\(unwanted)/restart", status: 404)
        #expect(try await tab.ask("GET", "jobs")["unfinished"].list.isEmpty)
        #expect(try heroes.names().contains("Yota") && !heroes.names().contains("Zeta"))
        // The record goes before the copy of the file: the job's last observer removes it.
        func hasCopies() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasSuffix(".data") }
        }
        while try hasCopies() { try await Task.sleep(for: .milliseconds(5)) }
    }
}

extension EditingTab {
    /// A job once it has ended.
    func ended(_ id: String?) async throws -> Reply {
        let id = try #require(id)
        while true {
            let job = try await ask("GET", "jobs/\(id)")
            if ["finished", "cancelled", "failed"].contains(job["state"].text) { return job }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// The heroes in a file, whose browser keeps its state beside it, and which a tab imports into.
struct ImportedHeroes {
    private let folder: TemporaryFolder
    let file: URL
    var state: URL { folder.url.appendingPathComponent("state") }

    init(_ further: String = "") throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(
            SuperDB.model(further), url: file,
            options: [NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true])
        SuperDB.fill(stack.context)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    func tab(
        isWriting: Bool = true, rules: BrowserRules = .everything, hosts: Set<String> = []
    ) throws -> EditingTab {
        var options = BrowserOptions()
        options.stateFolder = state
        options.rules = rules
        options.importHosts = hosts
        let browser = Browser(options: options)
        try browser.open(file, isWriting: isWriting)
        return EditingTab(browser)
    }

    /// Sends a file to import.
    func send(_ text: String, _ tab: EditingTab, name: String = "heroes.csv") async throws -> Reply {
        let response = await tab.browser.respond(
            to: BrowserRequest(
                method: "POST", target: tab.browser.named("/stores/1/import/files?name=\(name)"),
                headers: ["X-Tab": tab.name, "Content-Type": "application/octet-stream"],
                body: BrowserBody(Array(text.utf8)), user: BrowserUser(name: tab.user)))
        let bytes = try await response.body.bytes(limit: 1 << 22)
        #expect(response.status == 200, "\(String(decoding: bytes, as: UTF8.self))")
        return Reply(try? JSONSerialization.jsonObject(with: Data(bytes)))
    }

    /// The names of the heroes in the file, in order.
    func names() throws -> [String] {
        let stack = try Stack(SuperDB.model(), url: file)
        defer { try? stack.coordinator.remove(stack.store) }
        return try stack.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }.sorted()
    }
}
