import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

/// The tool on stores of a server, by their URLs.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server")) struct ServerStoreTests {
    @Test("a store goes to a server and back, and is the same there and again in a file (STO-06)")
    func roundTrip() throws {
        let gallery = try Gallery()
        let place = try PostgresServer.shared.get().makeURL("gallery").absoluteString
        let outcome = try gallery.run("copy", gallery.store.path, place)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let compared = try gallery.run("compare", gallery.store.path, place)
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        let taken = try gallery.run("copy", gallery.store.path, place)
        #expect(taken.code == 1 && taken.errors.contains("there is a store already"), "\(taken.errors)")
        let back = gallery.file("Back.sqlite")
        #expect(try Tool.run("copy", place, back.path).code == 0)
        let again = try gallery.run("compare", gallery.store.path, back.path)
        #expect(again.code == 0, "\(again.output)\(again.errors)")
    }

    /// Copies a gallery to a server, and gives the copy's URL.
    private static func copy(_ gallery: Gallery, to server: PostgresServer, _ name: String) throws -> String {
        let place = server.makeURL(name).absoluteString
        #expect(try gallery.run("copy", gallery.store.path, place).code == 0)
        return place
    }

    @Test("a store of a server is looked into and edited like another, without its model's file (STO-06)")
    func storeOfServerIsLookedIntoAndEdited() throws {
        let server = try PostgresServer.shared.get()
        let place = try Self.copy(Gallery(), to: server, "edited")
        let facts = try Tool.run("inspect", place)
        #expect(facts.output.contains("type       PostgreSQL") && facts.output.contains("Work"), "\(facts.output)")
        let edited = try Tool.run("set", place, "Work", "title=on the server", "--where", "code == 'W3'")
        #expect(edited.code == 0, "\(edited.errors)")
        let found = try Tool.run("fetch", place, "Work", "--where", "title CONTAINS[cd] 'SÉRVER'")
        #expect(
            found.code == 0 && found.output.contains("W3") && !found.output.contains("W4"),
            "\(found.output)\(found.errors)")
    }

    @Test("what a server does not have is said, and a wrong URL too, never with a password (STO-06)")
    func whatServerDoesNotHaveIsSaid() throws {
        let server = try PostgresServer.shared.get()
        let place = try Self.copy(Gallery(), to: server, "refused")
        let check = try Tool.run("check", place)
        #expect(check.code == 2 && check.errors.contains("amcheck"), "\(check.errors)")
        expectRefusal(try Tool.run("vacuum", place), containing: "the server makes room by itself")
        expectRefusal(
            try Tool.run("inspect", server.makeURL("nobody").absoluteString),
            containing: "there is no store in the schema")
        for hosts in ["localhost:1", "localhost:1,localhost:2", "localhost:1,localhost:x"] {
            let secret = try Tool.run("inspect", "postgresql://me:hushhush@\(hosts)/none?connect_timeout=2")
            expectRefusal(secret, containing: "localhost")
            #expect(!(secret.output + secret.errors).contains("hushhush"))
        }
    }

    @Test("an export that takes longer than a statement may names that limit, not the transaction's end (STO-06)")
    func statementTimeout() throws {
        let server = try PostgresServer.shared.get()
        let place = try Self.copy(Gallery(), to: server, "slow")
        let schema = try #require(URLComponents(string: place)?.queryItems?.last?.value)
        // Another session has the table for as long as the export asks for it.
        Thread.detachNewThread {
            try? server.execute(
                "SET application_name = 'holder_\(schema)'; BEGIN; "
                    + "LOCK TABLE \(schema).zwork IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(100)")
        }
        let holder = "FROM pg_stat_activity WHERE application_name = 'holder_\(schema)'"
        defer { try? server.execute("SELECT pg_terminate_backend(pid) \(holder)") }
        eventually("the lock of the table") {
            (try? server.execute(
                "SELECT 1 / count(*) FROM pg_locks WHERE relation = '\(schema).zwork'::regclass AND granted "
                    + "AND mode = 'AccessExclusiveLock'")) != nil
        }
        let outcome = try Tool.run("export", place + "&options=-c%20statement_timeout%3D1000")
        #expect(outcome.code == 1 && outcome.errors.contains("statement timeout"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("aborted"), "\(outcome.errors)")
    }

    @Test("a save that is refused names the store by its URL without the password, and not by a path (STO-06)")
    func refusedSaves() throws {
        let gallery = try Gallery()
        let place = try Self.copy(gallery, to: try PostgresServer.shared.get(), "saved")
        let secret = place.replacing("//coredata@", with: "//coredata:hushhush@")
        try #require(secret != place)
        for words in [
            ["insert", secret, "Room"], ["insert", secret, "Work", "code=W3"],
            ["set", secret, "Work", "code=W3", "--where", "code == 'W4'"],
        ] {
            let outcome = try Tool.run(words)
            #expect(outcome.code == 1 && outcome.errors.contains("not saved"), "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("coredata: postgresql://coredata@"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("hushhush"))
        }
        let compared = try gallery.run("compare", gallery.store.path, place)
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
    }

    @Test("hosts have ports of their own, as libpq writes them (STO-06)")
    func portsOfHosts() throws {
        let server = try PostgresServer.shared.get()
        let place = try Self.copy(Gallery(), to: server, "ports")
        let schema = try #require(URLComponents(string: place)?.queryItems?.first { $0.name == "schema" }?.value)
        let host = try #require(server.host.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let both = "postgresql://coredata@127.0.0.1:1,\(host):5432/postgres?schema=\(schema)"
        #expect(URL(string: both) == nil)
        let outcome = try Tool.run("inspect", both)
        #expect(outcome.code == 0 && outcome.output.contains("Work"), "\(outcome.errors)")
    }

    @Test("a statement is carried out as a role that cannot write, and changes nothing whatever it tries (BRW-46)")
    func statementIsCarriedOutAsRoleThatCannotWrite() throws {
        let gallery = try Gallery()
        let server = try PostgresServer.shared.get()
        let place = try Self.copy(gallery, to: server, "asked")
        let name = try #require(URLComponents(string: place)?.queryItems?.last?.value)
        expectRefusal(try Tool.run("sql", place, "SELECT 1"), containing: "CREATE ROLE coredata_reader LOGIN")
        let role = "\(name)_reader"
        let grants = [
            "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA \(name) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO \(role)",
        ]
        for grant in grants { try server.execute(grant) }
        let reading = place + "&sqlrole=\(role)"
        let found = try Tool.run(
            "sql", reading, "SELECT zcode, 1.50::numeric AS n, '\\x0102'::bytea AS b FROM zwork WHERE zcode = $1;",
            "--parameter", "1='W3'", "--format", "json")
        #expect(found.code == 0, "\(found.errors)")
        let json = try found.json(as: [String: Any].self)
        let row = (json["rows"] as? [[Any]])?.first
        #expect(row?[0] as? String == "W3" && row?[1] as? String == "1.50", "\(found.output)")
        #expect((row?[2] as? [String: Any])?["hex"] as? String == "0102")
        let columns = json["columns"] as? [[String: Any]]
        #expect(columns?.first?["property"] as? String == "code")
        let cut = try Tool.run("sql", reading, "SELECT repeat('é', 1000000) AS long", "--format", "json")
        let text = try cut.json(as: [String: Any].self)["rows"] as? [[[String: Any]]]
        #expect(text?.first?.first?["bytes"] as? Int == 2_000_000 && cut.output.utf8.count < 10_000)
        let tricks = [
            "UPDATE zwork SET zcode = 'x' RETURNING 1", "WITH d AS (DELETE FROM zwork RETURNING 1) SELECT * FROM d",
            "SELECT 1; DROP TABLE zwork", "SELECT set_config('role', 'coredata', true), pg_read_file('PG_VERSION')",
            "SELECT nextval('none')", "COMMIT", "SELECT 1) AS q(a); DROP TABLE zwork; SELECT (1",
            "CREATE TABLE t AS SELECT 1",
            "EXPLAIN ANALYZE UPDATE zwork SET zcode = 'x'", "COPY zwork TO STDOUT",
            "SELECT * FROM zwork FOR UPDATE",
        ]
        for trick in tricks {
            let outcome = try Tool.run("sql", reading, trick)
            #expect(outcome.code != 0 && !outcome.wasKilled, "\(trick): \(outcome.output)")
        }
        let misspelled = try Tool.run("sql", reading, "SELECT zcodes FROM zwork")
        #expect(misspelled.code == 1 && misspelled.errors.contains("at character 8"), "\(misspelled.errors)")
        let slow = try Tool.run("sql", reading, "SELECT pg_sleep(30)", "--timeout", "0.5")
        #expect(slow.errors.contains("time"), "\(slow.errors)")
        let many = try Tool.run("sql", reading, "SELECT * FROM generate_series(1, 1000000)", "--limit", "10")
        #expect(many.code == 0 && many.errors.contains("10"), "\(many.errors)")
        let plan = try Tool.run("sql", reading, "EXPLAIN SELECT * FROM zwork")
        #expect(plan.code == 0 && plan.output.contains("zwork"), "\(plan.errors)")
        let compared = try gallery.run("compare", gallery.store.path, place)
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        try server.execute("GRANT UPDATE (zcode) ON \(name).zwork TO \(role)")
        expectRefusal(try Tool.run("sql", reading, "SELECT 1"), containing: "may write to the table")
    }

    @Test("a store that keeps a history is edited with it, and its history is read (BRW-57)")
    func storeThatKeepsHistoryIsEdited() throws {
        let place = try PostgresServer.shared.get().makeURL("edited").absoluteString
        let stack = try Stack(
            HistoryModel.make(), url: try #require(URL(string: place)), kind: .postgreSQL,
            options: HistoryModel.options)
        stack.context.insert("Person", ["name": "Ann"])
        try stack.context.save(as: "app")
        let edited = try Tool.run("set", place, "Person", "age=3", "--where", "name == 'Ann'")
        #expect(edited.code == 0, "\(edited.errors)")
        #expect(try stack.context.transactions().map(\.author) == ["app", "coredata"])
        let listed = try Tool.run("history", place)
        #expect(listed.code == 0 && listed.output.contains("coredata"), "\(listed.output)\(listed.errors)")
        #expect(try Tool.run("inspect", place).output.contains("history    on"))
    }
}
