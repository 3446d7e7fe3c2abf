import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// Saves whose outcome cannot be learnt in time, and the marks that tell it later.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct MarkerTests {
    private struct Scene {
        let proxy: FaultProxy
        let heroes: Heroes
        let context: NSManagedObjectContext
        let direct: PostgresConnection
        let schema: String

        init(_ schema: String) throws {
            let server = try PostgresServer.shared.get()
            self.schema = schema
            proxy = try FaultProxy(to: server)
            heroes = try Heroes(
                1, options: [NSPersistentStoreTimeoutOption: 1, CoreDataPostgreSQLSilenceOption: 0.5],
                url: proxy.url(schema: schema))
            context = heroes.newContext()
            direct = try PostgresConnection.open(
                ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")]),
                timeout: .seconds(20))
            try Heroes.add("before", context)
        }

        /// Has the context save while the round trip goes wrong that writes and commits, and nobody can be reached after it.
        func loseOutcome(_ fault: WireFault) throws -> NSError {
            context.performAndWait { _ = context.insert("Hero", ["name": "after"]) }
            proxy.arm(fault, at: 1)
            proxy.refusesAfterFault = true
            defer { (proxy.isRefusing, proxy.refusesAfterFault) = (false, false) }
            return try #require(throws: NSError.self) { try context.performAndWait { try context.save() } }
        }

        func ask(_ error: NSError) throws -> Int64? {
            let hint = try #require(error.localizedRecoverySuggestion)
            let start = try #require(hint.range(of: "'SELECT"))
            let end = try #require(hint.range(of: "', which"))
            let question = String(hint[hint.index(after: start.lowerBound)..<end.lowerBound])
            return try direct.query(question).int64(0, 0)
        }
    }

    @Test("a committed save of unknown outcome is reported by the next save, once (HAZ-61)")
    func saveThatWasCommitted() throws {
        let scene = try Scene("outcome_committed")
        defer { scene.proxy.stop() }
        let error = try scene.loseOutcome(.loseAnswer)
        #expect(error.localizedFailureReason == "The outcome of the save is unknown.")
        #expect(try scene.ask(error) == 1)
        let next = try #require(throws: NSError.self) {
            try scene.context.performAndWait { try scene.context.save() }
        }
        #expect(next.localizedDescription.contains("was committed"))
        scene.context.performAndWait { scene.context.reset() }
        try Heroes.add("later", scene.context)
        #expect(try Heroes.names(scene.heroes.newContext()) == ["0", "after", "before", "later"])
    }

    @Test("a save of unknown outcome that was not committed is made by the next save (HAZ-61)")
    func notCommitted() throws {
        let scene = try Scene("outcome_not_committed")
        defer { scene.proxy.stop() }
        let error = try scene.loseOutcome(.cut)
        #expect(error.localizedFailureReason == "The outcome of the save is unknown.")
        #expect(try scene.ask(error) == 0)
        try scene.context.performAndWait { try scene.context.save() }
        #expect(try Heroes.names(scene.heroes.newContext()) == ["0", "after", "before"])
    }

    @Test("old marks of ended programs are removed when a store is opened, and recent ones stay")
    func oldMarksAreRemovedWhenStoreIsOpened() throws {
        let scene = try Scene("outdated_marks")
        defer { scene.proxy.stop() }
        _ = try scene.direct.query(
            "INSERT INTO outdated_marks.z_marker VALUES ('old', 3, 0, now() - interval '31 days'), "
                + "('young', 3, 0, now() - interval '29 days')")
        // One that runs and has not saved for long, too: its next save writes it anew.
        _ = try scene.direct.query(
            "UPDATE outdated_marks.z_marker SET z_time = now() - interval '40 days' WHERE z_writer NOT IN ('old', 'young')"
        )
        let other = try Stack(HeroModel.make(), url: scene.heroes.stack.url, kind: .postgreSQL)
        let left = try scene.direct.query("SELECT z_writer FROM outdated_marks.z_marker")
        #expect((0..<left.rowCount).map { left.text($0, 0) } == ["young"])
        try Heroes.add("after", scene.context)
        let store = try #require(scene.heroes.stack.store.objects as? PostgresStore)
        #expect(try store.marker.wasCommitted(store.session.connection))
        _ = other
    }
}
