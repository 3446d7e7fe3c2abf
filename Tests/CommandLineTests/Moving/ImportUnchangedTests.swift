import CoreData
import Synchronization
import TestBasics
import TestServers
import Testing

/// Imports of URLs that have not changed since the last one.
@Suite struct ImportUnchangedTests {
    private static let mapping = """
        { at = items; entity = Work; next = next; properties = { code = id; real = cost; }; }
        """
    private let gallery: Gallery
    private let document = Served()
    private let server: ScriptedServer

    init() throws {
        gallery = try Gallery()
        try Data(Self.mapping.utf8).write(to: gallery.file("Works.plist"))
        server = try ScriptedServer { [document] request, reply in
            let (text, tag) = document.value.withLock { $0 }
            let isSecond = request.target.hasSuffix("page=2")
            let (body, own) = isSecond ? ("{\"items\": [{\"id\": \"P2\"}]}", "\"second\"") : (text, tag)
            let fields = [
                "Content-Type: application/json", own.hasPrefix("\"") ? "ETag: \(own)" : "Last-Modified: \(own)",
            ]
            let known = request.field("If-None-Match") ?? request.field("If-Modified-Since")
            if known == own { return try reply.send("HTTP/1.1 304 Not Modified\r\n\(fields[1])\r\n\r\n") }
            try reply.respond(200, own.isEmpty ? [fields[0]] : fields, text: body)
        }
    }

    private func serve(_ text: String, _ tag: String) { document.value.withLock { $0 = (text, tag) } }

    private func take(_ options: String..., mapping: String = "Works.plist") throws -> Tool.Outcome {
        try Tool.run(
            [
                "import", gallery.store.path, server.url("/works").absoluteString, "--mapping",
                gallery.file(mapping).path,
            ]
                + options + ["--model", gallery.model.path])
    }

    private static let notChanged = "not changed since the last import\n"

    @Test(
        "an import of a URL that has not changed reads nothing and says so (WEB-06)",
        arguments: ["\"one\"", "W/\"weak\"", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func unchanged(tag: String) throws {
        defer { server.stop() }
        serve("{\"items\": [{\"id\": \"N1\", \"cost\": 1}]}", tag.replacing("W/", with: ""))
        #expect(try take().output.contains("1 inserted"))
        let again = try take()
        #expect(again.code == 0 && again.output == Self.notChanged, "\(again.output)\(again.errors)")
        let json = try take("--format", "json").json(as: [String: Any].self)
        #expect(json["notChanged"] as? Bool == true && json["saved"] as? Bool == false)
        #expect(try take("--fetch-always").output.contains("Work: 0 inserted, 0 updated, 1 unchanged"))
        #expect(try take("--dry-run").output == Self.notChanged)
        serve("{\"items\": [{\"id\": \"N1\", \"cost\": 2}]}", "\"two\"")
        #expect(try take().output.contains("1 updated"))
        #expect(try take().output == Self.notChanged)
    }

    @Test("a dry run, a refused import and a changed mapping do not count as the last import (WEB-06)")
    func whatCounts() throws {
        defer { server.stop() }
        serve("{\"items\": [{\"id\": \"N1\", \"cost\": \"much\"}]}", "\"one\"")
        #expect(try take("--dry-run").code == 1)
        #expect(try take().code == 1)
        #expect(try take("--rejects", gallery.file("rejects").path).code == 1)
        #expect(try take().code == 1)
        serve("{\"items\": [{\"id\": \"N1\", \"cost\": 1}]}", "\"two\"")
        #expect(try take("--dry-run").output.contains("1 inserted"))
        #expect(try take().output.contains("1 inserted"))
        try Data("{ at = items; entity = Work; properties = { code = id; }; }".utf8).write(to: gallery.file("O.plist"))
        #expect(try take(mapping: "O.plist").output.contains("1 unchanged"))
        #expect(try take(mapping: "O.plist").output == Self.notChanged)
        #expect(try take().output == Self.notChanged)
        serve("{\"items\": [{\"id\": \"N2\", \"cost\": 1}]}", "")
        #expect(try take().output.contains("1 inserted"))
        #expect(try take().output.contains("1 unchanged"))
    }

    @Test("a document in pages has changed if one of its pages has (WEB-06)")
    func pages() throws {
        defer { server.stop() }
        let first = "{\"items\": [{\"id\": \"P1\"}], \"next\": \"/works?page=2\"}"
        serve(first, "\"one\"")
        #expect(try take().output.contains("2 inserted"))
        let before = server.requests.count
        #expect(try take().output == Self.notChanged)
        #expect(server.requests.dropFirst(before).map { $0.field("If-None-Match") } == ["\"one\"", "\"second\""])
        serve(first, "\"other\"")
        #expect(try take().output.contains("2 unchanged"))
        #expect(server.requests.count == before + 4)
        #expect(try take().output == Self.notChanged)
    }

    @Test(
        "what is remembered is bounded, beside the metadata of the program, and leaves with the rules of the store (WEB-06)"
    )
    func metadata() throws {
        defer { server.stop() }
        let former = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: gallery.store)
        serve("{\"items\": [{\"id\": \"N1\", \"cost\": 1}]}", "\"one\"")
        var old: [String: Any] = ["own": "kept"]
        for number in 0..<210 {
            old["OpenCoreDataImport.\(number)"] = ["date": Date(timeIntervalSince1970: Double(number))]
        }
        try NSPersistentStoreCoordinator.setMetadata(old, type: .sqlite, at: gallery.store)
        #expect(try take().output.contains("1 inserted"))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: gallery.store)
        let keys = metadata.keys.filter { $0.hasPrefix("OpenCoreDataImport.") }
        #expect(keys.count == 200 && metadata["own"] as? String == "kept" && !keys.contains("OpenCoreDataImport.3"))
        let hashes = NSStoreModelVersionHashesKey
        #expect(metadata[hashes] as? [String: Data] == former[hashes] as? [String: Data])
        #expect(!"\(metadata)".contains("127.0.0.1"))
        #expect(try take().output == Self.notChanged)
    }
}

/// The document that the server has, and its version.
private final class Served: Sendable {
    let value = Mutex((text: "", tag: ""))
}
