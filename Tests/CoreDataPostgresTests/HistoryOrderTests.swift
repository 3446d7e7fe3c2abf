import CoreData
import CoreDataPostgres
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataPostgres

/// Tokens while many write.
@Suite(
    "History of many writers", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"),
    .timeLimit(.minutes(10)))
struct HistoryOrderTests {
    /// Reads what is new, as a program does that keeps the last token.
    private struct Follower {
        let context: NSManagedObjectContext
        var token: NSPersistentHistoryToken?
        var seen: [String] = []
        var numbers: [Int64] = []

        mutating func read() throws {
            for transaction in try context.transactions(after: token) {
                seen.append(transaction.author ?? "nil")
                numbers.append(transaction.transactionNumber)
                token = transaction.token
            }
        }
    }

    @Test("reading changes ends also where a server gives a wrong number of their transaction (HAZ-61)")
    func wrongNumbers() throws {
        let stack = try HistoryTests.stack("wrong_numbers")
        stack.context.insert("Person", ["name": "one"])
        try stack.context.save()
        let number = try #require(try stack.context.transactions().first?.transactionNumber)
        let store = try #require(stack.store.objects as? PostgresStore)
        let history = try #require(store.recordedHistory)
        for (told, changes) in [(number, 1), (1 << 40, 0), (-number, 0), (.max, 0), (.min, 0)] {
            var (pages, count) = (ChangePages(store.session, history, row: nil), 0)
            try pages.forEach(of: told, through: number - 1) { _ in count += 1 }
            #expect(count == changes, "\(told)")
        }
    }

    @Test("a reader that follows eight writers sees each of their transactions once, in ascending order (STO-06)")
    func manyWriters() throws {
        let stack = try HistoryTests.stack("order")
        let (writers, saves) = (8, 200)
        let failures = Mutex<[String]>([])
        let left = Mutex(writers)
        for writer in 0..<writers {
            nonisolated(unsafe) let other = try stack.another()
            let context = other.context
            Thread.detachNewThread {
                do {
                    for save in 0..<saves {
                        context.insert("Person", ["name": "\(writer)"])
                        try context.save(as: "\(writer)-\(save)")
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                left.withLock { $0 -= 1 }
                withExtendedLifetime(other) {}
            }
        }
        var follower = Follower(context: stack.context)
        while left.withLock({ $0 }) > 0 { try follower.read() }
        try follower.read()
        #expect(failures.withLock { $0 }.isEmpty)
        #expect(follower.seen.count == writers * saves && Set(follower.seen).count == writers * saves)
        #expect(zip(follower.numbers, follower.numbers.dropFirst()).allSatisfy { $0 < $1 })
        for writer in 0..<writers {
            let own = follower.seen.filter { $0.hasPrefix("\(writer)-") }
            #expect(own == (0..<saves).map { "\(writer)-\($0)" })
        }
    }

    @Test(
        "commits during an older transaction are delivered after it, and the store says what it waits for (STO-06)"
    )
    func openWriter() throws {
        let stack = try HistoryTests.stack("held")
        let there = try stack.another()
        stack.context.insert("Person", ["name": "first"])
        try stack.context.save(as: "first")
        var follower = Follower(context: there.context)
        try follower.read()
        let holder = try PostgresConnection.open(
            try PostgresLocation(stack.url).parameters, timeout: .seconds(20))
        defer { holder.close() }
        _ = try holder.query("BEGIN")
        _ = try holder.query("SELECT pg_current_xact_id()::text")
        stack.context.insert("Person", ["name": "second"])
        try stack.context.save(as: "second")
        try follower.read()
        #expect(follower.seen == ["first"])
        #expect(try there.context.currentToken() == follower.token)
        #expect(try there.context.all("Person").count == 2)
        let objects = try #require(there.store.objects as? PostgresStore)
        let pid = try holder.query("SELECT pg_backend_pid()").int64(0, 0) ?? 0
        #expect(try objects.historyHolder(olderThan: 0)?.contains("process \(pid) ") == true)
        _ = try holder.query("COMMIT")
        try follower.read()
        #expect(follower.seen == ["first", "second"])
        #expect(try objects.historyHolder(olderThan: 0) == nil)
    }

    @Test("tokens of a store that was restored from a backup have expired, and so have those of its copy (STO-06)")
    func restoredBackup() throws {
        let stack = try HistoryTests.stack("restored")
        stack.context.insert("Person", ["name": "a"])
        try stack.context.save(as: "a")
        let token = try stack.context.currentToken()
        let backup = try PostgresServer.shared.get().makeURL("backup")
        try stack.coordinator.remove(stack.store)
        try PostgresStore.copyStore(at: stack.url, to: backup)
        let copy = try Stack(stack.model, url: backup, kind: .postgreSQL, options: HistoryModel.options)
        expectError(NSPersistentHistoryTokenExpiredError) { try copy.context.transactions(after: token) }
        let present = try copy.context.currentToken()
        copy.context.insert("Person", ["name": "b"])
        try copy.context.save(as: "b")
        #expect(try copy.context.transactions(after: present).map(\.author) == ["b"])
        // The tables of the history are those of a backup when they are not those that it began with.
        let later = try copy.context.currentToken()
        try copy.coordinator.remove(copy.store)
        let location = try PostgresLocation(backup)
        let connection = try PostgresConnection.open(location.parameters, timeout: .seconds(20))
        defer { connection.close() }
        let schema = HistorySchema(schema: PostgresSchema(StoreSchema(model: stack.model), in: location.schema))
        for sql in [
            "CREATE TABLE kept AS SELECT * FROM \(schema.transactions)", "DROP TABLE \(schema.transactions)",
            schema.creation[0].sql, "INSERT INTO \(schema.transactions) SELECT * FROM kept", "DROP TABLE kept",
        ] { _ = try connection.query(sql) }
        let restored = try Stack(stack.model, url: backup, kind: .postgreSQL, options: HistoryModel.options)
        expectError(NSPersistentHistoryTokenExpiredError) { try restored.context.transactions(after: later) }
        expectError(NSPersistentHistoryTokenExpiredError) { try restored.context.transactions(after: token) }
        #expect(try restored.context.transactions().isEmpty)
        restored.context.insert("Person", ["name": "c"])
        try restored.context.save(as: "c")
        #expect(try restored.context.transactions().map(\.author) == ["c"])
    }

    @Test("a save with history is two round trips, whatever its size (STO-06)")
    func roundTrips() throws {
        let stack = try Stack(
            SampleModel.make(), url: try PostgresServer.shared.get().makeURL("trips"), kind: .postgreSQL,
            options: HistoryModel.options)
        let objects = try #require(stack.store.objects as? PostgresStore)
        func trips(_ change: () -> Void) throws -> Int {
            change()
            // Keys are taken in blocks before.
            try stack.context.obtainPermanentIDs(for: Array(stack.context.insertedObjects))
            let before = objects.session.connection.roundTrips
            try stack.context.save()
            return objects.session.connection.roundTrips - before
        }
        #expect(try trips { for number in 0..<3_000 { stack.context.insert("Item", ["name": "\(number)"]) } } == 2)
        let items = try stack.context.all("Item")
        #expect(try trips { for item in items { item.setValue("x", forKey: "name") } } == 2)
        #expect(try trips { items.forEach(stack.context.delete) } == 2)
        #expect(try stack.context.transactions().map { $0.changes?.count } == [3_000, 3_000, 3_000])
    }
}

private enum SampleModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType])
        return builder.model
    }
}
