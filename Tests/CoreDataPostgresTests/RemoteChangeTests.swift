import CoreData
import CoreDataPostgres
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import CoreDataPostgres

/// What is told of commits.
@Suite(
    "Remote changes of a store on a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct RemoteChangeTests {
    private static var options: [AnyHashable: Any] {
        [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    }

    /// Keeps the tokens of a coordinator's notifications.
    private final class Board: Sendable {
        private let tokens = Mutex<[NSPersistentHistoryToken?]>([])

        init(_ coordinator: NSPersistentStoreCoordinator) {
            _ = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { [weak self] notification in
                let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                self?.tokens.withLock { $0.append(token) }
            }
        }

        var all: [NSPersistentHistoryToken?] { tokens.withLock { $0 } }
    }

    private func stack() throws -> Stack {
        let url = try PostgresServer.shared.get().makeURL("remote")
        return try Stack(HistoryModel.make(), url: url, kind: .postgreSQL, options: Self.options)
    }

    @Test("own and others' commits are notified with tokens, and contexts merge others' changes by themselves (STO-06)")
    func ownAndOthersCommitsAreNotifiedWithTokens() throws {
        let here = try stack()
        here.context.automaticallyMergesChangesFromParent = true
        let ann = here.context.insert("Person", ["name": "Ann"])
        try here.context.save(as: "here")
        let there = try here.another()
        let board = Board(here.coordinator)
        try there.context.all("Person").first?.setValue("Anne", forKey: "name")
        try there.context.save(as: "there")
        let token = try there.context.currentToken()
        eventually("the other's commit to be told of") { board.all.contains(token) }
        eventually("the change to be merged") {
            here.context.performAndWait { ann.value(forKey: "name") as? String == "Anne" }
        }
        ann.setValue(3, forKey: "age")
        try here.context.save(as: "here")
        let own = try here.context.currentToken()
        eventually("the own commit to be told of") { board.all.contains(own) }
    }

    @Test("a commit without a notification is found all the same (STO-06)")
    func lostHint() throws {
        let here = try stack()
        let there = try here.another()
        let board = Board(here.coordinator)
        let objects = try #require(there.store.objects as? PostgresStore)
        objects.changeSignal?.end()
        there.context.insert("Person", ["name": "Ann"])
        try there.context.save(as: "there")
        let token = try there.context.currentToken()
        eventually("the other's commit to be told of") { board.all.contains(token) }
    }

    @Test("what watches a store lets go of its connection when the store is closed (STO-06)")
    func whatWatchesStoreLetsGoOfItsConnectionWhenStoreIsClosed() throws {
        let here = try stack()
        here.context.insert("Person", ["name": "Ann"])
        try here.context.save(as: "here")
        let location = try PostgresLocation(here.url)
        let connection = try PostgresConnection.open(location.parameters, timeout: .seconds(20))
        defer { connection.close() }
        let schema = HistorySchema(schema: PostgresSchema(StoreSchema(model: here.model), in: location.schema))
        func count() -> Int64 {
            let found = try? connection.query(
                "SELECT count(*) FROM pg_stat_activity WHERE query = $1::text", [.text(schema.newest)])
            return found?.int64(0, 0) ?? -1
        }
        eventually("the store to be watched") { count() == 1 }
        try here.coordinator.remove(here.store)
        eventually("the connection to be closed") { count() == 0 }
    }
}
