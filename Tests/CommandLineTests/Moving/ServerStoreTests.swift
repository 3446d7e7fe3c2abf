import CoreData
import CoreDataTestSupport
import Testing

/// The tool on stores of a server, by their URLs.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server")) struct ServerStoreTests {
    @Test("STO-06: a store goes to a server and back, and is the same there and again in a file")
    func roundTrip() throws {
        let gallery = try Gallery()
        let place = try PostgresServer.shared.get().makeURL("gallery").absoluteString
        let outcome = try gallery.run("convert", gallery.store.path, "--to", "postgresql", "-o", place)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let compared = try gallery.run("compare", gallery.store.path, place)
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        let taken = try gallery.run("convert", gallery.store.path, "--to", "postgresql", "-o", place)
        #expect(taken.code == 1 && taken.errors.contains("there is one in the place already"), "\(taken.errors)")
        let back = gallery.file("Back.sqlite")
        #expect(try Tool.run("convert", place, "--to", "sqlite", "-o", back.path).code == 0)
        let again = try gallery.run("compare", gallery.store.path, back.path)
        #expect(again.code == 0, "\(again.output)\(again.errors)")
    }

    @Test("STO-06: a store of a server is looked into and edited like another, without its model's file")
    func commands() throws {
        let gallery = try Gallery()
        let server = try PostgresServer.shared.get()
        let place = server.makeURL("edited").absoluteString
        #expect(try gallery.run("convert", gallery.store.path, "--to", "postgresql", "-o", place).code == 0)
        let facts = try Tool.run("inspect", place)
        #expect(facts.output.contains("type       PostgreSQL") && facts.output.contains("Work"), "\(facts.output)")
        let edited = try Tool.run("set", place, "Work", "title=on the server", "--where", "code == 'W3'")
        #expect(edited.code == 0, "\(edited.errors)")
        let found = try Tool.run("fetch", place, "Work", "--where", "title CONTAINS[cd] 'SÉRVER'")
        #expect(
            found.code == 0 && found.output.contains("W3") && !found.output.contains("W4"),
            "\(found.output)\(found.errors)")
    }

    @Test("STO-06: what a server does not have is said, and a wrong URL too, never with a password")
    func refusals() throws {
        let gallery = try Gallery()
        let server = try PostgresServer.shared.get()
        let place = server.makeURL("refused").absoluteString
        #expect(try gallery.run("convert", gallery.store.path, "--to", "postgresql", "-o", place).code == 0)
        let check = try Tool.run("check", place)
        #expect(check.code == 2 && check.errors.contains("amcheck"), "\(check.errors)")
        expectRefusal(try Tool.run("vacuum", place), containing: "the server makes room by itself")
        expectRefusal(try Tool.run("sql", place, "SELECT 1"), containing: "only a store in SQLite")
        expectRefusal(
            try Tool.run("inspect", server.makeURL("nobody").absoluteString),
            containing: "there is no store in the schema")
        let secret = try Tool.run("inspect", "postgresql://me:hushhush@localhost:1/none?connect_timeout=2")
        expectRefusal(secret, containing: "localhost")
        #expect(!(secret.output + secret.errors).contains("hushhush"))
    }
}
