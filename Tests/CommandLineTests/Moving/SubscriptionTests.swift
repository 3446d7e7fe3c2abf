import CoreData
import Synchronization
import TestBasics
import TestServers
import Testing

/// Subscriptions of a store, and refreshing them.
@Suite struct SubscriptionTests {
    private let gallery: Gallery
    private let feeds = Feeds()
    private let server: ScriptedServer

    init() throws {
        gallery = try Gallery()
        server = try ScriptedServer { [feeds] request, reply in
            let feed = feeds.state.withLock { $0[request.path] }
            guard let feed else { return try reply.respond(404, text: "gone") }
            if feed.status != 200 { return try reply.respond(feed.status, feed.fields, text: "busy") }
            let tag = "\"\(feed.text.hashValue)\""
            if request.field("If-None-Match") == tag { return try reply.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
            try reply.respond(
                200, ["Content-Type: application/rss+xml", "ETag: \(tag)"] + feed.fields, text: feed.text)
        }
    }

    private static func rss(_ ids: [Int], ttl: String = "") -> String {
        let items = ids.map { "<item><title>Item \($0)</title><link>https://a.test/\($0)</link></item>" }.joined()
        return "<rss version=\"2.0\"><channel><title>T</title>\(ttl)\(items)</channel></rss>"
    }

    private func serve(_ path: String, _ ids: [Int], status: Int = 200, fields: [String] = [], ttl: String = "") {
        feeds.state.withLock { $0[path] = (Self.rss(ids, ttl: ttl), status, fields) }
    }

    private func run(_ command: String, _ words: String...) throws -> Tool.Outcome {
        try Tool.run(
            [command, gallery.store.path] + words + (command == "subscriptions" ? [] : ["--model", gallery.model.path]))
    }

    private func subscribe(_ path: String, _ options: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["subscribe", gallery.store.path, server.url(path).absoluteString, "--mapping", "feed", "--entity", "Work"]
                + options + ["--model", gallery.model.path])
    }

    private func count() throws -> Int {
        let found = try run("fetch", "Work", "--where", "title BEGINSWITH 'Item'", "--format", "json")
        return try found.json(as: [Any].self).count
    }

    @Test("a feed is shown, subscribed to, refreshed when it has changed, and left (WEB-11)")
    func life() throws {
        defer { server.stop() }
        serve("/feed", [1, 2])
        let preview = try subscribe("/feed", "--dry-run")
        #expect(preview.output.contains("it would be 2 inserted") && preview.output.contains("title = Item 1"))
        #expect(try run("subscriptions").output.isEmpty)
        #expect(try count() == 0)
        #expect(try subscribe("/feed").output.contains("Work: 2 inserted"))
        let list = try run("subscriptions", "--format", "json").json(as: [[String: Any]].self)
        #expect(list.count == 1 && list[0]["entity"] as? String == "Work" && list[0]["mapping"] as? String == "feed")
        let url = server.url("/feed").absoluteString
        #expect(try run("refresh").output == "\(url): not changed\n")
        serve("/feed", [2, 3])
        #expect(try run("refresh").output.contains("1 inserted, 0 updated, 1 unchanged"))
        #expect(try count() == 3)
        #expect(try run("unsubscribe", url).output == "ended 1 subscription\n")
        let gone = try run("unsubscribe", url)
        #expect(gone.code == 1 && gone.errors.contains("no subscription"))
        #expect(try run("refresh").output.isEmpty)
        #expect(try count() == 3)
    }

