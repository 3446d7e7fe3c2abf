import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite struct ExportImportTests {
    /// The versions of all rows, and how many history or key records there are: what a save that changes nothing leaves.
    private func versions(_ store: URL) throws -> [String] {
        let connection = try Connection.open(store.path)
        defer { connection.close() }
        return try connection.rows(
            "SELECT 'w', Z_PK, Z_OPT, Z_ENT FROM ZWORK UNION ALL SELECT 'r', Z_PK, Z_OPT, Z_ENT FROM ZROOM UNION ALL "
                + "SELECT Z_NAME, Z_MAX, 0, 0 FROM Z_PRIMARYKEY"
        ).map { "\($0)" }
    }

    @Test(
        "what is exported comes back exactly in an empty store of the same model (TOOL-17)",
        arguments: ["jsonl", "json"])
    func exportComesBackExactly(form: String) throws {
        let gallery = try Gallery()
        let file = gallery.file("all.\(form)")
        let exported = try gallery.run("export", gallery.store.path, "--to", form, "-o", file.path)
        #expect(exported.code == 0, "\(exported.errors)")
        #expect(exported.output == "exported 10 objects\n")
        let copy = gallery.file("Copy.sqlite")
        let imported = try gallery.run("import", copy.path, file.path, "--create")
        // Nothing is said of the classes that the model names: they are another program's.
        #expect(imported.code == 0 && imported.errors == "", "\(imported.errors)")
        #expect(imported.output.hasSuffix("10 inserted, 0 updated, 0 unchanged, 0 refused\n"))
        let (before, after) = (try gallery.text(of: gallery.store), try gallery.text(of: copy))
        let (lines, restoredLines) = (Gallery.named(before), Gallery.named(after))
        for (line, restored) in zip(lines, restoredLines) where line != restored {
            #expect(line.prefix(2000) == restored.prefix(2000))
        }
        #expect(lines.count == 10 && restoredLines.count == 10)
        // Bits, not only texts, are the same.
        for column in ["ZREAL", "ZSINGLE", "ZMADE", "ZPRICE", "ZTAGS", "ZISBN", "ZLARGE", "ZTITLE", "ZPLACE"] {
            let name = column == "ZPLACE" ? "ZHEIGHT" : column
            let question =
                "SELECT group_concat(quote(value), '|') FROM (SELECT \(name) AS value FROM ZWORK ORDER BY ZCODE)"
            guard let original = try? Database.text(gallery.store, question) else { continue }
            let restored = try Database.text(copy, question)
            #expect(original == restored, "\(column)")
        }
        let derived = try Database.text(copy, "SELECT group_concat(ZSIZE) FROM ZROOM")
        #expect(derived == "2,2,2")
    }

    @Test("tables, a file an entity, come back exactly in an empty store of the same model (TOOL-17)")
    func tablesComeBackExactly() throws {
        let gallery = try Gallery()
        let tables = gallery.file("Tables")
        let exported = try gallery.run("export", gallery.store.path, "--to", "csv", "-o", tables.path)
        #expect(exported.code == 0, "\(exported.errors)")
        #expect(exported.output == "exported 10 objects in 3 tables\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: tables.path).sorted()
        #expect(names == ["Painting.csv", "Room.csv", "Work.csv"])
        let copy = gallery.file("Copy.sqlite")
        let files = names.map { tables.appendingPathComponent($0).path }
        let imported = try gallery.run("import", copy.path, files[0], files[1], files[2], "--create")
        #expect(imported.code == 0, "\(imported.errors)")
        let (before, after) = (try gallery.text(of: gallery.store), try gallery.text(of: copy))
        let (lines, restored) = (Gallery.named(before), Gallery.named(after))
        for (line, other) in zip(lines, restored) where line != other {
            #expect(line.prefix(2000) == other.prefix(2000))
        }
        #expect(restored.count == 10)
        // One table of an entity and those below it, which import takes by itself.
        let all = gallery.file("Work.csv")
        #expect(try gallery.run("export", gallery.store.path, "Work", "--to", "csv", "-o", all.path).code == 0)
        let second = try gallery.run("import", gallery.store.path, all.path, "--match", "constraint")
        #expect(
            second.output.hasSuffix("0 inserted, 0 updated, 7 unchanged, 0 refused\n"),
            "\(second.output)\(second.errors)")
    }

    @Test("elements of composites are columns of tables, and an import leaves those that it does not name (TOOL-17)")
    func elementsAreColumns() throws {
        let gallery = try Gallery()
        func place(_ code: String) throws -> String? {
            try Database.text(
                gallery.store, "SELECT quote(ZROOM) || ' ' || quote(ZHEIGHT) FROM ZWORK WHERE ZCODE = '\(code)'")
        }
        let table = try gallery.run(
            "export", gallery.store.path, "Work", "--to", "csv", "--keys", "code,place.height,place.room")
        let lines = table.output.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "objectID,entity,code,place.room,place.height", "\(table.errors)")
        #expect(lines.contains { $0.hasSuffix(",W0,r0,0.0") || $0.hasSuffix(",W0,r0,0") }, "\(table.output)")
        #expect(lines.contains { $0.hasSuffix(",W9,,") }, "\(table.output)")
        let file = gallery.file("Work.csv")
        try Data("code,place.room\nW0,new\nW2,\nX1,begun\nX2,\n".utf8).write(to: file)
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--match", "code")
        #expect(outcome.output.hasSuffix("2 inserted, 2 updated, 0 unchanged, 0 refused\n"), "\(outcome.errors)")
        let found = try ["W0", "W2", "W4", "X1", "X2"].map { try place($0) }
        #expect(found[0] == "'new' 0.0" && found[1]?.hasPrefix("NULL 6.666") == true)
        #expect(found[2]?.hasPrefix("'r4'") == true && found[3] == "'begun' NULL" && found[4] == "NULL NULL")
        let again = try gallery.run("import", gallery.store.path, file.path, "--match", "code")
        #expect(again.output.hasSuffix("0 inserted, 0 updated, 4 unchanged, 0 refused\n"), "\(again.errors)")
        // JSON may name single elements too, and a wrong one is refused by its name.
        let json = gallery.file("Work.json")
        try Data(#"[{"entity":"Work","code":"X3","place.height":2.5}]"#.utf8).write(to: json)
        #expect(try gallery.run("import", gallery.store.path, json.path).code == 0)
        #expect(try place("X3") == "NULL 2.5")
        for (name, value, reason) in [
            ("place.hight", "1", "has no element 'hight'"), ("place.height", "tall", "place.height"),
        ] {
            try Data("code,\(name)\nX4,\(value)\n".utf8).write(to: file)
            let refused = try gallery.run("import", gallery.store.path, file.path)
            #expect(refused.code == 1 && refused.errors.contains(reason), "\(refused.errors)")
        }
        expectRefusal(
            try gallery.run("export", gallery.store.path, "Work", "--keys", "place.room"), containing: "place.room")
    }

    @Test(
        "a malformed table is refused with its line (TOOL-17)",
        arguments: [
            ("code,title\n1,2,3\n", ":2"), ("code,title\n\"1,2\n", ":2"), ("code,title\n\"1\"x,2\n", ":2"),
            ("code,code\n1,2\n", ":1"), ("code,\n1,2\n", ":1"), ("code,title\na\"b,2\n", ":2"),
            ("code,title\n\"a\nb\",1\n1,2,3\n", ":4"),
        ])
    func malformedTableIsRefused(text: String, place: String) throws {
        let gallery = try Gallery(filling: false)
        let file = gallery.file("Work.csv")
        try Data(text.utf8).write(to: file)
        expectRefusal(try gallery.run("import", gallery.store.path, file.path), containing: place)
        try Data([0x63, 0x6F, 0x64, 0x65, 0x0A, 0xFF, 0x0A]).write(to: file)
        expectRefusal(try gallery.run("import", gallery.store.path, file.path), containing: "a field is not UTF-8")
        // Both kinds of line ends, blank lines and a byte-order mark are taken.
        try Data("\u{FEFF}code,title\r\n1,\"\"\r\n\n2,\n\"3\",\"a\"\"b\r\nc\"".utf8).write(to: file)
        let outcome = try gallery.run("import", gallery.store.path, file.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let titles = try Database.text(
            gallery.store, "SELECT group_concat(quote(ZTITLE), ';') FROM (SELECT * FROM ZWORK ORDER BY ZCODE)")
        #expect(titles == "'';NULL;'a\"b\r\nc'")
    }

    @Test("links, orders and circles come back, each link written once (TOOL-17)")
    func linksComeBack() throws {
        let gallery = try Gallery()
        let text = try gallery.text(of: gallery.store)
        let lines = text.split(separator: "\n").map(String.init)
        let rooms = lines.filter { $0.contains(#""entity":"Room""#) }
        #expect(rooms.count == 3)
        for room in rooms {
            #expect(!room.contains(#""works""#) && room.contains(#""tour":["#) && !room.contains("size"))
        }
        let file = gallery.file("all.jsonl")
        // Backwards, so that nearly every object comes before those it refers to.
        try Data(lines.reversed().joined(separator: "\n").utf8).write(to: file)
        let copy = gallery.file("Copy.sqlite")
        let outcome = try gallery.run("import", copy.path, file.path, "--create")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let (before, after) = (try gallery.links(gallery.store), try gallery.links(copy))
        #expect(before == after)
        #expect(before.contains { $0.contains("tour [\"W5\", \"W0\"]") }, "\(before)")
    }

    @Test(
        "a second import that finds its objects writes nothing (TOOL-17)", arguments: ["constraint", "code", "id"])
    func secondImportWritesNothing(rule: String) throws {
        let gallery = try Gallery()
        let file = gallery.file("works.jsonl")
        #expect(try gallery.run("export", gallery.store.path, "Work", "-o", file.path).code == 0)
        let before = try versions(gallery.store)
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--match", rule)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("0 inserted, 0 updated, 7 unchanged, 0 refused\n"), "\(outcome.output)")
        #expect(try versions(gallery.store) == before)
        // One changed value and one changed link are two updates.
        var text = try String(contentsOf: file, encoding: .utf8)
        text = text.replacing(#""code":"W9""#, with: #""code":"W9","title":"new""#)
            .replacing(#","title":null"#, with: "")
        try Data(text.utf8).write(to: file)
        let second = try gallery.run("import", gallery.store.path, file.path, "--match", rule)
        #expect(
            second.output.hasSuffix("0 inserted, 1 updated, 6 unchanged, 0 refused\n"),
            "\(second.output)\(second.errors)")
        #expect(try Database.text(gallery.store, "SELECT ZTITLE FROM ZWORK WHERE ZCODE = 'W9'") == "new")
    }

    @Test("refused objects leave the store as it was, or are left out where --rejects says so (TOOL-17)")
    func refusedObjectsAreReported() throws {
        let gallery = try Gallery(filling: false)
        let file = gallery.file("in.jsonl")
        let lines = [
            #"{"objectID": "a", "entity": "Work", "attributes": {"code": "1", "title": "ok"}}"#,
            #"{"entity": "Work", "attributes": {"code": "2", "small": 40000}}"#,
            #"{"entity": "Work", "attributes": {"code": "3", "titel": "x"}}"#,
            #"{"entity": "Work", "attributes": {"code": "1"}}"#,
            #"{"entity": "Nothing", "attributes": {}}"#,
            #"{"objectID": "lost", "entity": "Work", "attributes": {"code": "4"}, "relationships": {"original": "Work/p77"}}"#,
            #"{"entity": "Work", "attributes": {"code": "5"}, "relationships": {"original": "lost"}}"#,
            #"{"entity": "Work", "attributes": {"code": "6"}, "relationships": {"original": "a"}}"#,
            #"{"entity": "Room", "attributes": {"name": "no next"}}"#,
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let before = try versions(gallery.store)
        let strict = try gallery.run("import", gallery.store.path, file.path)
        #expect(strict.code == 1)
        #expect(strict.output.contains("nothing was changed"))
        for line in [2, 3, 4, 5, 6, 9] { #expect(strict.errors.contains("in.jsonl:\(line): "), "\(strict.errors)") }
        #expect(!strict.errors.contains("40000"))
        #expect(try versions(gallery.store) == before)
        let rejects = gallery.file("rejects.jsonl")
        let lenient = try gallery.run("import", gallery.store.path, file.path, "--rejects", rejects.path)
        #expect(lenient.code == 1)
        #expect(lenient.output.hasSuffix("\n2 inserted, 0 updated, 0 unchanged, 7 refused\n"), "\(lenient.output)")
        let refusals = try String(contentsOf: rejects, encoding: .utf8).split(separator: "\n")
        #expect(refusals.count == 7)
        #expect(refusals.allSatisfy { $0.hasPrefix("{\"file\":") && $0.contains("\"reason\":\"") })
        #expect(try Database.text(gallery.store, "SELECT group_concat(ZCODE) FROM ZWORK") == "1,6")
        #expect(try Database.text(gallery.store, "SELECT count(*) FROM ZROOM") == "0")
    }

    @Test("the terminal names the value that a rule refuses, the file of the refused does not (TOOL-17)")
    func refusedValuesAreNamed() throws {
        let gallery = try Gallery(filling: false)
        let file = gallery.file("in.jsonl")
        let title = String(repeating: "long ", count: 10)
        try Data(#"{"entity": "Work", "attributes": {"code": "1", "title": "\#(title)"}}"#.utf8).write(to: file)
        let rejects = gallery.file("rejects.jsonl")
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--rejects", rejects.path)
        #expect(
            outcome.errors.contains("(at most 40 characters). It has 50 characters: 'long long"), "\(outcome.errors)")
        let refusals = try String(contentsOf: rejects, encoding: .utf8)
        #expect(refusals.contains("(at most 40 characters)") && !refusals.contains("long long"), "\(refusals)")
    }

    @Test("a dry run of an import leaves every byte as it is (TOOL-17)")
    func dryRunChangesNothing() throws {
        let gallery = try Gallery()
        let file = gallery.file("all.jsonl")
        #expect(try gallery.run("export", gallery.store.path, "-o", file.path).code == 0)
        let state = try FolderState(around: gallery.store)
        let files = { try FileManager.default.subpathsOfDirectory(atPath: gallery.folder.url.path).sorted() }
        let before = try files()
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--match", "constraint", "--dry-run")
        #expect(outcome.code == 1, "rooms have no constraint: \(outcome.output)")
        let works = gallery.file("works.jsonl")
        let text = try String(contentsOf: file, encoding: .utf8).replacing(#""code":"W"#, with: #""code":"X"#)
        let changed = text.split(separator: "\n").filter { !$0.contains(#""entity":"Room""#) }.joined(separator: "\n")
        try Data(changed.utf8).write(to: works)
        let dry = try gallery.run("import", gallery.store.path, works.path, "--match", "constraint", "--dry-run")
        #expect(dry.code == 0, "\(dry.errors)")
        #expect(dry.output.contains("nothing was changed; it would be 7 inserted"), "\(dry.output)")
        try FileManager.default.removeItem(at: works)
        #expect(try FolderState(around: gallery.store) == state)
        #expect(try files() == before)
    }

    @Test(
        "malformed input is refused with its line, and nothing is changed (TOOL-17)",
        arguments: [
            ("{\"entity\":\"Work\",\"attributes\":{}}\n{\"entity\":", "line 2"), ("[{\"entity\":\"Work\"}\n{}]", ":2"),
            ("{\"code\":\"\u{1}1", "line 1"), ("[1]", ":1"), ("nonsense", ":1"), ("[{}", ":1"), ("[{}]x", ":1"),
            ("{\"a\":\(String(repeating: "[", count: 300))", "line 1"), ("{\"code\":1,\"code\":2}", "line 1"),
        ])
    func malformedInputIsRefused(text: String, place: String) throws {
        let gallery = try Gallery(filling: false)
        let file = gallery.file("in.jsonl")
        try Data(text.utf8).write(to: file)
        let before = try versions(gallery.store)
        let outcome = try gallery.run("import", gallery.store.path, file.path, "--entity", "Work")
        expectRefusal(outcome, containing: place)
        #expect(try versions(gallery.store) == before)
        try Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]).write(to: file)
        expectRefusal(
            try gallery.run("import", gallery.store.path, file.path, "--entity", "Work"), containing: "line 1")
    }

    @Test(
        "keys are renamed, flat objects take their entity from the command line, and keys choose what is written (TOOL-17)"
    )
    func keysAreMapped() throws {
        let gallery = try Gallery(filling: false)
        let outcome = try gallery.run(
            "import", gallery.store.path, "-", "--entity", "Work", "--map", "id=code,name=title", "--format", "json",
            input: #"[{"id": "7", "name": "seven", "original": "w"}, {"objectID": "w", "id": "8", "small": 3}]"#)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix(#"{"inserted":2,"updated":0,"unchanged":0,"refused":0,"saved":true"#))
        let text = try gallery.text(of: gallery.store, "Work", "--keys", "code,original", "--where", "title == 'seven'")
        #expect(
            text
                == #"{"objectID":"Work/p1","entity":"Work","attributes":{"code":"7"},"relationships":{"original":"Work/p2"}}"#
                + "\n")
    }

    @Test(
        "an export is of one moment, and of stores that Apple's framework wrote (TOOL-17)",
        .enabled(if: Fixtures.areAvailable))
    func appleStoresComeBack() throws {
        for path in [
            "coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
            "ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite",
        ] {
            let source = try Fixtures.copyOfStore("stores/\(path)")
            let target = try Fixtures.copyOfStore("stores/\(path)")
            let file = source.deletingLastPathComponent().appendingPathComponent("all.jsonl")
            let exported = try Tool.run("export", source.path, "-o", file.path)
            #expect(exported.code == 0, "\(exported.errors)")
            let second = try Tool.run("import", target.path, file.path, "--match", "id")
            #expect(second.code == 0, "\(second.errors)")
            #expect(second.output.contains("\n0 inserted, 0 updated, "), "\(second.output)")
            let count = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
            #expect(count > 0 && second.output.contains(" \(count) unchanged, 0 refused"), "\(second.output)")
        }
    }
}
