import CoreData
import TestServers
import Testing

@Suite struct ImportURLTests {
    private static let objects = """
        [{"entity": "Work", "code": "A1", "real": 1.5}, {"entity": "Work", "code": "A2", "real": 2}]
        """

    /// A server with the files of the tests.
    private func server() throws -> ScriptedServer {
        try ScriptedServer { request, reply in
            switch request.path {
            case "/feed": try reply.respond(200, ["Content-Type: application/json; charset=utf-8"], text: Self.objects)
            case "/Work.csv": try reply.respond(text: "code,real\nB1,1\nB2,many\n")
            case "/page.json": try reply.respond(200, ["Content-Type: text/html"], text: "<html>\n<p>no objects</p>")
            case "/moved.json": try reply.respond(302, ["Location: /gone.json"])
            case "/unknown": try reply.respond(text: Self.objects)
            case "/half.json":
                try reply.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + Self.objects)
                reply.close()
            default: try reply.respond(404, text: "not here")
            }
        }
    }

    @Test("what a URL has is imported, in the format that its name or its server says (WEB-06)")
    func importsURL() throws {
        let gallery = try Gallery()
        let server = try server()
        defer { server.stop() }
        let feed = server.url("/feed").absoluteString
        let outcome = try gallery.run("import", gallery.store.path, feed)
        #expect(outcome.code == 0 && outcome.output.contains("2 inserted"), "\(outcome.output)\(outcome.errors)")
        let again = try gallery.run("import", gallery.store.path, feed, "--match", "code")
        #expect(again.output.contains("2 unchanged"), "\(again.output)\(again.errors)")
        let rejects = gallery.file("rejects.jsonl")
        let table = server.url("/Work.csv?version=2").absoluteString
        let partial = try gallery.run("import", gallery.store.path, table, "--rejects", rejects.path)
        #expect(partial.code == 1 && partial.output.contains("1 inserted"), "\(partial.output)\(partial.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: rejects)) as? [String: Any])
        #expect(line["file"] as? String == table && line["line"] as? Int == 3, "\(line)")
        let guess = try gallery.run("import", gallery.store.path, table, "--guess")
        #expect(guess.output == "entity: Work\ncode -> code\nreal -> real\n", "\(guess.output)\(guess.errors)")
    }

    @Test(
        "a URL that has no objects changes nothing, and the error names it (WEB-05)",
        arguments: [
            ("/missing.json", "404"), ("/moved.json", "gone.json"), ("/page.json", "page.json:1"),
            ("/half.json", "half.json"),
            ("/unknown", "--from"),
        ])
    func refusesURL(path: String, expected: String) throws {
        let gallery = try Gallery()
        let server = try server()
        defer { server.stop() }
        let before = try gallery.text(of: gallery.store)
        let url = server.url(path).absoluteString
        let outcome = try gallery.run("import", gallery.store.path, url)
        #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome.output)")
        #expect(outcome.errors.contains(url) && outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(try gallery.text(of: gallery.store) == before)
    }
}
