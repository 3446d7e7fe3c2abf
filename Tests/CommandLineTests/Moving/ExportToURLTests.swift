import CoreData
import Synchronization
import TestBasics
import TestServers
import Testing

/// Objects sent to servers.
@Suite struct ExportToURLTests {
    private let gallery: Gallery
    private let inbox = Inbox()
    private let server: ScriptedServer

    init() throws {
        gallery = try Gallery()
        server = try ScriptedServer { [inbox] request, reply in
            let number = inbox.state.withLock { state in
                state.calls += 1
                return state.calls
            }
            switch request.path {
            case "/busy" where number == 1: return try reply.respond(503, ["Retry-After: 0"], text: "later")
            case "/full" where number > 1: return try reply.respond(507, text: "no room\u{1B}[31m")
            case "/moved": return try reply.respond(307, ["Location: /inbox"])
            case "/found": return try reply.respond(302, ["Location: /inbox"])
            case "/kept": return try reply.respond(303, ["Location: /inbox"])
            case "/away": return try reply.respond(308, ["Location: http://127.0.0.2:1/inbox"])
            case "/never": return try reply.respond(503, ["Retry-After: 1e300"], text: "never")
            default: break
            }
            inbox.state.withLock { $0.bodies.append(request.body) }
            try reply.respond(201, text: "thanks")
        }
    }

    private var bodies: [Data] { inbox.state.withLock { $0.bodies } }

