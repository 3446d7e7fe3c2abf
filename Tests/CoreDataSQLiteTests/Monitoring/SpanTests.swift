import CoreData
import SQLiteKit
import StoreContract
import Synchronization
import TestBasics
import Testing

/// The handler is one of the whole process, so each test runs in a process of its own.
@Suite struct SpanTests {
    /// Spans that a handler was given.
    private final class Spans: Sendable {
        private let all = Mutex<[CoreDataInstruments.Span]>([])
        func add(_ span: CoreDataInstruments.Span) { all.withLock { $0.append(span) } }
        func take() -> [CoreDataInstruments.Span] {
            all.withLock { spans in
                defer { spans = [] }
                return spans
            }
        }
    }

    @Test("fetches, faults, saves and statements are spans with the names of the conventions, and no values")
    func workIsSpans() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            stack.context.insert("Hero", ["name": "Secret"])
            let spans = Spans()
            CoreDataInstruments.spanHandler = { spans.add($0) }
            try stack.context.save()
            let saved = spans.take()
            #expect(saved.last?.name == "save Test.sqlite" && saved.last?.kind == .internal)
            #expect(saved.last?.attributes["coredata.objects.inserted"] == .integer(1))
            let insertion = try #require(saved.first { $0.name == "INSERT ZHERO" })
            #expect(insertion.kind == .client && insertion.attributes["db.system.name"] == .string("sqlite"))
            #expect(insertion.attributes["db.namespace"] == .string("Test.sqlite"))

            let other = try Stack(stack.model, url: stack.url)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.predicate = NSPredicate(format: "name == %@", "Secret")
            request.includesPropertyValues = false
            _ = spans.take()
            let hero = try #require(try other.context.fetch(request).first)
            let fetched = spans.take()
            let fetch = try #require(fetched.last)
            #expect(fetch.name == "fetch Hero" && fetch.attributes["db.query.text"] == .string("name == $v"))
            #expect(fetch.attributes["db.response.returned_rows"] == .integer(1))
            let statement = try #require(fetched.first { $0.name.hasPrefix("SELECT ZHERO") })
            #expect(statement.startTime <= statement.endTime && fetch.startTime <= fetch.endTime)
            _ = hero.value(forKey: "name")
            #expect(spans.take().last?.name == "fault Hero")
            #expect(!(saved + fetched).contains { "\($0.attributes)".contains("Secret") })

            CoreDataInstruments.spanHandler = nil
            _ = try other.context.fetch(request)
            #expect(spans.take().isEmpty)
        }
    }

    @Test("attributes have the stable names of the conventions, or the library's own, and none of the former ones")
    func namesAreThoseOfTheConventions() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            let spans = Spans()
            CoreDataInstruments.spanHandler = { spans.add($0) }
            stack.context.insert("Hero", ["name": "Ann"])
            try stack.context.save()
            stack.context.reset()
            _ = try stack.context.all("Hero").map { $0.value(forKey: "name") }
            CoreDataInstruments.spanHandler = nil
            let taken = spans.take()
            // Source: OpenTelemetry's registry of attributes for databases. All are stable but the number of rows.
            let stable: Set = [
                "db.system.name", "db.namespace", "db.collection.name", "db.operation.name", "db.operation.batch.size",
                "db.query.summary", "db.query.text", "db.response.returned_rows", "error.type", "server.address",
                "server.port",
            ]
            let names = Set(taken.flatMap(\.attributes.keys))
            #expect(names.filter { !$0.hasPrefix("coredata.") && $0 != "thread.id" }.subtracting(stable).isEmpty)
            let statement = try #require(taken.first { $0.name.hasPrefix("SELECT ZHERO") })
            #expect(statement.attributes["db.query.summary"] == .string(statement.name))
            // SQL has no single operation and collection; the summary has them.
            #expect(statement.attributes["db.operation.name"] == nil && statement.attributes["db.query.text"] != nil)
            let fetch = try #require(taken.first { $0.name == "fetch Hero" })
            #expect(fetch.attributes["db.operation.name"] == .string("fetch"))
            #expect(fetch.attributes["db.collection.name"] == .string("Hero"))
            #expect(taken.allSatisfy { $0.attributes["db.system.name"] != nil })
        }
    }

    @Test("a statement that fails has the name of SQLite's code, one that finds its end has none")
    func failuresHaveTypes() async {
        await #expect(processExitsWith: .success) {
            let stack = try Stack(HeroModel.make(), options: [NSPersistentStoreTimeoutOption: 0.05])
            let spans = Spans()
            CoreDataInstruments.spanHandler = { spans.add($0) }
            let other = try Connection.open(stack.url.path)
            try other.begin(.immediate)
            stack.context.insert("Hero", ["name": "Secret"])
            #expect((try? stack.context.save()) == nil)
            let taken = spans.take()
            let failed = taken.filter { $0.attributes["error.type"] != nil }
            #expect(!failed.isEmpty && failed.count < taken.count)
            #expect(failed.allSatisfy { $0.attributes["error.type"] == .string("SQLITE_BUSY") && $0.kind == .client })
            #expect(taken.allSatisfy { $0.attributes["server.address"] == nil && !"\($0)".contains("Secret") })
            try other.rollBack()
            try stack.context.save()
            #expect(spans.take().allSatisfy { $0.attributes["error.type"] == nil })
        }
    }

    @Test("a handler is called within the task of the fetch")
    func handlerIsCalledWithinTheTask() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            let box = Names()
            CoreDataInstruments.spanHandler = { _ in box.add(Request.name) }
            try Request.$name.withValue("GET /heroes") { _ = try stack.context.all("Hero") }
            #expect(box.all.allSatisfy { $0 == "GET /heroes" } && !box.all.isEmpty)
        }
    }
}

private enum Request {
    @TaskLocal static var name: String?
}

private final class Names: Sendable {
    private let names = Mutex<[String?]>([])
    func add(_ name: String?) { names.withLock { $0.append(name) } }
    var all: [String?] { names.withLock { $0 } }
}
