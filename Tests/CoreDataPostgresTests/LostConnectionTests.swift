import CoreData
import Foundation
import PostgresKit
import StoreContract
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// What becomes of contexts, reads and saves when the server goes and comes back.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct LostConnectionTests {
    private static func store(_ heroes: Heroes) throws -> PostgresStore {
        try #require(heroes.stack.store.objects as? PostgresStore)
    }

    /// Ends all connections to a server but one's own.
    private static func endConnections(_ server: PostgresServer) throws {
        let parameters = ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")])
        let connection = try PostgresConnection.open(parameters, timeout: .seconds(20))
        defer { connection.close() }
        _ = try connection.query(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                + "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
    }

    @Test("unsaved changes outlive a server that stops and starts, and are saved once")
    func unsavedChangesOutliveServerThatStopsAndStarts() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(2, on: server)
        let context = heroes.newContext()
        #expect(try Heroes.names(context) == ["0", "1"])
        context.performAndWait { _ = context.insert("Hero", ["name": "unsaved"]) }
        server.stop()
        try server.start()
        try context.performAndWait { try context.save() }
        #expect(try Heroes.names(heroes.newContext()) == ["0", "1", "unsaved"])
        server.stop()
        try server.start()
        #expect(try Heroes.names(context) == ["0", "1", "unsaved"])
    }

    @Test("without a server a save throws what to do, in time, and succeeds when it is there again")
    func withoutServerSaveThrows() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(1, on: server, options: [NSPersistentStoreTimeoutOption: 1])
        let context = heroes.newContext()
        context.performAndWait { _ = context.insert("Hero", ["name": "secret name"]) }
        server.stop()
        let error = context.performAndWait { #expect(throws: NSError.self) { try context.save() } }
        #expect(error?.localizedRecoverySuggestion?.contains("server") == true)
        #expect("\(error?.userInfo ?? [:])".contains("secret name") == false)
        #expect(throws: NSError.self) { try Heroes.names(heroes.newContext()) }
        try server.start()
        try context.performAndWait { try context.save() }
        #expect(try Heroes.names(context) == ["0", "secret name"])
    }

    @Test("readers whose connections broke while they were idle connect again")
    func readersWhoseConnectionsBrokeWhileIdleConnect() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(3, on: server)
        for _ in 0..<2 {
            let kept = try #require(try heroes.stack.store.keptState(for: ReaderUse(.stream)))
            kept.release()
            try Self.endConnections(server)
        }
        var count = 0
        let context = heroes.newContext()
        try context.performAndWait { try context.objects(of: Heroes.request()).enumerateObjects { _ in count += 1 } }
        #expect(count == 3)
    }

    @Test("a state whose connection broke is gone, which is said, and another can be pinned")
    func stateWhoseConnectionBrokeIsGone() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(3, on: server)
        let pinned = heroes.newContext()
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned).count == 3)
        try Self.endConnections(server)
        let error = #expect(throws: NSError.self) { try Heroes.count(pinned) }
        #expect(error?.localizedDescription.contains("broke") == true)
        try pinned.setQueryGenerationFrom(.current)
        #expect(try Heroes.names(pinned).count == 3)
    }

    @Test("saves that are made while connections are ended again and again are there once each")
    func savesUnderFire() throws {
        let server = try PostgresServer()
        let heroes = try Heroes(0, on: server)
        let context = heroes.newContext()
        let isOver = DispatchSemaphore(value: 0)
        let attacker = DispatchGroup()
        attacker.enter()
        Thread.detachNewThread {
            while isOver.wait(timeout: .now() + 0.03) == .timedOut { try? Self.endConnections(server) }
            attacker.leave()
        }
        var saved: [String] = []
        for number in 0..<150 {
            context.performAndWait { _ = context.insert("Hero", ["name": "\(number)"]) }
            do {
                try context.performAndWait { try context.save() }
                saved.append("\(number)")
            } catch {
                // More losses in a row than are borne: the changes are still there for the next save.
                #expect((error as NSError).domain == NSCocoaErrorDomain)
                try context.performAndWait { try context.save() }
                saved.append("\(number)")
            }
        }
        isOver.signal()
        attacker.wait()
        #expect(try Heroes.names(heroes.newContext()) == saved.sorted())
    }

    @Test("the mark of a save says whether it was committed, and waits for a transaction that has not ended")
    func markSaysWhetherSaveWasCommitted() throws {
        let heroes = try Heroes(1)
        let store = try Self.store(heroes)
        #expect(try store.marker.wasCommitted(store.session.connection))
        var marker = SaveMarker(store.shape.schema)
        let other = try PostgresConnection.open(store.shape.location.parameters, timeout: .seconds(10))
        _ = try other.pipeline([PostgresStatement("BEGIN"), marker.next()])
        store.session.connection.deadline = .now + .milliseconds(300)
        let error = #expect(throws: PostgresError.self) { try marker.wasCommitted(store.session.connection) }
        #expect(error?.kind == .timedOut)
        store.session.connection.deadline = nil
        _ = try other.query("COMMIT")
        #expect(try marker.wasCommitted(store.session.connection))
        let late = marker.next()
        #expect(try !marker.wasCommitted(store.session.connection))
        // What was on its way when it was given up cannot be committed any more.
        #expect(throws: PostgresError.self) {
            try other.pipeline([PostgresStatement("BEGIN"), late, PostgresStatement("COMMIT")])
        }
        _ = try? other.query("ROLLBACK")
        _ = try other.query(marker.next().sql, [.text(marker.writer), .integer(marker.number)])
        #expect(try marker.wasCommitted(store.session.connection))
    }
}
