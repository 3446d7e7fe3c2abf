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

/// Stores that come out of a backup, or are on another server than before: no token of what was is good, and no key comes twice.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct RestoreTests {
    private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// A store with two heroes, of which one was saved after the backup.
    private struct Scene {
        let heroes: Heroes
        let schema: String

        init(_ server: PostgresServer, _ schema: String) throws {
            self.schema = schema
            heroes = try Heroes(1, options: RestoreTests.options, url: server.url(schema: schema))
        }

        var token: NSPersistentHistoryToken {
            get throws {
                try #require(heroes.stack.coordinator.currentPersistentHistoryToken(fromStores: [heroes.stack.store]))
            }
        }

        /// Adds a hero; gives its key.
        func add(_ name: String, _ stack: Stack? = nil) throws -> String {
            let context = (stack ?? heroes.stack).newContext()
            return try context.performAndWait {
                let hero = context.insert("Hero", ["name": name])
                try context.save()
                return hero.objectID.uriRepresentation().lastPathComponent
            }
        }

        func close() throws {
            let coordinator = heroes.stack.coordinator
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    /// Opens a store that was restored, and looks at what the tokens and keys of the former one are worth there.
    private static func requireNewBeginning(
        _ scene: Scene, _ url: URL, _ tokens: [NSPersistentHistoryToken], lost: [String], names: [String]
    ) throws {
        let stack = try Stack(HeroModel.make(), url: url, kind: .postgreSQL, options: options)
        let context = stack.newContext()
        #expect(try Heroes.names(context) == names)
        for token in tokens {
            let error = context.performAndWait {
                #expect(throws: NSError.self) {
                    try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
                }
            }
            #expect(error?.code == NSPersistentHistoryTokenExpiredError, "\(error as Any)")
        }
        let key = try scene.add("afterwards", stack)
        #expect(!lost.contains(key), "a key of an object that the backup does not have is given out again")
        let number = Int(key.dropFirst()) ?? 0
        #expect(number > 1_000_000_000, "keys go on at a distance from the former ones")
        let fresh = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: [stack.store]))
        _ = try scene.add("later", stack)
        let result = try context.performAndWait {
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: fresh))
                as? NSPersistentHistoryResult
        }
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }

    @Test("a dump that is restored in another database, or in the place of the store, begins a new history")
    func dumpThatIsRestoredInAnotherDatabase() throws {
        let server = try PostgresServer()
        let scene = try Scene(server, "dumped")
        let before = try scene.token
        let connect = "--host='\(server.host)' --username=coredata"
        try server.run(
            "\(server.programs)/pg_dump \(connect) --format=custom --schema=dumped --file='\(server.data)/dump' postgres"
        )
        let lost = try (0..<3).map { try scene.add("lost \($0)") }
        let after = try scene.token
        try scene.close()

        try server.run("\(server.programs)/createdb \(connect) copy")
        try server.run("\(server.programs)/pg_restore \(connect) --dbname=copy '\(server.data)/dump'")
        let text = server.url(schema: "dumped").absoluteString.replacingOccurrences(of: "/postgres?", with: "/copy?")
        try Self.requireNewBeginning(
            scene, try #require(URL(string: text)), [before, after], lost: lost, names: ["0"])

        try server.run("\(server.programs)/pg_restore \(connect) --clean --dbname=postgres '\(server.data)/dump'")
        try Self.requireNewBeginning(
            scene, server.url(schema: "dumped"), [before, after], lost: lost, names: ["0"])
    }

    @Test("a cluster that is recovered to a point in time begins a new history at once, before its first checkpoint")
    func pointInTime() throws {
        let archive = try TemporaryFolder()
        guard chmod(archive.url.path, 0o777) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        let place = archive.url.path
        let server = try PostgresServer(settings: [
            "archive_mode": "on", "archive_command": "cp %p \(place)/%f.part && mv \(place)/%f.part \(place)/%f",
            "wal_level": "replica",
        ])
        let scene = try Scene(server, "recovered")
        try server.run(
            "\(server.programs)/pg_basebackup --host='\(server.host)' --username=coredata --checkpoint=fast --pgdata='\(place)/base'"
        )
        let kept = try scene.add("kept")
        let before = try scene.token
        let connection = try PostgresConnection.open(
            ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")]),
            timeout: .seconds(20))
        _ = try connection.query("SELECT pg_create_restore_point('before the loss')")
        let lost = try (0..<3).map { try scene.add("lost \($0)") }
        let after = try scene.token
        let segment = try connection.query("SELECT pg_walfile_name(pg_switch_wal())").text(0, 0) ?? ""
        eventually("the log in the archive") { access("\(place)/\(segment)", F_OK) == 0 }
        server.stop()

        let recovered = try PostgresServer(settings: [
            "restore_command": "cp \(place)/%f %p", "recovery_target_name": "before the loss",
            "recovery_target_action": "promote", "archive_mode": "off",
        ]) { new in
            try new.run("cp -R '\(place)/base/.' '\(new.data)'")
            try new.run("touch '\(new.data)/recovery.signal'")
        }
        #expect(!lost.contains(kept))
        try Self.requireNewBeginning(
            scene, recovered.url(schema: "recovered"), [before, after], lost: lost, names: ["0", "kept"])
    }

    @Test(
        "a promoted replica, without the latest saves, begins a new history, and refuses writes until then"
    )
    func replicaThatIsPromoted() throws {
        let server = try PostgresServer(settings: ["wal_level": "replica", "max_wal_senders": "4"])
        let scene = try Scene(server, "promoted")
        let before = try scene.token
        let replica = try PostgresServer(settings: [
            "primary_conninfo": "host=\(server.host) user=coredata", "hot_standby": "on",
        ]) { new in
            // The folder is there, and empty.
            try new.run(
                "\(new.programs)/pg_basebackup --host='\(server.host)' --username=coredata --checkpoint=fast --pgdata='\(new.data)'"
            )
            try new.run("touch '\(new.data)/standby.signal'")
        }
        let url = replica.url(schema: "promoted")
        let error = try #require(throws: NSError.self) {
            let stack = try Stack(
                HeroModel.make(), url: url, kind: .postgreSQL, options: [NSPersistentHistoryTrackingKey: true])
            _ = try scene.add("refused", stack)
        }
        #expect(error.localizedRecoverySuggestion?.contains("target_session_attrs") == true, "\(error)")
        server.stop()
        let connection = try PostgresConnection.open(
            ConnectionParameters([("host", replica.host), ("user", "coredata"), ("dbname", "postgres")]),
            timeout: .seconds(20))
        _ = try connection.query("SELECT pg_promote(true, 30)")
        try Self.requireNewBeginning(scene, url, [before], lost: [], names: ["0"])
    }
}
