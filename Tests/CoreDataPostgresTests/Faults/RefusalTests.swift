import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Servers that refuse for reasons of their own: what is said, and that the store can be used when the reason is gone.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct RefusalTests {
    private static func connect(_ server: PostgresServer) throws -> PostgresConnection {
        let parameters = ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")])
        return try PostgresConnection.open(parameters, timeout: .seconds(20))
    }

    @Test(
        "with no connection left, reads go through the store's own one, and opening further stores fails with the reason (HAZ-61)"
    )
    func tooManyConnections() throws {
        let server = try PostgresServer(
            settings: ["max_connections": "6", "superuser_reserved_connections": "0", "max_wal_senders": "0"])
        let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 1]
        let heroes = try Heroes(3, on: server, options: options)
        var others: [PostgresConnection] = []
        while let other = try? Self.connect(server) { others.append(other) }
        #expect(try Heroes.names(heroes.newContext()) == ["0", "1", "2"])
        try Heroes.add("3", heroes.newContext())
        var streamed = 0
        let context = heroes.newContext()
        try context.performAndWait { try context.objects(of: Heroes.request()).enumerateObjects { _ in streamed += 1 } }
        #expect(streamed == 4)
        let error = #expect(throws: NSError.self) {
            try Stack(HeroModel.make(), url: heroes.stack.url, kind: .postgreSQL, options: options)
        }
        #expect(error?.localizedRecoverySuggestion?.contains("max_connections") == true, "\(error as Any)")
        for other in others { other.close() }
        eventually("a connection for another store") {
            (try? Stack(HeroModel.make(), url: heroes.stack.url, kind: .postgreSQL, options: options)) != nil
        }
    }

    @Test("a server that takes no writes says so, and its stores can be read and saved to when it takes them (HAZ-61)")
    func readOnlyServer() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(2, on: server, options: [NSPersistentStoreTimeoutOption: 2])
        let connection = try Self.connect(server)
        func set(_ value: String) throws {
            _ = try connection.query("BEGIN READ WRITE")
            _ = try connection.query("ALTER ROLE coredata SET default_transaction_read_only = \(value)")
            _ = try connection.query("COMMIT")
            _ = try connection.query(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                    + "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
        }
        try set("on")
        let context = heroes.newContext()
        #expect(try Heroes.names(context) == ["0", "1"])
        let error = #expect(throws: NSError.self) { try Heroes.add("2", context) }
        #expect(error?.localizedRecoverySuggestion?.contains("target_session_attrs") == true, "\(error as Any)")
        let opening = #expect(throws: NSError.self) {
            try Stack(HeroModel.make(), url: server.url(schema: "another"), kind: .postgreSQL)
        }
        #expect(opening?.localizedDescription.contains("takes no writes") == true)
        try set("off")
        try context.performAndWait { try context.save() }
        #expect(try Heroes.names(heroes.newContext()) == ["0", "1", "2"])
    }

    @Test("a deletion of history that fails leaves no transaction behind in which nothing could be done any more")
    func failedPurge() throws {
        let server = try PostgresServer.shared.get()
        let heroes = try Heroes(
            1, options: [NSPersistentHistoryTrackingKey: true], url: server.url(schema: "failed_purge"))
        let connection = try Self.connect(server)
        let context = heroes.newContext()
        let purge = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
        _ = try connection.query("ALTER TABLE failed_purge.achange RENAME TO elsewhere")
        context.performAndWait { _ = #expect(throws: NSError.self) { try context.execute(purge) } }
        _ = try connection.query("ALTER TABLE failed_purge.elsewhere RENAME TO achange")
        try Heroes.add("1", context)
        #expect(try Heroes.names(heroes.newContext()) == ["0", "1"])
    }

    @Test("a wrong password is reported without it (HAZ-61)")
    func wrongPassword() throws {
        let server = try PostgresServer(settings: [:]) { server in
            try server.makeEmptyCluster()
            try server.run(
                "echo 'local all coredata trust\nlocal all all scram-sha-256' > '\(server.data)/pg_hba.conf'")
        }
        let connection = try Self.connect(server)
        _ = try connection.query("CREATE ROLE app LOGIN PASSWORD 'right secret'")
        _ = try connection.query("GRANT CREATE ON DATABASE postgres TO app")
        func open(_ password: String) throws -> Stack {
            let text = server.url(schema: "app").absoluteString
                .replacingOccurrences(of: "coredata@", with: "app:\(password)@")
            return try Stack(HeroModel.make(), url: try #require(URL(string: text)), kind: .postgreSQL)
        }
        let error = try #require(throws: NSError.self) { try open("wrong%20secret") }
        #expect(error.userInfo["SQLSTATE"] as? String == "28P01")
        #expect(error.localizedRecoverySuggestion?.contains("pgpass") == true)
        #expect(!"\(error) \(error.userInfo)".contains("secret"))
        let stack = try open("right%20secret")
        stack.context.insert("Hero", ["name": "a"])
        try stack.context.save()
    }

    @Test("a server that stops while rows are copied to it is reported, and copying to the next one works (HAZ-61)")
    func restartDuringCopy() throws {
        let server = try PostgresServer()
        let connection = try Self.connect(server)
        _ = try connection.query("CREATE TABLE numbers (n text)")
        let piece = Array(String(repeating: "a line of a table\n", count: 10_000).utf8)
        let error = #expect(throws: PostgresError.self) {
            try connection.copyIn("COPY numbers FROM STDIN") { put in
                for number in 0..<100 {
                    if number == 3 { server.stop() }
                    try piece.withUnsafeBytes { try put($0) }
                }
            }
        }
        #expect(error?.isConnectionLost == true, "\(error as Any)")
        try server.start()
        let next = try Self.connect(server)
        #expect(try next.query("SELECT count(*) FROM numbers").int64(0, 0) == 0)
        let rows = try next.copyIn("COPY numbers FROM STDIN") { put in try piece.withUnsafeBytes { try put($0) } }
        #expect(rows == 10_000)
    }
}
