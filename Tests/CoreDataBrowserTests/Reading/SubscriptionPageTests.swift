import CoreData
import CoreDataBrowser
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@Suite("Subscriptions in the page", .timeLimit(.minutes(3)))
struct SubscriptionPageTests {
    private let heroes: ImportedHeroes
    private let feed = FeedService()
    private let server: ScriptedServer

    init() throws {
        heroes = try ImportedHeroes()
        server = try ScriptedServer { [feed] request, reply in try feed.answer(request, reply) }
    }

    private var url: String { server.url("/feed").absoluteString }

    private func tab() throws -> EditingTab { try heroes.tab(hosts: ["127.0.0.1"]) }

    private func body(_ more: String = "", mapping: String = "\"feed\"", entity: String = "Hero") -> String {
        "{\"url\": \"\(url)\", \"mapping\": \(mapping), \"entity\": \"\(entity)\"\(more)}"
    }

    private func ended(_ tab: EditingTab, _ path: String, _ body: String) async throws -> Reply {
        try await tab.ended(tab.ask("POST", path, body, status: 202)["id"].text)
    }

    @Test("a URL is previewed without a change, subscribed to, refreshed and left (WEB-11)")
    func life() async throws {
        defer { server.stop() }
        feed.names.withLock { $0 = ["Yota", "Zeta"] }
        let (tab, before) = (try tab(), try heroes.names())
        #expect(try await tab.ask("GET", "subscriptions")["subscriptions"].list.isEmpty)
        let preview = try await ended(tab, "subscriptions", body(", \"preview\": true"))
        #expect(preview["kind"].text == "trial" && preview["result"]["inserted"].number == 2, "\(preview)")
        #expect(preview["result"]["inserts"].list.map { $0["values"]["name"].text } == ["Yota", "Zeta"])
        #expect(preview["result"]["saved"].flag == false && preview["file"].isNull)
        #expect(try heroes.names() == before)
        #expect(try await tab.ask("GET", "subscriptions")["subscriptions"].list.isEmpty)
        let done = try await ended(tab, "subscriptions", body(", \"interval\": 3600"))
        #expect(done["kind"].text == "subscription" && done["result"]["saved"].flag == true, "\(done)")
        #expect(try heroes.names().count == before.count + 2)
        let kept = try await tab.ask("GET", "subscriptions")["subscriptions"]
        let one = kept[0]
        #expect(kept.list.count == 1 && one["url"].text == url && one["mapping"].text == "feed")
        #expect(one["entity"].text == "Hero" && one["interval"].number == 3_600 && one["failure"].isNull)
        #expect(one["asked"].text == one["changed"].text && one["next"].text == one["due"].text)
        // Nothing is due for an hour, and a named one is asked for all the same.
        let none = try await ended(tab, "subscriptions/refresh", "{}")
        #expect(none["result"]["results"].list.isEmpty)
        let same = try await ended(tab, "subscriptions/refresh", "{\"url\": \"\(url)\"}")
        #expect(same["result"]["results"][0]["result"].text == "notChanged", "\(same)")
        feed.names.withLock { $0.append("Phi") }
        let new = try await ended(tab, "subscriptions/refresh", "{\"url\": \"\(url)\"}")
        #expect(new["kind"].text == "refresh" && new["result"]["results"][0]["result"].text == "imported", "\(new)")
        #expect(try heroes.names().contains("Phi"))
        try await tab.ask("POST", "subscriptions/end", "{\"url\": \"\(url)\"}", status: 204)
        #expect(try await tab.ask("GET", "subscriptions")["subscriptions"].list.isEmpty)
        #expect(try heroes.names().contains("Phi"))
        try await tab.ask("POST", "subscriptions/end", "{\"url\": \"\(url)\"}", status: 404)
        try await tab.ask("POST", "subscriptions/refresh", "{\"url\": \"\(url)\"}", status: 404)
    }

