import CoreData
import CoreDataWorkbench
import SQLiteKit
import Testing

/// Reading leaves nothing beside a store and changes nothing there, whatever its journal and whoever has it open.
@Suite struct ReadingTraceTests {
    private func readings(_ store: String) -> [[String]] {
        [
            ["inspect", store, "--tables"], ["fetch", store, "Book", "--format", "csv"], ["fetch", store, "Book"],
            ["fetch", store, "Book", "--raw"], ["explain", store, "Book", "--where", "pages > 1"],
            ["sql", store, "SELECT count(*) FROM ZBOOK"], ["chart", store, "Book", "--group", "title"],
            ["get", store, "Book/p1"], ["model", "check", store], ["model", "hash", store], ["model", "show", store],
            ["model", "diff", store, store], ["check", store], ["export", store], ["compare", store, store],
            ["browse", "--print", "/", store],
        ]
    }

    /// What the system says of the files of a folder: their names, sizes and times of the last change.
    private func state(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            var status = stat()
            stat(folder.appendingPathComponent(name).path, &status)
            return "\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }
    }

    @Test("a closed store", arguments: ["wal", "delete", "persist"])
    func closedStoreIsLeftAlone(journal: String) throws {
        let library = try Library()
        defer { library.remove() }
        let connection = try Connection.open(library.store.path)
        _ = try connection.rows("PRAGMA journal_mode = \(journal)")
        connection.close()
        let before = try state(library.folder)
        for arguments in readings(library.store.path) {
            let outcome = try Tool.run(arguments)
            #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
            #expect(try state(library.folder) == before, "\(arguments)")
        }
    }

    @Test("a store that another program has open, with changes in its log that it has not moved to the file (HAZ-08)")
    func openStoreIsReadWithItsLog() throws {
        let library = try Library()
        defer { library.remove() }
        let writer = try Connection.open(library.store.path)
        defer { writer.close() }
        _ = try writer.rows("PRAGMA journal_mode = wal")
        _ = try writer.rows("PRAGMA wal_autocheckpoint = 0")
        try writer.execute("UPDATE ZBOOK SET ZTITLE = 'in the log' WHERE Z_PK = 1")
        let before = try state(library.folder)
        #expect(before.contains { $0.hasPrefix("Library.sqlite-shm ") })
        for arguments in readings(library.store.path) {
            let outcome = try Tool.run(arguments)
            #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
            #expect(try state(library.folder) == before, "\(arguments)")
        }
        let read = try Tool.run("fetch", library.store.path, "Book", "--keys", "title", "--format", "csv")
        #expect(read.output.contains("in the log"))
        // The writer goes on.
        try writer.execute("UPDATE ZBOOK SET ZTITLE = 'later' WHERE Z_PK = 1")
        let again = try Tool.run("fetch", library.store.path, "Book", "--keys", "title", "--format", "csv")
        #expect(again.output.contains("later"))
    }

    @Test("files that a program left when it was killed (HAZ-08)")
    func abandonedLogIsLeftAlone() throws {
        let library = try Library()
        defer { library.remove() }
        let copy = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: copy) }
        let writer = try Connection.open(library.store.path)
        _ = try writer.rows("PRAGMA journal_mode = wal")
        try writer.execute("UPDATE ZBOOK SET ZTITLE = 'left behind' WHERE Z_PK = 1")
        for suffixes in [["", "-wal", "-shm"], ["", "-wal"]] {
            let folder = copy.appendingPathComponent("\(suffixes.count)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = folder.appendingPathComponent("Library.sqlite")
            for suffix in suffixes {
                try FileManager.default.copyItem(atPath: library.store.path + suffix, toPath: store.path + suffix)
            }
            let before = try state(folder)
            for arguments in readings(store.path) {
                let outcome = try Tool.run(arguments)
                #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
                #expect(try state(folder) == before, "\(arguments)")
            }
            let read = try Tool.run("fetch", store.path, "Book", "--keys", "title", "--format", "csv")
            #expect(read.output.contains("left behind"))
        }
        writer.close()
    }
}
