import CoreData
import Dispatch
import Foundation
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// What becomes of contexts and saves when a replica takes the place of the server.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct FailoverTests {
    /// Collects the saves that are told to be lost.
    private final class Listener: @unchecked Sendable {
        let saves = Mutex<[PostgreSQLLostSave]>([])
        private var token: (any NSObjectProtocol)?

        init(_ store: NSPersistentStore) {
            token = NotificationCenter.default.addObserver(
                forName: .CoreDataPostgreSQLStoreDidLoseSaves, object: store, queue: nil
            ) { [weak self] notification in
                let lost = notification.userInfo?[CoreDataPostgreSQLLostSavesKey] as? [PostgreSQLLostSave]
                self?.saves.withLock { $0 += lost ?? [] }
            }
        }

        deinit { token.map { NotificationCenter.default.removeObserver($0) } }
    }

    @Test("of several hosts the one that takes writes is used, and after a failover the one that does then")
    func unsavedChanges() throws {
        let pair = try ReplicatedPair()
        let heroes = try Heroes(2, url: pair.url)
        let listener = Listener(heroes.stack.store)
        let context = heroes.newContext()
        #expect(try Heroes.names(context) == ["0", "1"])
        context.performAndWait { _ = context.insert("Hero", ["name": "unsaved"]) }
        try pair.catchUp()
        pair.primary.stop()
        let promotion = DispatchGroup()
        promotion.enter()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            try? pair.failOver()
            promotion.leave()
        }
        try context.performAndWait { try context.save() }
        #expect(promotion.wait(for: "the promotion"))
        #expect(try Heroes.names(context) == ["0", "1", "unsaved"])
        #expect(try ReplicatedPair.ask(pair.replica, "SELECT count(*) FROM heroes.zhero").int64(0, 0) == 3)
        #expect(listener.saves.withLock { $0 }.isEmpty)
    }

    @Test(
        "saves lost with a server are reported to listeners, and once to the next save, with their numbers in the history"
    )
    func lostSaves() throws {
        let pair = try ReplicatedPair()
        let heroes = try Heroes(1, options: [NSPersistentHistoryTrackingKey: true], url: pair.url)
        let listener = Listener(heroes.stack.store)
        let context = heroes.newContext("editor")
        try Heroes.add("kept", context)
        try pair.catchUp()
        try pair.cut()
        let token = heroes.stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        for name in ["lost 1", "lost 2"] { try Heroes.add(name, context) }
        try pair.failOver()
        context.performAndWait { _ = context.insert("Hero", ["name": "next"]) }
        let error = context.performAndWait { expectError(NSPersistentStoreSaveError) { try context.save() } }
        let told = try #require(error?.userInfo[CoreDataPostgreSQLLostSavesKey] as? [PostgreSQLLostSave])
        #expect(told.count == 2 && told.allSatisfy { $0.contextName == "editor" && $0.transactionNumber != nil })
        #expect(told.map(\.number) == told.map(\.number).sorted())
        eventually("the loss is told") { listener.saves.withLock { $0 } == told }
        // The numbers of what was lost are given out again, so tokens of the time before are expired.
        _ = context.performAndWait {
            expectError(NSPersistentHistoryTokenExpiredError) {
                try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            }
        }
        context.performAndWait { context.reset() }
        #expect(try Heroes.names(context) == ["0", "kept"])
        try Heroes.add("again", context)
        #expect(try Heroes.names(heroes.newContext()) == ["0", "again", "kept"])
    }

    @Test("a reader reports lost saves before the next save does")
    func lostSavesFoundByReader() throws {
        let pair = try ReplicatedPair()
        let heroes = try Heroes(1, url: pair.url)
        let listener = Listener(heroes.stack.store)
        try pair.catchUp()
        try pair.cut()
        try Heroes.add("lost", heroes.newContext())
        try pair.failOver()
        #expect(try Heroes.names(heroes.newContext()) == ["0"])
        eventually("the loss is told") { listener.saves.withLock { $0.count } == 1 }
    }

    @Test("a server that becomes read-only is waited for, and the save is made when it takes writes again")
    func readOnly() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(1, on: server)
        let context = heroes.newContext()
        @Sendable func setReadOnly(_ value: String) throws {
            try ReplicatedPair.ask(server, "ALTER SYSTEM SET default_transaction_read_only = \(value)")
            try ReplicatedPair.ask(server, "SELECT pg_reload_conf()")
        }
        try setReadOnly("on")
        eventually("the server is read-only") {
            (try? ReplicatedPair.ask(server, "SHOW default_transaction_read_only").text(0, 0)) == "on"
        }
        let change = DispatchGroup()
        change.enter()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            try? setReadOnly("off")
            change.leave()
        }
        try Heroes.add("1", context)
        #expect(change.wait(for: "the end of reading only"))
        #expect(try Heroes.names(context) == ["0", "1"])
    }
}
