import CoreData
import SQLiteKit
import Testing

/// Every command on files that are no stores, or bad ones.
@Suite struct HostileStoreTests {
    /// Runs all commands on a path: each must refuse it in one line.
    private func expectAllRefuse(
        _ path: String, containing text: String, model: [String] = [], isInspected: Bool = false
    ) throws {
        let inspections = [["inspect", path], ["inspect", path, "--format", "json"]]
        for arguments in (isInspected ? [] : inspections) + [
            ["fetch", path, "Book"], ["get", path, "Book/p1"],
            ["set", path, "Book/p1", "title=x"], ["set", path, "Book", "--all", "title=x"],
            ["insert", path, "Book", "title=x"], ["delete", path, "Book", "--all"],
        ] {
            expectRefusal(try Tool.run(arguments + model), containing: text, path)
        }
    }

    @Test("an irregular or empty file is refused without a hang (HAZ-01)")
    func irregularFilesAreRefused() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = { (name: String) in folder.appendingPathComponent(name).path }
        try Data().write(to: URL(fileURLWithPath: path("empty")))
        try Data([7]).write(to: URL(fileURLWithPath: path("byte")))
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        try expectAllRefuse(path("empty"), containing: "the file is empty")
        try expectAllRefuse(path("byte"), containing: "the file is shorter than a database header")
        try expectAllRefuse(path("pipe"), containing: "it is a named pipe")
        try expectAllRefuse(folder.path, containing: "it is a directory")
        try expectAllRefuse("/dev/zero", containing: "it is a device")
        try expectAllRefuse(path("none"), containing: "there is no")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["empty", "byte", "pipe"])
    }

    @Test(
        "a file that is not a database and a database that is not a store are refused with different reasons (HAZ-02)")
    func otherFilesAreRefused() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appendingPathComponent("text")
        try Data(String(repeating: "not a database ", count: 100).utf8).write(to: text)
        let database = folder.appendingPathComponent("database")
        let connection = try Connection.open(database.path, OpenOptions(mode: .create))
        try connection.execute("CREATE TABLE t (a)")
        connection.close()
        let before = try FolderState(around: text)
        try expectAllRefuse(text.path, containing: "it is not an SQLite database")
        try expectAllRefuse(database.path, containing: "not a Core Data store")
        #expect(try FolderState(around: text) == before)
    }

    @Test("a damaged header is refused (HAZ-03)", arguments: [16, 18, 20, 24, 44, 47, 56])
    func damagedHeaderIsRefused(offset: Int) throws {
        let library = try Library()
        defer { library.remove() }
        var bytes = try Data(contentsOf: library.store)
        bytes[offset] ^= 0xFF
        bytes[offset + 1] ^= 0x7F
        try bytes.write(to: library.store)
        let before = try FolderState(around: library.store)
        let outcome = try Tool.run(["inspect", library.store.path] + library.model)
        #expect(!outcome.wasKilled)
        #expect(outcome.code == 0 || outcome.code == 1)
        #expect(outcome.code == 0 || outcome.errorLines.count == 1)
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("no single damaged byte of the first pages crashes a reading command (HAZ-04)")
    func damagedBytesNeverCrash() throws {
        let library = try Library()
        defer { library.remove() }
        let bytes = try Data(contentsOf: library.store)
        for offset in stride(from: 100, to: min(bytes.count, 40_000), by: 997) {
            var damaged = bytes
            damaged[offset] ^= 0xA5
            try damaged.write(to: library.store)
            let outcome = try Tool.run(["fetch", library.store.path, "Book", "--format", "json"] + library.model)
            #expect(!outcome.wasKilled, "byte \(offset)")
            #expect(outcome.code == 0 || outcome.code == 1)
        }
    }

    @Test("a store in a folder and file without write permission is read (HAZ-09)")
    func readOnlyStoreIsRead() throws {
        let library = try Library()
        let folder = library.folder.path
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            library.remove()
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: library.store.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        let outcome = try Tool.run(
            ["fetch", library.store.path, "Novel", "--keys", "genre", "--format", "csv"] + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Fantasy"))
    }

    @Test("triggers, checks and computed columns of others do not run, and the store is only read (HAZ-10)")
    func foreignCodeInTheSchemaIsNotRun() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(
            library.store, "CREATE TABLE victim (a)",
            "CREATE TRIGGER evil AFTER UPDATE ON ZBOOK BEGIN INSERT INTO victim VALUES (1); END",
            "CREATE VIEW v AS SELECT load_extension('x') FROM ZBOOK")
        let before = try FolderState(around: library.store)
        let read = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model)
        #expect(read.code == 0)
        #expect(
            (try read.json(as: [String: Any].self)["problems"] as? [String])?.contains { $0.contains("evil") } == true)
        expectRefusal(
            try Tool.run(["set", library.store.path, "Book/p1", "title=x"] + library.model),
            containing: "can only be read")
        #expect(try FolderState(around: library.store) == before)
    }

    @Test(
        "metadata that is not a property list, or of wrong types, is refused (HAZ-13)",
        arguments: [
            "UPDATE Z_METADATA SET Z_PLIST = 'text'", "UPDATE Z_METADATA SET Z_PLIST = x'00112233'",
            "UPDATE Z_METADATA SET Z_PLIST = NULL",
            "UPDATE Z_METADATA SET Z_PLIST = zeroblob(30000000)", "UPDATE Z_METADATA SET Z_PLIST = x'62706C6973743030'",
        ])
    func badMetadataIsRefused(statement: String) throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, statement)
        let before = try FolderState(around: library.store)
        try expectAllRefuse(library.store.path, containing: "metadata", model: library.model, isInspected: true)
        // What is to be shown of the tables needs no metadata.
        for format in ["table", "json"] {
            let shown = try Tool.run(["inspect", library.store.path, "--format", format] + library.model)
            #expect(shown.code == 1 && !shown.wasKilled && shown.output.contains("ZBOOK"), "\(shown.output)")
            #expect(shown.errorLines.count == 1 && shown.errors.contains("metadata"), "\(shown.errors)")
        }
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("a store without an identity is read, and that is said (HAZ-14)", arguments: ["NULL", "'nonsense'", "7"])
    func storeWithoutIdentityIsRead(value: String) throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "UPDATE Z_METADATA SET Z_UUID = \(value)")
        let outcome = try Tool.run(["inspect", library.store.path, "--format", "json"] + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report: [String: Any] = try outcome.json()
        #expect(report["uuid"] is NSNull)
        #expect((report["problems"] as? [String])?.contains { $0.contains("identity") } == true)
        #expect(try Tool.run(["get", library.store.path, "Book/p1"] + library.model).code == 0)
    }

    @Test(
        "a bad cached model is bounded and does not hinder a given one (HAZ-15)",
        arguments: [
            ("x'00112233'", 1), ("'text'", 0), ("zeroblob(100000)", 1), ("NULL", 0),
            ("x'4BCC2B494E2E4A4D4B4DC92C492D2E01'", 1),
        ])
    func badCachedModelIsIgnored(content: String, code: Int32) throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(
            library.store, "CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)", "DELETE FROM Z_MODELCACHE",
            "INSERT INTO Z_MODELCACHE VALUES (\(content))")
        let alone = try Tool.run("inspect", library.store.path)
        #expect(alone.code == code)
        #expect(!alone.wasKilled && alone.errorLines.count == 1 && alone.errors.contains("--model PATH"))
        #expect(try Tool.run(["fetch", library.store.path, "Book"] + library.model).code == 0)
    }

    @Test("a cached model that expands without end is given up (HAZ-15)")
    func cachedModelThatIsABombIsGivenUp() throws {
        let library = try Library()
        defer { library.remove() }
        let connection = try Connection.open(library.store.path)
        try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
        try connection.execute("DELETE FROM Z_MODELCACHE")
        try connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(Self.bomb(repeats: 400_000))])
        connection.close()
        let outcome = try Tool.run("inspect", library.store.path)
        #expect(outcome.code == 1 && !outcome.wasKilled)
        #expect(outcome.errors.contains("expands to more than"), "\(outcome.errors)")
        #expect(try Tool.run(["fetch", library.store.path, "Book"] + library.model).code == 0)
    }

    /// A raw DEFLATE stream of 258 zeros for each repeat: one block with fixed codes, a literal and matches of it.
    private static func bomb(repeats: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var filled = 0
        func add(_ bits: String) {
            for bit in bits {
                if filled % 8 == 0 { bytes.append(0) }
                if bit == "1" { bytes[bytes.count - 1] |= 1 << (filled % 8) }
                filled += 1
            }
        }
        add("110" + "00110000")
        for _ in 0..<repeats { add("11000101" + "00000") }
        add("0000000")
        return bytes
    }

    @Test("tables that lack what the model calls for are named (HAZ-16)")
    func missingColumnIsNamed() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "ALTER TABLE ZBOOK RENAME COLUMN ZPAGES TO ZOTHER")
        let outcome = try Tool.run(["fetch", library.store.path, "Book"] + library.model)
        expectRefusal(outcome, containing: "ZPAGES")
        let inspected = try Tool.run(["inspect", library.store.path] + library.model)
        #expect(inspected.code == 1)
        #expect(inspected.errors.contains("ZPAGES"))
    }

    @Test("rows of no entity are passed over and reported (HAZ-18)")
    func rowsOfNoEntityAreReported() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "UPDATE ZBOOK SET Z_ENT = 77 WHERE Z_PK = 2")
        let objects: [[String: Any]] = try Tool.run(
            ["fetch", library.store.path, "Book", "--format", "json"] + library.model
        ).json()
        #expect(objects.count == 3)
    }
}