    @Test("a feed that fails does not stop the others, and a busy server is not asked before its time (WEB-11)")
    func failures() throws {
        defer { server.stop() }
        for path in ["/a", "/b", "/c"] { serve(path, []) }
        for path in ["/a", "/b", "/c"] { #expect(try subscribe(path).code == 0) }
        serve("/a", [], status: 503, fields: ["Retry-After: 3600"])
        feeds.state.withLock { $0["/b"] = ("<html>no feed</html>", 200, []) }
        serve("/c", [1])
        let outcome = try run("refresh")
        #expect(outcome.code == 1 && outcome.output.contains("/c: 1 inserted"), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("/a: ") && outcome.errors.contains("503") && outcome.errors.contains("/b: "))
        let before = server.requests.count
        serve("/b", [2])
        let named = try run("refresh", server.url("/a").absoluteString)
        #expect(named.code == 0 && named.output.contains("not due before"), "\(named.output)\(named.errors)")
        let again = try run("refresh", "--format", "json")
        #expect(again.code == 0 && again.output.contains("\"notDue\""), "\(again.output)\(again.errors)")
        #expect(server.requests.dropFirst(before).map(\.path) == ["/b", "/c"])
        let list = try run("subscriptions", "--format", "json").json(as: [[String: Any]].self)
        #expect(list.map { $0["failure"] is String } == [true, false, false])
    }

    @Test("what a feed, its server and the user say of the interval counts (WEB-11)")
    func intervals() throws {
        defer { server.stop() }
        serve("/ttl", [1], ttl: "<ttl>60</ttl>")
        serve("/age", [2], fields: ["Cache-Control: max-age=600"])
        serve("/own", [3], ttl: "<ttl>60</ttl>")
        #expect(try subscribe("/ttl").code == 0)
        #expect(try subscribe("/age").code == 0)
        #expect(try subscribe("/own", "--interval", "1s").code == 0)
        #expect(try subscribe("/own", "--interval", "soon").code == 2)
        let before = server.requests.count
        let list = try run("subscriptions", "--format", "json").json(as: [[String: Any]].self)
        #expect(list.map { $0["interval"] as? Int } == [600, 1, 3600])
        usleep(1_100_000)
        let outcome = try run("refresh")
        #expect(outcome.code == 0 && outcome.output.contains("/own: not changed"), "\(outcome.output)\(outcome.errors)")
        #expect(server.requests.dropFirst(before).map(\.path) == ["/own"])
        #expect(try run("refresh", server.url("/ttl").absoluteString).output.contains("not changed"))
    }

    @Test("two refreshes at once, and one that is killed, leave each entry once (WEB-11)")
    func concurrentRefreshes() throws {
        defer { server.stop() }
        serve("/feed", [])
        #expect(try subscribe("/feed").code == 0)
        serve("/feed", Array(1...400))
        let words = ["refresh", gallery.store.path, "--model", gallery.model.path]
        let both = try (0..<3).map { _ in
            let process = Process()
            process.executableURL = Tool.url
            process.arguments = words
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            return process
        }
        usleep(UInt32.random(in: 20_000...200_000))
        kill(both[0].processIdentifier, SIGKILL)
        for process in both { process.waitUntilExit() }
        #expect(both.dropFirst().map(\.terminationStatus) == [0, 0])
        #expect(try run("refresh").code == 0)
        #expect(try count() == 400)
        #expect(try run("refresh", server.url("/feed").absoluteString).output.contains("not changed"))
    }

    @Test("refreshing goes on at intervals until it is interrupted (WEB-11, CONC-09)")
    func every() throws {
        defer { server.stop() }
        serve("/feed", [1])
        #expect(try subscribe("/feed").code == 0)
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Tool.url
        process.arguments = ["refresh", gallery.store.path, "--every", "1s", "--model", gallery.model.path]
        process.standardOutput = pipe
        try process.run()
        serve("/feed", [1, 2])
        let end = Date().addingTimeInterval(60)
        while server.requests.count < 4, Date() < end { usleep(50_000) }
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(text.contains("1 inserted") && text.contains("not changed"), "\(text)")
        #expect(try count() == 2)
    }

    @Test("URLs that cannot be kept are refused (WEB-11)")
    func refusedURLs() throws {
        defer { server.stop() }
        let secret = "http://user:secret@127.0.0.1:\(server.port)/feed"
        for url in [secret, "/etc/passwd", "ftp://a.test/feed"] {
            let outcome = try Tool.run([
                "subscribe", gallery.store.path, url, "--mapping", "feed", "--entity", "Work", "--model",
                gallery.model.path,
            ])
            #expect(outcome.code == 1 && !outcome.errors.contains("secret"), "\(outcome.errors)")
        }
        #expect(server.requests.isEmpty)
    }
}

/// What the server has, by path.
private final class Feeds: Sendable {
    let state = Mutex<[String: (text: String, status: Int, fields: [String])]>([:])
}
