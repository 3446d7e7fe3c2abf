import CoreData
import CoreDataStore
import Foundation
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

/// The spans of statements that a server carries out.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct ServerSpanTests {
    @Test("spans of a store on a server name the server, and no value of an attribute")
    func serverIsNamed() throws {
        let heroes = try Heroes(2)
        let schema = try #require(
            heroes.stack.store.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems?
                .first { $0.name == "schema" }?.value)
        let all = Mutex<[CoreDataInstruments.Span]>([])
        CoreDataInstruments.spanHandler = { span in
            if span.attributes["db.namespace"] == .string("postgres|\(schema)") { all.withLock { $0.append(span) } }
        }
        defer { CoreDataInstruments.spanHandler = nil }
        let context = heroes.newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "name == %@", "Secret")
        #expect(try context.fetch(request).isEmpty)
        let statements = all.withLock { $0.filter { $0.kind == .client } }
        let host = try PostgresServer.shared.get().host
        #expect(!statements.isEmpty)
        for statement in statements {
            #expect(statement.attributes["server.address"] == .string(host))
            // A socket has no port, and nothing failed.
            #expect(statement.attributes["server.port"] == nil && statement.attributes["error.type"] == nil)
            #expect(!"\(statement)".contains("Secret"))
        }
    }

    @Test("a server's port and an error's code are attributes of the conventions")
    func portAndError() {
        var event = InstrumentEvent(.statement, since: 0)
        event.flags = .postgreSQL
        (event.serverAddress, event.serverPort, event.errorType) = ("db.example", 5433, "23505")
        let attributes = Dictionary(uniqueKeysWithValues: SpanDescription(event).attributes.map { ($0.key, $0.value) })
        #expect(attributes["server.address"] == .string("db.example") && attributes["server.port"] == .integer(5433))
        #expect(attributes["error.type"] == .string("23505"))
    }
}