    @Test("the tool and the page have the same subscriptions, and what failed is kept with the reason (WEB-11)")
    func failure() async throws {
        defer { server.stop() }
        feed.names.withLock { $0 = ["Yota"] }
        let tab = try tab()
        _ = try await ended(tab, "subscriptions", body(", \"interval\": 15"))
        let store = try OpenStore(at: heroes.file, model: nil, for: .reading)
        #expect(Subscription.all(in: store.coordinator.metadata(for: store.store)).map(\.url.absoluteString) == [url])
        store.close()
        feed.status.withLock { $0 = 503 }
        let failed = try await ended(tab, "subscriptions/refresh", "{\"url\": \"\(url)\"}")
        #expect(failed["state"].text == "finished" && failed["result"]["results"][0]["result"].text == "failed")
        let one = try await tab.ask("GET", "subscriptions")["subscriptions"][0]
        #expect(one["failure"].text?.contains("503") == true, "\(one)")
        // The server wants no request for an hour.
        let again = try await ended(tab, "subscriptions/refresh", "{\"url\": \"\(url)\"}")
        #expect(again["result"]["results"][0]["result"].text == "notDue", "\(again)")
        #expect(one["next"].text == one["due"].text && one["due"].text ?? "" > one["asked"].text ?? "")
    }

    @Test("addresses of this machine are refused unless allowed by name, also when they are refreshed (WEB-13)")
    func privateAddresses() async throws {
        defer { server.stop() }
        feed.names.withLock { $0 = ["Yota"] }
        let stranger = try heroes.tab()
        for more in [", \"preview\": true", ""] {
            let refused = try await ended(stranger, "subscriptions", body(more))
            #expect(refused["state"].text == "failed", "\(refused)")
            #expect(refused["error"]["reason"].text?.contains("private network") == true, "\(refused)")
        }
        #expect(server.connectionCount == 0)
        _ = try await ended(tab(), "subscriptions", body())
        let asked = server.connectionCount
        let refresh = try await ended(stranger, "subscriptions/refresh", "{\"url\": \"\(url)\"}")
        #expect(refresh["result"]["results"][0]["error"].text?.contains("private network") == true, "\(refresh)")
        #expect(server.connectionCount == asked)
    }

    @Test("what no subscription can be is refused before anything is asked for (WEB-11)")
    func badRequests() async throws {
        defer { server.stop() }
        let tab = try tab()
        for body in [
            body(entity: ""), body(", \"interval\": 1"),
            body(", \"interval\": \"soon\""), body(mapping: "null"), body(mapping: "{\"text\": \"{\"}"),
            "{\"url\": \"file:///etc/passwd\", \"mapping\": \"feed\", \"entity\": \"Hero\"}",
            "{\"url\": \"https://eva:secret@a.test/\", \"mapping\": \"feed\", \"entity\": \"Hero\"}", "{}", "[]",
            "{\"url\": \"https://token@a.test/\", \"mapping\": \"feed\", \"entity\": \"Hero\"}",
        ] {
            try await tab.ask("POST", "subscriptions", body, status: 422)
        }
        let unknown = try await ended(tab, "subscriptions", body(", \"preview\": true", entity: "Nobody"))
        #expect(unknown["state"].text == "failed" && unknown["error"]["code"].text == "unknownEntity", "\(unknown)")
        try await tab.ask("POST", "subscriptions/end", "{}", status: 422)
        #expect(try await tab.ask("GET", "subscriptions")["subscriptions"].list.isEmpty)
    }

    @Test("who reads only, or may not read everything, subscribes to nothing (WEB-11, BRW-53)")
    func rights() async throws {
        defer { server.stop() }
        let reader = try heroes.tab(isWriting: false, hosts: ["127.0.0.1"])
        for path in ["subscriptions", "subscriptions/refresh", "subscriptions/end"] {
            try await reader.ask("POST", path, body(), status: 409)
        }
        #expect(try await reader.ask("GET", "subscriptions")["writing"].flag == false)
        let some = try heroes.tab(
            rules: BrowserRules { user, action, entity, _ in action == .read && entity != "Power" })
        try await some.ask("GET", "subscriptions", status: 403)
        try await some.ask("POST", "subscriptions", body(), status: 403)
        #expect(server.requests.isEmpty)
    }

    @Test("edits that are staged are not overtaken: a refresh waits until they are saved (WEB-11, BRW-20)")
    func stagedEdits() async throws {
        defer { server.stop() }
        feed.names.withLock { $0 = ["Yota"] }
        let tab = try tab()
        _ = try await ended(tab, "subscriptions", body())
        let alpha = try await tab.ask("GET", "entities/Hero?where=name%20%3D%20'Alpha'")["rows"][0]["id"].text ?? ""
        try await tab.stage("{\"do\": \"set\", \"object\": \"\(alpha)\", \"key\": \"name\", \"value\": \"Mine\"}")
        let held = try await tab.ask("POST", "subscriptions/refresh", "{\"url\": \"\(url)\"}", status: 409)
        #expect(held["error"]["code"].text == "staged")
        try await tab.save()
        let done = try await ended(tab, "subscriptions/refresh", "{\"url\": \"\(url)\"}")
        #expect(done["result"]["results"][0]["result"].text == "notChanged")
    }