    private func send(_ path: String, _ options: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["export", gallery.store.path] + options + [
                "--to", server.url(path).absoluteString, "--model", gallery.model.path,
            ])
    }

    /// Imports what was posted into an empty store, by options, and gives its texts.
    private func imported(_ name: String, _ options: String...) throws -> [String] {
        let store = gallery.file("Copy-\(name).sqlite")
        for (number, body) in bodies.enumerated() {
            let file = gallery.file("\(number)-\(name)")
            try body.write(to: file)
            let create = number == 0 ? ["--create"] : []
            let outcome = try Tool.run(
                ["import", store.path, file.path] + options + create + ["--model", gallery.model.path])
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        }
        return try Gallery.named(gallery.text(of: store))
    }

    @Test(
        "what is posted and imported again is the same (WEB-09)",
        arguments: [("json", "application/json"), ("jsonl", "application/x-ndjson")])
    func posts(form: String, type: String) throws {
        defer { server.stop() }
        let outcome = try send("/inbox", "--form", form, "--header", "X-Key: 7")
        #expect(outcome.code == 0 && outcome.output.contains("in 1 request"), "\(outcome.output)\(outcome.errors)")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.field("Content-Type") == type && request.field("X-Key") == "7")
        #expect(try imported("all.\(form)") == Gallery.named(gallery.text(of: gallery.store)))
    }

    @Test("tables go in portions, each with its titles, and a redirect or a busy server gets them again (WEB-09)")
    func portions() throws {
        defer { server.stop() }
        let all = try send("/moved", "Work", "--form", "csv", "--method", "PUT", "--portion", "2")
        #expect(all.code == 0, "\(all.output)\(all.errors)")
        #expect(server.requests.allSatisfy { $0.method == "PUT" })
        let tables = bodies.map { String(decoding: $0, as: UTF8.self) }
        #expect(tables.count > 1 && tables.allSatisfy { $0.hasPrefix("objectID,entity,") })
        inbox.state.withLock { $0 = ([], 0) }
        let busy = try send("/busy", "Room")
        #expect(busy.code == 0 && bodies.count == 1, "\(busy.errors)")
    }

    @Test("the error of a server that refuses has its answer, and what it has accepted before (WEB-05)")
    func refusal() throws {
        defer { server.stop() }
        let outcome = try send("/full", "Work", "--portion", "1")
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        for part in ["/full", "507", "no room", "objects 2 to 2", "objects 1 to 1 were accepted"] {
            #expect(outcome.errors.contains(part), "\(outcome.errors)")
        }
        #expect(!outcome.errors.contains("\u{1B}"))
        #expect(try send("/inbox", "--method", "GET").code == 2)
        #expect(try send("/inbox", "--form", "csv").code == 2)
        #expect(try Tool.run("export", gallery.store.path, "--portion", "2").code == 2)
    }

    @Test("a redirect by which a request would lose its body, or go to another server, is an error (WEB-05)")
    func redirects() throws {
        defer { server.stop() }
        let found = try send("/found", "Room")
        #expect(found.code == 1 && found.errors.contains("it leads to /inbox"), "\(found.errors)")
        let away = try send("/away", "Room")
        #expect(away.code == 1 && away.errors.contains("127.0.0.2"), "\(away.errors)")
        let kept = try send("/kept", "Room")
        #expect(kept.code == 0, "\(kept.errors)")
        #expect(bodies.isEmpty && server.requests.map(\.path) == ["/found", "/away", "/kept"])
        let never = try send("/never", "Room")
        #expect(never.code == 1 && never.errors.contains("in 604800 seconds"), "\(never.errors)")
    }

    @Test("in a table nil is an empty field and an empty text a quoted one, so that an import has both (WEB-09)")
    func emptyTexts() throws {
        defer { server.stop() }
        let (file, given, store) = (gallery.file("W.plist"), gallery.file("given.json"), gallery.file("Given.sqlite"))
        try Data("{ entity = Work; properties = { code = id; title = name; }; }".utf8).write(to: file)
        try Data(#"[{"id": "X1", "name": null}, {"id": "X2", "name": ""}]"#.utf8).write(to: given)
        let model = ["--model", gallery.model.path]
        let made = try Tool.run(["import", store.path, given.path, "--mapping", file.path, "--create"] + model)
        #expect(made.code == 0, "\(made.errors)")
        let place = server.url("/inbox").absoluteString
        let sent = try Tool.run(
            ["export", store.path, "--mapping", file.path, "--form", "csv", "--to", place] + model)
        #expect(sent.code == 0, "\(sent.errors)")
        #expect(bodies.map { String(decoding: $0, as: UTF8.self) } == ["id,name\r\nX1,\r\nX2,\"\"\r\n"])
        #expect(try imported("w.csv", "--mapping", file.path) == Gallery.named(gallery.text(of: store)))
    }

    @Test(
        "what a table or a default would lose is refused before anything is sent (WEB-09)",
        arguments: [
            ("", "code = id; original = { from = of; properties = { code = \".\"; }; };", "original"),
            ("", "code = id; title = { from = words; join = \" \"; };", "title"),
            ("encoding = \"UTF-16\";", "code = id;", "encoding"), ("delimiter = \";\";", "code = id;", "delimiter"),
            ("", "code = id; link = { from = at; default = \"http://a\"; };", "link"),
        ])
    func losses(keys: String, properties: String, expected: String) throws {
        defer { server.stop() }
        let file = gallery.file("Works.plist")
        try Data("{ entity = Work; \(keys) properties = { \(properties) }; }".utf8).write(to: file)
        let outcome = try send("/inbox", "--mapping", file.path, "--form", "csv")
        #expect(outcome.code == 1 && outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(server.requests.isEmpty)
    }

    private static let mapping = """
        { at = "data.works"; entity = Work; match = code; properties = { code = "id";
          title = "text.title"; made = { from = "when"; date = "EEE, dd MMM yyyy HH:mm:ss Z"; zone = "Europe/Berlin"; };
          real = { from = "cost"; locale = de; }; isSold = { from = sold; true = yes; false = no; };
          small = { from = size; words = { S = 1; M = 2; L = 3; }; };
          original = { from = "place"; match = code; properties = { code = "."; }; }; }; }
        """

    @Test("a mapping the other way round gives a document that it makes equal objects of (WEB-06, WEB-09)")
    func mapped() throws {
        defer { server.stop() }
        let file = gallery.file("Works.plist")
        try Data(Self.mapping.utf8).write(to: file)
        let given = gallery.file("given.json")
        let works = (1...5).map { number in
            """
            {"id": "X\(number)", "text": {"title": "Title, \\"\(number)\\""}, "when": "Wed, 22 Feb 2012 0\(number):30:00 +0100",
             "cost": "1.234,\(number)5", "sold": "\(number % 2 == 0 ? "yes" : "no")", "size": "\(["S", "M", "L"][number % 3])",
             "place": \(number == 5 ? "null" : "\"Hall \(number % 2)\"")}
            """
        }
        try Data("{\"data\": {\"works\": [\(works.joined(separator: ","))]}}".utf8).write(to: given)
        let store = gallery.file("Given.sqlite")
        let model = ["--model", gallery.model.path]
        let made = try Tool.run(["import", store.path, given.path, "--mapping", file.path, "--create"] + model)
        #expect(made.output.contains("Work: 7 inserted"), "\(made.output)\(made.errors)")
        let sent = try Tool.run(
            [
                "export", store.path, "--mapping", file.path, "--portion", "2", "--to",
                server.url("/inbox").absoluteString,
            ]
                + model)
        #expect(sent.code == 0 && bodies.count == 4, "\(sent.output)\(sent.errors)")
        let all = try bodies.flatMap { body in
            let document = try JSONSerialization.jsonObject(with: body) as? [String: [String: [[String: Any]]]]
            return document?["data"]?["works"] ?? []
        }
        let work = try #require(all.first { $0["id"] as? String == "X1" })
        #expect(work["when"] as? String == "Wed, 22 Feb 2012 01:30:00 +0100" && work["place"] as? String == "Hall 1")
        #expect(
            work["cost"] as? String == "1234,15" && work["sold"] as? String == "no" && work["size"] as? String == "M")
        #expect(
            try imported("mapped.json", "--mapping", file.path) == Gallery.named(gallery.text(of: store)))
    }

    @Test(
        "what has no other way round is refused before anything is sent, with the property (WEB-09)",
        arguments: [
            ("code = id; title = \"names.0\";", "title"), ("code = id; title = \"t[a=b]\";", "title"),
            ("code = id; small = { from = s; words = { a = 1; b = 1; }; };", "small"),
            ("code = id; title = id;", "same place"), ("code = id; title = \"id.text\";", "same place"),
            ("code = id; title = { from = t; transformer = NoSuchTransformer; };", "title"),
        ])
    func noInverse(properties: String, expected: String) throws {
        defer { server.stop() }
        let file = gallery.file("Works.plist")
        try Data("{ entity = Work; properties = { \(properties) }; }".utf8).write(to: file)
        let outcome = try send("/inbox", "--mapping", file.path)
        #expect(outcome.code == 1 && outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(server.requests.isEmpty)
    }
}

/// What the server has got.
private final class Inbox: Sendable {
    let state = Mutex<(bodies: [Data], calls: Int)>(([], 0))
}
