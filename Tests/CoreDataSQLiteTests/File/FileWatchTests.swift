import CoreData
import SQLiteKit
import StoreContract
import Synchronization
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Writes of others are noticed, own ones are told apart from them, and a log that comes and goes makes no difference.
@Suite struct FileWatchTests {
    private final class Calls: Sendable {
        let count = Mutex(0)
        func note() { count.withLock { $0 += 1 } }
    }

    @Test("another connection's commits are noticed, each soon after it (CTX-34)") func foreignCommitsAreNoticed()
        throws
    {
        let stack = try HeroModel.stack()
        let calls = Calls()
        let watching = try #require(stack.file.changeWatching)
        #expect(watching.watchWrites { calls.note() })
        let other = try stack.another()
        for number in 1...3 {
            let before = calls.count.withLock { $0 }
            other.context.insert("Hero", ["name": "\(number)"])
            try other.context.save()
            eventually("the write to be told of") { calls.count.withLock { $0 } > before }
            #expect(try watching.takeForeignCommit())
            #expect(try !watching.takeForeignCommit())
        }
    }

    @Test("own commits and checkpoints are not commits of others") func ownCommitsAreNotOthers() throws {
        let stack = try HeroModel.stack()
        let watching = try #require(stack.file.changeWatching)
        watching.watchWrites {}
        stack.context.insert("Hero", ["name": "Ann"])
        try stack.context.save()
        #expect(try !watching.takeForeignCommit())
        try stack.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try !watching.takeForeignCommit())
    }

    @Test("the log is watched again after it was removed and created again") func logMayComeAndGo() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("Watched.sqlite").path
        let calls = Calls()
        let watch = try #require(FileWatch(path: path) { calls.note() })
        defer { watch.end() }
        for _ in 0..<3 {
            let connection = try Connection.open(path, OpenOptions(mode: .create))
            try connection.setPragma("journal_mode", to: .text("wal"))
            try connection.execute("CREATE TABLE IF NOT EXISTS T (X)")
            let before = calls.count.withLock { $0 }
            try connection.execute("INSERT INTO T VALUES (1)")
            eventually("the write to be told of") { calls.count.withLock { $0 } > before }
            // Closing the last connection removes the log.
            connection.close()
        }
    }

    @Test("a database in memory is not watched") func memoryIsNotWatched() throws {
        let stack = try Stack(HeroModel.make(), url: URL(fileURLWithPath: "/dev/null"))
        #expect(stack.file.changeWatching == nil)
    }
}
