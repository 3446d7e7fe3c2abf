import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing
import WriteScenarios

/// Processes of their own that open a store of a former version at once, and processes that are killed while they migrate one.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(20)))
struct MigratingProcessTests {
    enum Way: String, CaseIterable { case inferred, mapped }

    private let folder: URL

    init() throws { folder = try Fixtures.temporaryFolder() }

    private func scene() throws -> ServerScene {
        // The children find the mapping model there; none of them writes it while another one reads.
        _ = try VersionedThings.options(in: folder)
        return try ServerScene(VersionedThings.old()) { VersionedThings.fill($0) }
    }

    private func child(_ way: Way, _ scene: ServerScene, _ more: String...) throws -> Child {
        try Child(
            ["migrate", scene.url.absoluteString, way.rawValue, folder.path] + more, of: Child.url("ServerChild"))
    }

    private static func line(_ child: Child) -> String {
        while true {
            switch child.word(within: 1_000) {
            case .line(let line): return line
            case .end: return "ended"
            case .silence: continue
            }
        }
    }

    @Test(
        "of several processes that start at once on a store of before one migrates, and the others find it done (HAZ-61)",
        arguments: Way.allCases)
    func severalProcesses(way: Way) throws {
        let scene = try scene()
        let count = TestSeed.isExhaustive ? 12 : 4
        let note = "\(scene.schema)_note"
        for statement in [
            "CREATE SCHEMA \(note)", "CREATE TABLE \(note).log (what text)",
            "CREATE FUNCTION \(note).note() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN "
                + "INSERT INTO \(note).log SELECT object_identity FROM pg_event_trigger_ddl_commands() "
                + "WHERE object_identity LIKE '\(scene.schema).z_metadata.%'; END $f$",
            "CREATE EVENT TRIGGER \(note) ON ddl_command_end EXECUTE FUNCTION \(note).note()",
        ] { try scene.ask(statement) }
        defer {
            _ = try? scene.ask("DROP EVENT TRIGGER \(note)")
            _ = try? scene.ask("DROP SCHEMA \(note) CASCADE")
        }
        let children = try (0..<count).map { _ in try child(way, scene) }
        for child in children {
            #expect(Self.line(child) == "sound")
            #expect(child.status() == 0)
        }
        // The epoch changes with each migration, and with nothing else.
        #expect(try scene.ask("SELECT what FROM \(note).log").count == 1)
    }

    @Test(
        "a process that is killed while it migrates leaves the store as it was, and the next one migrates it (MIG-17)",
        arguments: Way.allCases)
    func killedProcess(way: Way) throws {
        let scene = try scene()
        let epoch = try scene.epoch
        // The last thing that a migration does is to write the metadata; somebody keeps it waiting there.
        let key = way == .mapped ? 7_310_001 : 7_310_002
        let blocker = try scene.connect()
        defer { blocker.close() }
        _ = try blocker.query("SELECT pg_advisory_lock(\(key))")
        try scene.ask(
            "CREATE FUNCTION \(scene.schema).wait() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN "
                + "PERFORM pg_advisory_xact_lock(\(key)); RETURN NULL; END $f$")
        try scene.ask(
            "CREATE TRIGGER wait AFTER UPDATE ON z_metadata FOR EACH STATEMENT EXECUTE FUNCTION \(scene.schema).wait()")
        let child = try child(way, scene)
        eventually("a migration that waits at its end") {
            let waiting = try? scene.ask(
                "SELECT pid::text FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = \(key)")
            return waiting?.count == 1
        }
        child.kill()
        _ = try blocker.query("SELECT pg_advisory_unlock(\(key))")
        try scene.ask("DROP TRIGGER wait ON z_metadata")
        try expectGoesOn(scene, way, epoch)
    }

    @Test(
        "a process that is killed while it maps objects leaves the store as it was, and the next one migrates it (MIG-17)"
    )
    func killedMidway() throws {
        let scene = try scene()
        let epoch = try scene.epoch
        let child = try child(.mapped, scene, "stop")
        #expect(Self.line(child) == "midway")
        #expect(try temporaries(scene) == 1)
        child.kill()
        #expect(try temporaries(scene) == 1)
        try expectGoesOn(scene, .mapped, epoch)
    }

    @Test("many objects are mapped by a process of its own, and how long others wait for that is printed")
    func timedMapping() throws {
        let scene = try scene()
        let count = TestSeed.isExhaustive ? 200_000 : 1_000
        try scene.ask(
            "INSERT INTO zthing (z_pk, z_ent, z_opt, zowner, ztitle) SELECT 100 + n, (SELECT max(z_ent) FROM zthing), 1, "
                + "(SELECT max(z_pk) FROM zowner), 'a thing' FROM generate_series(1, \(count)) n")
        try scene.ask("UPDATE z_primarykey SET z_max = z_max + \(count + 100)")
        let child = try child(.mapped, scene, "time")
        let milliseconds = try #require(Double(Self.line(child)))
        #expect(child.status(within: .seconds(600)) == 0)
        let there = try scene.ask("SELECT count(*)::text FROM zthing WHERE znote = 'noted' AND ztitle < 20")
        #expect(there == ["\(count + VersionedThings.count)"])
        print(
            "\(count) objects mapped in \(milliseconds / 1_000) s, \(Int(Double(count) * 1_000 / milliseconds)) a second"
        )
    }

    private func temporaries(_ scene: ServerScene) throws -> Int {
        try scene.ask(
            "SELECT nspname::text FROM pg_namespace n "
                + "WHERE obj_description(n.oid, 'pg_namespace') LIKE '%''\(scene.schema)''%'"
        ).count
    }

    private func expectGoesOn(_ scene: ServerScene, _ way: Way, _ epoch: String) throws {
        try scene.with(VersionedThings.old(), options: [:]) { context in
            let titles = try context.all("Thing").compactMap { ($0.value(forKey: "title") as? String)?.count }
            #expect(titles.sorted() == Array(0..<VersionedThings.count))
            #expect(try scene.epoch == epoch)
        }
        let next = try child(way, scene)
        #expect(Self.line(next) == "sound")
        #expect(next.status() == 0)
        #expect(try scene.epoch != epoch)
        #expect(try temporaries(scene) == 0, "nothing is left of what was killed")
    }
}
