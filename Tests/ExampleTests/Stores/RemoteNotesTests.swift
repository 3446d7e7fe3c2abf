import CoreData
import LoopbackService
import StoreContract
import Testing

@testable import RemoteNotesSample

/// A store behind a service: what the contract asks, and what goes over the wire.
@Suite(.timeLimit(.minutes(20))) struct RemoteNotesTests {
    /// One service for all checks, each with a space of its own.
    private static let service = RecordService()
    private static let server = Result { try HTTPServer { service.answer($0) } }

    private static let kind: StoreKind = {
        RemoteStore.register()
        return StoreKind(type: RemoteStore.storeType, capabilities: [.durable, .exactDecimals, .namesRecords])
    }()

    private static func place(_ name: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.get().port)/\(name)-\(UUID().uuidString)"))
    }

    @Test(
        "a store behind a service keeps the contract (STO-05, STO-07)",
        arguments: StoreContract.checks(for: kind, at: { try place($0) }))
    func storeBehindServiceKeepsContract(check: StoreContract.Check) throws { try check.run() }

    /// A service of one test's own.
    private final class World {
        let service: RecordService
        let server: HTTPServer
        let stack: Stack

        init() throws {
            let service = RecordService()
            self.service = service
            server = try HTTPServer { service.answer($0) }
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/notes"))
            stack = try Stack(
                NoteModel.make(), url: url, kind: RemoteNotesTests.kind, options: [RemoteStore.timeoutOption: 2.0])
        }

        deinit { server.stop() }
    }

    @Test("a window is a window of the service's, and values of a page need no further question (STO-05)")
    func windowIsWindowOfServices() throws {
        let world = try World()
        for number in 0..<250 { world.stack.context.insert("Note", ["title": "N\(number)"]) }
        try world.stack.context.save()
        world.stack.context.reset()
        let context = world.stack.newContext()
        _ = world.service.takeLog()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        (request.fetchOffset, request.fetchLimit) = (120, 5)
        let found = try context.fetch(request)
        #expect(found.count == 5 && found.allSatisfy { $0.value(forKey: "title") != nil })
        #expect(world.service.takeLog() == ["GET records/Note?entities=Note&limit=5&offset=120"])
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 250)
        #expect(world.service.takeLog() == ["GET records/Note?entities=Note&limit=0"])
        #expect(try context.all("Note", NSPredicate(format: "title == 'N7'")).count == 1)
        #expect(world.service.takeLog().count == 3)
    }

    @Test("a fault alone asks one question (STO-05)")
    func faultAloneAsksOneQuestion() throws {
        let world = try World()
        let note = world.stack.context.insert("Note", ["title": "Rome"])
        try world.stack.context.save()
        let context = world.stack.newContext()
        let identifier = note.objectID
        world.stack.context.reset()
        _ = world.service.takeLog()
        #expect(context.object(with: identifier).value(forKey: "title") as? String == "Rome")
        #expect(world.service.takeLog() == ["GET records/Note/1"])
    }

    @Test("what another client wrote meanwhile is a conflict by its ETag (STO-05, CTX-21)")
    func whatAnotherClientWroteMeanwhileIsConflictByItsETag() throws {
        let world = try World()
        let note = world.stack.context.insert("Note", ["title": "Rome", "text": "old"])
        try world.stack.context.save()
        let other = try world.stack.another()
        try #require(try other.context.all("Note").first).setValue("Roma", forKey: "title")
        try other.context.save()
        note.setValue("mine", forKey: "text")
        let error = #expect(throws: NSError.self) { try world.stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        world.stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try world.stack.context.save()
        let third = try world.stack.another()
        let after = try #require(try third.context.all("Note").first)
        let values = ["title", "text"].map { after.value(forKey: $0) as? String }
        #expect(values == ["Roma", "mine"])
    }

    @Test("a save is one request, and where one of its records is in conflict none is written (STO-05, CTX-21)")
    func savesAreWhole() throws {
        let world = try World()
        let notes = ["Rome", "Bern"].map { world.stack.context.insert("Note", ["title": $0]) }
        _ = world.service.takeLog()
        try world.stack.context.save()
        #expect(world.service.takeLog().filter { $0.hasPrefix("POST") } == ["POST names?count=2", "POST changes"])
        let other = try world.stack.another()
        try #require(try other.context.all("Note", NSPredicate(format: "title == 'Bern'")).first).setValue(
            "Berne", forKey: "title")
        try other.context.save()
        for note in notes { note.setValue("mine", forKey: "text") }
        #expect(throws: NSError.self) { try world.stack.context.save() }
        let third = try world.stack.another()
        #expect(try third.context.all("Note").allSatisfy { $0.value(forKey: "text") == nil })
        world.stack.context.delete(notes[0])
        world.stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try world.stack.context.save()
        let fourth = try world.stack.another()
        let last = try #require(try fourth.context.all("Note").first)
        #expect(["title", "text"].map { last.value(forKey: $0) as? String } == ["Berne", "mine"])
    }

    @Test("what the service refuses is the save's error, with the service's reason (STO-05)")
    func whatServiceRefusesIsSavesError() throws {
        let world = try World()
        world.stack.context.insert("Note", ["title": "Rome"])
        world.service.refuseWrites("The disk is full.")
        let error = #expect(throws: NSError.self) { try world.stack.context.save() }
        #expect(error?.localizedDescription.contains("The disk is full.") == true)
        world.service.refuseWrites(nil)
        try world.stack.context.save()
        #expect(try world.stack.newContext().all("Note").count == 1)
    }

    @Test("without a connection errors say so, objects stay as they are, and the save can be made later (STO-05)")
    func withoutConnectionErrorsSay() throws {
        let world = try World()
        let note = world.stack.context.insert("Note", ["title": "Rome"])
        try world.stack.context.save()
        world.server.stop()
        note.setValue("Roma", forKey: "title")
        let error = #expect(throws: NSError.self) { try world.stack.context.save() }
        #expect(error?.localizedDescription.contains("cannot be reached") == true)
        #expect(error?.localizedDescription.contains("127.0.0.1") == true)
        #expect(note.value(forKey: "title") as? String == "Roma" && note.hasChanges)
    }

    @Test(
        "a malformed request is refused, and the service goes on (STO-05)",
        arguments: [
            "", "GET\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "\u{0}\r\n\r\n",
        ])
    func malformedRequests(text: String) {
        var pieces = [Data(text.utf8)]
        let request = HTTPRequest { pieces.popLast() ?? Data() }
        #expect(request == nil)
    }
}
