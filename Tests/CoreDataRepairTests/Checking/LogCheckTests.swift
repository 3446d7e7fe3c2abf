import CoreData
import CoreDataRepair
import SQLiteKit
import TestBasics
import Testing

@Suite("Checks of logs beside stores")
struct LogCheckTests {
    /// The file and the log of a store that is open, whose last commit is in the log alone.
    private static func openStore(_ statement: String) throws -> (scene: CheckScene, connection: Connection) {
        let scene = try CheckScene()
        let connection = try Connection.open(scene.url.path)
        try connection.setPragma("wal_autocheckpoint", to: 0)
        try connection.execute(statement)
        return (scene, connection)
    }

    private static func copy(_ source: URL, _ suffixes: [String]) throws -> (folder: TemporaryFolder, url: URL) {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("People.sqlite")
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: source.path + suffix, toPath: url.path + suffix)
        }
        try FileManager.default.copyItem(
            at: source.deletingLastPathComponent().appendingPathComponent(".People_SUPPORT"),
            to: folder.url.appendingPathComponent(".People_SUPPORT"))
        return (folder, url)
    }

    private func kinds(_ url: URL) throws -> Set<StoreFinding.Kind> {
        let report = try StoreCheck(url).run()
        return Set(report.findings.counts.keys)
    }

    @Test("a copy with its log is sound; without it, with the log's index, the lost pages are reported (HAZ-37)")
    func copyWithoutLog() throws {
        let (scene, connection) = try Self.openStore("UPDATE ZTEAM SET ZTITLE = 'Green'")
        defer { connection.close() }
        let whole = try Self.copy(scene.url, ["", "-wal", "-shm"])
        #expect(try kinds(whole.url) == [])
        let cut = try Self.copy(scene.url, ["", "-shm"])
        #expect(try kinds(cut.url) == [.missingLog])
    }

    @Test("a file of fewer pages than it counts is reported (HAZ-37)")
    func cutFile() throws {
        let scene = try CheckScene()
        let bytes = try Data(contentsOf: scene.url)
        try bytes.prefix(bytes.count - 8192).write(to: scene.url)
        #expect(try kinds(scene.url).contains(.missingLog))
    }

    @Test("the log of another store is reported, whatever it holds (HAZ-07)")
    func foreignLog() throws {
        // A log that changes the store's identity, as every one that holds the page of the metadata does.
        let (other, connection) = try Self.openStore("UPDATE Z_METADATA SET Z_VERSION = Z_VERSION")
        defer { connection.close() }
        let scene = try CheckScene()
        try FileManager.default.copyItem(atPath: other.url.path + "-wal", toPath: scene.url.path + "-wal")
        #expect(try kinds(scene.url).contains(.foreignLog))
    }

    @Test("a log that SQLite passes over is reported (HAZ-07)", arguments: [0, 9, 17])
    func spoiltHeader(offset: Int) throws {
        let (scene, connection) = try Self.openStore("UPDATE ZTEAM SET ZTITLE = 'Green'")
        defer { connection.close() }
        let copy = try Self.copy(scene.url, ["", "-wal"])
        let log = URL(fileURLWithPath: copy.url.path + "-wal")
        var bytes = try Data(contentsOf: log)
        bytes[offset] ^= 0x55
        try bytes.write(to: log)
        #expect(try kinds(copy.url) == [.foreignLog])
    }
}
