import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

/// A migration that ends at each of its statements: it goes on, or never was.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct InterruptedMigrationTests {
    enum Ending: String, CaseIterable {
        /// The connection is cut, as by a server that stops.
        case cut
        /// The statement fails.
        case failure

        var sql: String { self == .cut ? "PERFORM pg_terminate_backend(pg_backend_pid())" : "RAISE EXCEPTION 'no'" }
    }

    private static func old() -> NSManagedObjectModel {
        ServerScene.model { temporary in
            temporary.entity("Author", ["name": .stringAttributeType])
            temporary.entity("Book", ["title": .stringAttributeType, "pages": .integer32AttributeType])
            temporary.relationships("Author.books*", "Book.author")
        }
    }

    private static func new() -> NSManagedObjectModel {
        ServerScene.model { temporary in
            temporary.entity("Being", ["name": .stringAttributeType])
            temporary.entity("Author", in: "Being")
            temporary.entity(
                "Book",
                ["heading": .stringAttributeType, "price": .doubleAttributeType, "pages": .decimalAttributeType])
            temporary.attribute("Book.heading").renamingIdentifier = "title"
            temporary.attribute("Book.price").defaultValue = 1.5
            temporary.relationships("Author.books*", "Book.author*")
            temporary["Book"].uniquenessConstraints = [["heading"]]
            temporary.derived("Author.count", .integer64AttributeType, "books.@count")
        }
    }

    private static func expectOld(_ context: NSManagedObjectContext) throws {
        let books = try context.all("Book", sortedBy: "title")
        #expect(books.map { $0.value(forKey: "title") as? String } == (0..<6).map { "book \($0)" })
        #expect(books.allSatisfy { $0.value(forKey: "pages") as? Int == 100 })
        #expect(books.allSatisfy { ($0.value(forKeyPath: "author.name") as? String) == "Ada" })
    }

    private static func expectNew(_ context: NSManagedObjectContext) throws {
        let books = try context.all("Book", sortedBy: "heading")
        #expect(books.map { $0.value(forKey: "heading") as? String } == (0..<6).map { "book \($0)" })
        #expect(books.allSatisfy { $0.value(forKey: "price") as? Double == 1.5 })
        #expect(books.allSatisfy { ($0.value(forKey: "pages") as? NSDecimalNumber)?.intValue == 100 })
        let authors = try context.all("Author")
        #expect(authors.map { $0.value(forKey: "name") as? String } == ["Ada"])
        #expect(authors.map { ($0.value(forKey: "books") as? Set<NSManagedObject>)?.count } == [6])
        #expect(authors.map { $0.value(forKey: "count") as? Int } == [6])
    }

    /// Has the server do something at the n-th statement of a migration that changes tables, or rows of the tables that stay.
    private static func arm(_ scene: ServerScene, _ ending: Ending, at number: Int) throws {
        let place = "\(scene.schema)_trap"
        let body =
            "IF current_setting('search_path') = '\(scene.schema)' AND nextval('\(place).counter') = \(number) THEN "
            + "\(ending.sql); END IF;"
        for statement in [
            "CREATE SCHEMA \(place)", "CREATE SEQUENCE \(place).counter",
            "CREATE FUNCTION \(place).ddl() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN \(body) END $f$",
            "CREATE FUNCTION \(place).dml() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN \(body) RETURN NULL; END $f$",
        ] { try scene.ask(statement) }
        for table in ["zbook", "zauthor", "z_primarykey", "z_metadata", "z_modelcache"] {
            try scene.ask(
                "CREATE TRIGGER trap AFTER INSERT OR UPDATE OR DELETE ON \(table) FOR EACH STATEMENT "
                    + "EXECUTE FUNCTION \(place).dml()")
        }
        try scene.ask("CREATE EVENT TRIGGER \(place) ON ddl_command_end EXECUTE FUNCTION \(place).ddl()")
    }

    /// Gives how many statements there were.
    private static func disarm(_ scene: ServerScene) throws -> Int {
        let place = "\(scene.schema)_trap"
        let reached = try scene.ask("SELECT last_value::text FROM \(place).counter")
        try scene.ask("DROP EVENT TRIGGER \(place)")
        try scene.ask("DROP SCHEMA \(place) CASCADE")
        return reached.first.flatMap { Int($0) } ?? 0
    }

    @Test("a migration that ends at any of its statements goes on or never was (MIG-17)", arguments: Ending.allCases)
    func everyStatement(ending: Ending) throws {
        var number = 0
        var reached = Int.max
        while reached >= number {
            // All of them in `make soak`.
            number += TestSeed.isExhaustive ? 1 : ending == .cut ? 2 : 3
            let scene = try ServerScene(Self.old()) { context in
                let author = context.insert("Author", ["name": "Ada"])
                for number in 0..<6 {
                    context.insert("Book", ["title": "book \(number)", "pages": 100, "author": author])
                }
            }
            let epoch = try scene.epoch
            try Self.arm(scene, ending, at: number)
            let result = Result { try scene.with(Self.new()) { _ in } }
            reached = try Self.disarm(scene)
            if reached >= number {
                switch ending {
                case .cut: if case .failure(let error) = result { Issue.record("statement \(number): \(error)") }
                case .failure:
                    expectError(134110) { try result.get() }
                    #expect(try scene.epoch == epoch)
                    try scene.with(Self.old(), options: [:]) { try Self.expectOld($0) }
                }
            }
            try scene.with(Self.new()) { try Self.expectNew($0) }
            let left = try scene.ask(
                "SELECT relname::text FROM pg_class WHERE relname LIKE 'opencoredata_%' "
                    + "AND relnamespace = current_schema()::regnamespace AND relkind = 'r'")
            #expect(left == [])
        }
        // As many statements as were tried.
        #expect(number > 15)
    }

    @Test("a server that stops in a migration has the store of before when it is there again (MIG-17)")
    func stoppedServer() throws {
        let server = try PostgresServer()
        let url = server.makeURL("stopped")
        let options: [AnyHashable: Any] = ServerScene.automatic.merging([NSPersistentStoreTimeoutOption: 1]) { $1 }
        let stack = try Stack(Self.old(), url: url, kind: .postgreSQL)
        stack.context.insert("Author", ["name": "Ada"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        // Somebody keeps the migration waiting within its transaction.
        let blocker = try PostgresConnection.open(
            ConnectionParameters([("host", server.host), ("user", "coredata"), ("dbname", "postgres")]),
            timeout: .seconds(20))
        _ = try blocker.pipeline([
            PostgresStatement("BEGIN"), PostgresStatement("SELECT * FROM stopped_1.zauthor"),
        ])
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            _ = try? Stack(
                Self.new(), url: url, kind: .postgreSQL,
                options: ServerScene.automatic.merging([NSPersistentStoreTimeoutOption: 1]) { $1 })
        }
        eventually("a migration that waits for the table") {
            (try? blocker.query("SELECT 1 FROM pg_locks WHERE NOT granted"))?.rowCount == 1
        }
        server.stop()
        group.wait()
        blocker.close()
        try server.start()
        let before = try Stack(Self.old(), url: url, kind: .postgreSQL)
        #expect(try before.context.all("Author").count == 1)
        try before.coordinator.remove(before.store)
        let after = try Stack(Self.new(), url: url, kind: .postgreSQL, options: options)
        #expect(try after.context.all("Author").map { $0.value(forKey: "name") as? String } == ["Ada"])
    }
}
