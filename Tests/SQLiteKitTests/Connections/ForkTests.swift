import Foundation
import SQLiteKit
import Testing

@_silgen_name("fork") private func forkProcess() -> Int32

struct ForkTests {
    @Test("a forked child is refused and leaves the log alone (HAZ-35)") func forkedChildIsRefused() throws {
        let scratch = try Scratch()
        let connection = try Connection.open(try scratch.database(rows: 1, journal: "WAL"))
        try connection.execute("INSERT INTO t (b) VALUES ('in the log')")
        let child = forkProcess()
        if child == 0 {
            let error = sqliteError { _ = try connection.value("SELECT 1") }
            connection.close()
            _exit(error?.code == .misuse ? 7 : 8)
        }
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child)
        #expect((status >> 8) & 0xFF == 7)
        #expect(FileManager.default.fileExists(atPath: scratch.file() + "-wal"))
        #expect(try connection.value("SELECT count(*) FROM t") == 2)
    }

    @Test func fileSystemOfAnotherNameCanBeChosen() throws {
        let scratch = try Scratch()
        let path = try scratch.database(rows: 1)
        var options = OpenOptions()
        options.vfs = "unix-none"
        #expect(try Connection.open(path, options).value("SELECT count(*) FROM t") == 1)
        options.vfs = "nobody"
        #expect(sqliteError { _ = try Connection.open(path, options) }?.message == "no such vfs: nobody")
    }
}
