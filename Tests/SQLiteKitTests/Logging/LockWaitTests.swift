import Foundation
import Synchronization
import TestBasics
import Testing

@testable import SQLiteKit

@Suite struct LockWaitTests {
    @Test("a wait for a lock is as long as SQLite's own handler makes it")
    func delaysAreSQLites() {
        let delays = (0..<14).map { Connection.lockDelay(before: $0) }
        #expect(delays.map(\.delay) == [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100, 100, 100])
        // Each begins where the one before it ends.
        for (former, latter) in zip(delays, delays.dropFirst()) {
            #expect(latter.waited == former.waited + former.delay)
        }
        #expect(Connection.lockDelay(before: .max).waited == .max)
    }

    @Test("while statements are watched, a connection that begins to wait for a lock is reported once")
    func waitsAreReported() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let path = folder.url.appendingPathComponent("Lock.sqlite").path
            var options = OpenOptions(mode: .create)
            options.busyTimeout = .milliseconds(20)
            let one = try Connection.open(path, options)
            try one.execute("CREATE TABLE t (a INTEGER)")
            let other = try Connection.open(path, options)
            let box = Box()
            StatementWatch.current = StatementWatch(
                includingValues: false, lockWait: { name in box.add(name) }, { _ in })
            try one.begin(.immediate)
            #expect(sqliteError { try other.begin(.immediate) }?.code.primary == .busy)
            #expect(box.all == ["Lock.sqlite"])
            // SQLite's own handler is back once nothing watches.
            StatementWatch.current = nil
            #expect(sqliteError { try other.begin(.immediate) }?.code.primary == .busy)
            #expect(try box.all.count == 1 && other.pragma("busy_timeout")?.integer == 20)
            try one.rollBack()
            try other.begin(.immediate)
            try other.rollBack()
        }
    }
}

/// Names that a watch was given.
private final class Box: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
}
