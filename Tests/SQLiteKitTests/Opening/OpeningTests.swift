import Foundation
import SQLiteKit
import TestBasics
import Testing

struct OpeningTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func refusal(_ path: String, mode: OpenOptions.Mode = .readWrite) -> FileRefusal? {
        sqliteError { _ = try Connection.open(path, OpenOptions(mode: mode)) }?.refusal
    }

    @Test("an irregular file is refused at once (HAZ-01)", .timeLimit(.minutes(20)))
    func refusesIrregularFiles() throws {
        let pipe = scratch.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for mode in [OpenOptions.Mode.readOnly, .readWrite, .create] {
            #expect(refusal(pipe, mode: mode) == .pipe)
            #expect(refusal(scratch.path, mode: mode) == .directory)
            #expect(refusal("/dev/zero", mode: mode) == .device)
        }
        #expect(sqliteError { _ = try Connection.open(scratch.path) }?.code == .cannotOpenDirectory)
    }

    @Test("a socket is refused (HAZ-01)") func refusesSocket() throws {
        let path = scratch.file("s")
        let descriptor = try Fixtures.boundSocket(at: URL(fileURLWithPath: path))
        defer { close(descriptor) }
        #expect(refusal(path) == .socket)
    }

    @Test("an empty file and one byte are refused and left as they are (HAZ-01)")
    func refusesEmptyAndShortFiles() throws {
        for (bytes, expected) in [(0, FileRefusal.empty), (1, .tooShort), (99, .tooShort)] {
            let path = scratch.file("\(bytes)")
            try Data(repeating: 0x53, count: bytes).write(to: URL(fileURLWithPath: path))
            for mode in [OpenOptions.Mode.readOnly, .readWrite, .create] {
                #expect(refusal(path, mode: mode) == expected)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == bytes)
        }
    }

    @Test func missingFileIsMadeOnlyInCreateMode() throws {
        #expect(refusal(scratch.file("no")) == .missing)
        #expect(refusal(scratch.file("no"), mode: .readOnly) == .missing)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("no")))
        let connection = try Connection.open(scratch.file("no"), OpenOptions(mode: .create))
        try connection.execute("CREATE TABLE t (a)")
        #expect(FileManager.default.fileExists(atPath: scratch.file("no")))
    }

    @Test func symbolicLinkToADatabaseOpens() throws {
        let target = try scratch.database(rows: 3)
        try FileManager.default.createSymbolicLink(atPath: scratch.file("link"), withDestinationPath: target)
        let connection = try Connection.open(scratch.file("link"))
        #expect(try connection.value("SELECT count(*) FROM t") == 3)
        try FileManager.default.createSymbolicLink(atPath: scratch.file("to-null"), withDestinationPath: "/dev/null")
        #expect(refusal(scratch.file("to-null")) == .device)
    }

    @Test("the code distinguishes other files from corrupt databases (HAZ-02, HAZ-03)")
    func codesDistinguishOtherFilesFromCorruptDatabases() throws {
        let text = scratch.file("text")
        try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: text))
        #expect(sqliteError { _ = try Connection.open(text) }?.code == .notADatabase)

        let broken = try scratch.database(rows: 100)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: broken))
        bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
        try bytes.write(to: URL(fileURLWithPath: broken))
        let error = try #require(sqliteError { _ = try Connection.open(broken) })
        #expect(error.code.primary == .corrupt)
        #expect(error.hint != nil)
    }

    @Test(
        "names are taken literally",
        arguments: [
            "a?mode=memory", "50%25.sqlite", "a#b", "a b&c=d", "Überraschung.sqlite", "file:x", "q?immutable=1",
        ])
    func namesAreTakenLiterally(name: String) throws {
        let path = try scratch.database(name, rows: 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [name])
        let connection = try Connection.open(path, OpenOptions(mode: .readOnly))
        #expect(try connection.value("SELECT count(*) FROM t") == 2)
        #expect(connection.path == path)
    }

    @Test func nulInAPathIsRefused() {
        #expect(refusal("/tmp/a\0b", mode: .create) == .nulInPath)
    }

    @Test func pathBelowAFileIsUnreachable() throws {
        #expect(refusal(try scratch.database() + "/x", mode: .create) == .unreachable)
    }

    @Test func absoluteAndRelativePathsBecomeLiteralURIs() {
        #expect(DatabaseFile(path: "/a b/é").uri(isImmutable: false) == "file:///a%20b/%C3%A9")
        #expect(DatabaseFile(path: "//host/x").uri(isImmutable: true) == "file:////host/x?immutable=1")
        #expect(DatabaseFile(path: "x?y").uri(isImmutable: false) == "file:x%3Fy")
        #expect(DatabaseFile(path: "\u{1}").uri(isImmutable: false) == "file:%01")
    }

    @Test func untrustedSettingsAreOn() throws {
        let connection = try Connection.open(try scratch.database())
        #expect(try connection.pragma("trusted_schema") == 0)
        #expect(try connection.pragma("cell_size_check") == 1)
        #expect(try connection.pragma("mmap_size") == 0)
        try connection.setPragma("writable_schema", to: 1)
        let error = sqliteError { try connection.execute("DELETE FROM sqlite_master") }
        #expect(error?.message.contains("may not be modified") == true)
    }
}