    @Test("a slow server holds up no other job, and brings nothing once the subscription has changed (WEB-11, CONC-07)")
    func slowServer() async throws {
        defer { server.stop() }
        feed.names.withLock { $0 = ["Yota"] }
        let tab = try tab()
        _ = try await ended(tab, "subscriptions", body(", \"interval\": 15"))
        feed.names.withLock { $0.append("Phi") }
        let answer = feed.holdNextAnswer()
        let asked = server.requests.count
        let refresh = try await tab.ask("POST", "subscriptions/refresh", "{\"url\": \"\(url)\"}", status: 202)
        while server.requests.count == asked { try await Task.sleep(for: .milliseconds(5)) }
        let file = try await heroes.send("name\nChi\n", tab)
        let imported = try await tab.ask(
            "POST", "import",
            "{\"file\": \"\(file["file"].text ?? "")\", \"entity\": \"Hero\", \"job\": true}", status: 202)
        #expect(try await tab.ended(imported["id"].text)["state"].text == "finished")
        #expect(try heroes.names().contains("Chi"))
        _ = try await ended(tab, "subscriptions", body(", \"interval\": 7200"))
        #expect(try heroes.names().contains("Phi"))
        #expect(try await tab.ask("GET", "jobs/\(refresh["id"].text ?? "")")["state"].text == "running")
        answer.signal()
        let done = try await tab.ended(refresh["id"].text)
        #expect(done["result"]["results"][0]["result"].text == "notChanged", "\(done)")
        let kept = try await tab.ask("GET", "subscriptions")["subscriptions"]
        #expect(kept.list.count == 1 && kept[0]["interval"].number == 7_200, "\(kept)")
        #expect(try heroes.names().count { $0 == "Phi" } == 1)
    }

    @Test("a preview of a store in a file that is read whole leaves it open (WEB-11)")
    func previewOfAtomicStore() async throws {
        defer { server.stop() }
        feed.names.withLock { $0 = ["Yota"] }
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
        let hero = try await tab.ask("GET", "entities/Hero")["rows"][0]["id"].text ?? ""
        try await tab.stage("{\"do\": \"set\", \"object\": \"\(hero)\", \"key\": \"name\", \"value\": \"Mine\"}")
        let preview = try await ended(tab, "subscriptions", body(", \"preview\": true"))
        #expect(preview["state"].text == "finished", "\(preview)")
        // A store that is opened again has lost what was staged.
        try await tab.save()
        #expect(try await tab.ask("GET", "entities/Hero")["rows"][0]["values"]["name"].text == "Mine")
    }
}

/// A server with a feed, whose entries a test sets.
final class FeedService: Sendable {
    let names = Mutex<[String]>([])
    let status = Mutex(200)
    private let held = Mutex<DispatchSemaphore?>(nil)

    /// Lets the next request wait for its answer until the semaphore is signalled.
    func holdNextAnswer() -> DispatchSemaphore {
        let semaphore = DispatchSemaphore(value: 0)
        held.withLock { $0 = semaphore }
        return semaphore
    }

    func answer(_ request: ScriptedServer.Request, _ reply: ScriptedServer.Reply) throws {
        let semaphore = held.withLock { held in
            defer { held = nil }
            return held
        }
        // A test that failed before has stopped the server, and nobody signals.
        _ = semaphore?.wait(timeout: .now() + 60)
        let status = status.withLock { $0 }
        guard status == 200 else { return try reply.respond(status, ["Retry-After: 3600"], text: "busy") }
        let names = names.withLock { $0 }
        let tag = "\"\(names.joined(separator: "-"))\""
        if request.field("If-None-Match") == tag { return try reply.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
        let items = names.map { "<item><title>\($0)</title><guid>\($0)</guid></item>" }.joined()
        try reply.respond(
            200, ["Content-Type: application/rss+xml", "ETag: \(tag)"],
            text: "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>\(items)</channel></rss>")
    }
}
