import CoreData
import TestServers
import Testing

@Suite struct ImportMappingTests {
    private static let mapping = """
        { at = "data.items"; entity = Work; next = "data.next"; properties = { code = "id"; real = "cost.value";
          room = { from = "room"; match = name; create = NO; properties = { name = "."; }; }; }; }
        """

    private func page(_ ids: ClosedRange<Int>, next: String?) -> String {
        let items = ids.map {
            "{\"id\": \"N\($0)\", \"cost\": {\"value\": \"\($0).5\"}, \"room\": \"Room \($0 % 3 + 1)\"}"
        }
        return
            "{\"data\": {\"items\": [\(items.joined(separator: ", "))], \"next\": \(next.map { "\"\($0)\"" } ?? "null")}}"
    }

    @Test("the pages of a document are imported together by a mapping, and once more without a change (WEB-06)")
    func pages() throws {
        let gallery = try Gallery()
        let mapping = gallery.file("Works.plist")
        try Data(Self.mapping.utf8).write(to: mapping)
        let first = self.page(1...3, next: "/items.json?page=2")
        let second = self.page(4...5, next: "/items.json?page=1")
        let server = try ScriptedServer { request, reply in
            try reply.respond(text: request.target.hasSuffix("page=2") ? second : first)
        }
        defer { server.stop() }
        let url = server.url("/items.json?page=1").absoluteString
        let dry = try gallery.run("import", gallery.store.path, url, "--mapping", mapping.path, "--dry-run")
        #expect(dry.output.contains("it would be 5 inserted"), "\(dry.output)\(dry.errors)")
        let outcome = try gallery.run("import", gallery.store.path, url, "--mapping", mapping.path)
        #expect(outcome.code == 0 && outcome.output.contains("Work: 5 inserted"), "\(outcome.output)\(outcome.errors)")
        let again = try gallery.run("import", gallery.store.path, url, "--mapping", mapping.path)
        #expect(again.output.contains("Work: 0 inserted, 0 updated, 5 unchanged"), "\(again.output)\(again.errors)")
        let shown = try gallery.run(
            "fetch", gallery.store.path, "Work", "--where", "code BEGINSWITH 'N'", "--sort", "code", "--keys",
            "code,real,room.name", "--format", "csv")
        #expect(
            shown.output.split(whereSeparator: \.isNewline).dropFirst().joined(separator: " ")
                == "N1,1.5,Room 2 N2,2.5,Room 3 N3,3.5,Room 1 N4,4.5,Room 2 N5,5.5,Room 3",
            "\(shown.output)\(shown.errors)")
    }

    @Test("a server that asks to come again is asked again, and one that names no time is not (WEB-05)")
    func retries() throws {
        let gallery = try Gallery()
        let mapping = gallery.file("Works.plist")
        try Data("{ entity = Work; next = \"$link\"; properties = { code = c; }; }".utf8).write(to: mapping)
        let server = try ScriptedServer { [counter = Counter()] request, reply in
            switch (request.path, counter.next()) {
            case ("/busy", _): try reply.respond(503, text: "busy")
            case (_, 0): try reply.respond(429, ["Retry-After: 0"], text: "later")
            case ("/works", _):
                try reply.respond(
                    200, ["Content-Type: application/json", "Link: </last>; rel=\"next\", </works>; rel=\"prev\""],
                    text: "[{\"c\": \"R1\"}]")
            default: try reply.respond(200, ["Content-Type: application/json"], text: "[{\"c\": \"R2\"}]")
            }
        }
        defer { server.stop() }
        let outcome = try gallery.run(
            "import", gallery.store.path, server.url("/works").absoluteString, "--mapping", mapping.path)
        #expect(outcome.output.contains("Work: 2 inserted"), "\(outcome.output)\(outcome.errors)")
        let busy = try gallery.run(
            "import", gallery.store.path, server.url("/busy").absoluteString, "--mapping", mapping.path)
        #expect(busy.code == 1 && busy.errors.contains("503"), "\(busy.errors)")
        #expect(server.requests.count { $0.path == "/busy" } == 1)
    }

    @Test("entries of a feed come into the entity that is named (WEB-11)")
    func feed() throws {
        let gallery = try Gallery()
        let feed = gallery.file("feed.xml")
        let text = "<rss><channel><item><title>One</title><link>https://a.test/1</link></item></channel></rss>"
        try Data(text.utf8).write(to: feed)
        let outcome = try gallery.run(
            "import", gallery.store.path, feed.path, "--mapping", "feed", "--entity", "Work")
        #expect(outcome.output.contains("Work: 1 inserted"), "\(outcome.output)\(outcome.errors)")
        let without = try gallery.run("import", gallery.store.path, feed.path, "--mapping", "feed")
        #expect(without.code != 0 && without.errors.contains("--entity"), "\(without.errors)")
        let both = try gallery.run(
            "import", gallery.store.path, feed.path, "--mapping", "feed", "--entity", "Work", "--match", "link")
        #expect(both.code != 0 && both.errors.contains("--match"), "\(both.errors)")
        let plain = try gallery.run("import", gallery.store.path, feed.path)
        #expect(plain.code != 0 && plain.errors.contains("--mapping"), "\(plain.errors)")
    }

    @Test(
        "a guessed mapping imports the document that it was guessed from (WEB-06, WEB-07)",
        arguments: [
            (
                "works.json",
                "{\"ok\": true, \"works\": [{\"code\": \"G1\", \"made\": 1330000000, \"room\": {\"name\": \"Hall\"}}]}"
            ),
            (
                "works.xml",
                "<r><works><work code=\"G1\"><made>22 Feb 2012</made><room><name>Hall</name></room></work></works></r>"
            ),
            ("works.csv", "Code,MADE\nG1,22.02.2012\n"),
        ])
    func guess(name: String, document: String) throws {
        let gallery = try Gallery()
        let (file, mapping) = (gallery.file(name), gallery.file("Guess.plist"))
        try Data(document.utf8).write(to: file)
        let guess = try gallery.run("import", gallery.store.path, file.path, "--guess-mapping", mapping.path)
        #expect(guess.code == 0 && guess.output.isEmpty, "\(guess.output)\(guess.errors)")
        let text = try String(contentsOf: mapping, encoding: .utf8)
        #expect(text.contains("<string>Work</string>") && text.contains("made"), "\(text)")
        let dry = try gallery.run("import", gallery.store.path, file.path, "--mapping", mapping.path, "--dry-run")
        #expect(dry.output.contains("Work: 1 inserted"), "\(dry.output)\(dry.errors)\(text)")
    }
}

/// Counts calls.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = -1

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
