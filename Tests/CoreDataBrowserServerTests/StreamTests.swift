import CoreDataBrowserServer
import TestBasics
import Testing

@Suite("Streams of the HTTP server")
struct StreamTests {
    /// A coordinator with a store in memory, which the server shows, or with one in a file.
    private func container(_ file: URL? = nil) throws -> NSPersistentStoreCoordinator {
        let note = NSEntityDescription()
        note.name = "Note"
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        text.isOptional = true
        note.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [note]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            type: file == nil ? .inMemory : .sqlite, configuration: nil,
            at: file ?? URL(fileURLWithPath: "/dev/null"), options: nil)
        return coordinator
    }

    private func save(_ count: Int = 1, in coordinator: NSPersistentStoreCoordinator) async throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try await context.perform {
            for _ in 0..<count { _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context) }
            try context.save()
        }
    }

    @Test("200 streams hear of a save, and all end when the server does")
    func manyStreams() async throws {
        let (test, coordinator) = (try TestServer(), try container())
        test.browser.show(coordinator, name: "Notes")
        var clients: [SocketClient] = []
        for _ in 0..<200 {
            let client = try SocketClient(test.server.port)
            await client.send(test.head("GET /stores/1/events") + "\r\n")
            clients.append(client)
        }
        for client in clients {
            let text = await client.receive(until: ":\n\n")
            #expect(text.contains("text/event-stream"))
        }
        try await save(in: coordinator)
        for client in clients {
            let text = await client.receive(until: "\n\n")
            #expect(text.contains("\"inserted\":[\"Note/p1\"]"))
        }
        test.server.stop()
        for client in clients {
            let rest = await client.rest()
            #expect(!rest.contains("data:"))
        }
        #expect(test.server.requests == 0)
    }

    @Test("Streams have no end, so a server that lets requests finish does not wait for them")
    func orderlyEnd() async throws {
        let (test, coordinator) = (try TestServer(), try container())
        test.browser.show(coordinator, name: "Notes")
        let client = try SocketClient(test.server.port)
        await client.send(test.head("GET /stores/1/events") + "\r\n")
        _ = await client.receive(until: ":\n\n")
        let start = ContinuousClock.now
        await test.server.stop(finishingWithin: .seconds(60))
        #expect(.now - start < .seconds(30))
        #expect(test.server.requests == 0)
        _ = await client.rest()
    }

    @Test("50 tabs hear of each of 10 saves in a second, with the object and in few bytes (BRW-37)")
    func everyUpdate() async throws {
        let (test, coordinator) = (try TestServer(), try container())
        test.browser.show(coordinator, name: "Notes")
        var clients: [SocketClient] = []
        for _ in 0..<50 {
            let client = try SocketClient(test.server.port)
            await client.send(test.head("GET /stores/1/events") + "\r\n")
            _ = await client.receive(until: ":\n\n")
            clients.append(client)
        }
        for _ in 0..<10 {
            try await save(in: coordinator)
            try await Task.sleep(for: .milliseconds(100))
        }
        for client in clients {
            let text = await client.receive(until: "Note/p10\"")
            let heard = text.matches(of: /"inserted":\["(Note\/p\d+)"\]/).map { String($0.1) }
            #expect(heard == (1...10).map { "Note/p\($0)" })
            #expect(text.utf8.count < 3_000)
        }
        test.server.stop()
    }

    @Test(
        "HEAD of an answer whose length is not known leaves nothing behind in the connection",
        arguments: ["/stores/1/events", "/stores/1/export", "/stores/1/export?entities=Note&to=csv"])
    func headOfStreams(_ path: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Notes.sqlite")
        let test = try TestServer { $0.stateFolder = folder.url.appendingPathComponent("state") }
        let coordinator = try container(file)
        try await save(3, in: coordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try test.browser.open(file)
        let client = try SocketClient(test.server.port)
        // The connection is kept after one answer; what follows the HEAD is asked for before its answer is there.
        await client.send(test.head("HEAD /") + "\r\n")
        let first = await client.receive(until: "\r\n\r\n")
        #expect(first.hasPrefix("HTTP/1.1 200"))
        await client.send(test.head("HEAD \(path)") + "\r\n" + test.head("GET /") + "\r\n")
        let text = await client.rest()
        #expect(text.hasPrefix("HTTP/1.1 200"), "\(text)")
        #expect(text.hasSuffix("\r\n\r\n") && text.components(separatedBy: "\r\n\r\n").count == 2, "\(text)")
        #expect(!text.lowercased().contains("transfer-encoding"))
        let settled = try await test.settle()
        #expect(settled)
        let whole = try await test.ask("GET \(path)".replacing("events", with: "export"))
        #expect(whole.hasPrefix("HTTP/1.1 200") && whole.contains("Note/p1"), "\(whole)")
        withExtendedLifetime(folder) {}
    }

    @Test("The stream of a client that goes away ends")
    func clientGone() async throws {
        let (test, coordinator) = (try TestServer(), try container())
        test.browser.show(coordinator, name: "Notes")
        var client: SocketClient? = try SocketClient(test.server.port)
        await client?.send(test.head("GET /stores/1/events") + "\r\n")
        _ = await client?.receive(until: ":\n\n")
        #expect(test.server.requests == 1)
        client = nil
        let settled = try await test.settle()
        #expect(settled)
    }

    @Test(
        "a stream begins with what was saved after the state that its reader knows, or empty for an unknown state (BRW-37)"
    )
    func savedBeforeTheStream() async throws {
        let (browser, coordinator) = (Browser(), try container())
        browser.show(coordinator, name: "Notes")
        func state() async throws -> String {
            let answer = await browser.respond(to: BrowserRequest(target: "/stores/1", user: BrowserUser(name: "eva")))
            let json = try JSONSerialization.jsonObject(with: Data(try await answer.body.bytes(limit: 1 << 20)))
            return try #require((json as? [String: Any])?["state"] as? String)
        }
        func first(since state: String) async throws -> String {
            let stream = await browser.respond(
                to: BrowserRequest(target: "/stores/1/events?state=\(state)", user: BrowserUser(name: "eva")))
            try await save(in: coordinator)
            var text = ""
            while !text.contains("data:"), let piece = try await stream.body.next() {
                text += String(decoding: piece, as: UTF8.self)
            }
            return text
        }
        let before = try await state()
        let unmissed = try await first(since: before)
        #expect(unmissed.contains("Note/p1") && !unmissed.contains("many"))
        let missed = try await first(since: before)
        #expect(missed.contains("\"many\":true"))
    }

    @Test("The work for clients that go away before they are answered ends")
    func goneBeforeTheAnswer() async throws {
        let (test, coordinator) = (try TestServer(), try container())
        test.browser.show(coordinator, name: "Notes")
        try await save(2_000, in: coordinator)
        for _ in 0..<100 {
            // Unsynchronised with the task that answers, so clients go at every stage of it.
            let client = try SocketClient(test.server.port)
            await client.send(test.head("GET /stores/1/entities/Note?sort=text&limit=1000") + "\r\n")
        }
        let settled = try await test.settle()
        #expect(settled)
        let answer = try await test.ask("GET /stores/1/entities/Note?limit=1")
        #expect(answer.hasPrefix("HTTP/1.1 200"))
    }

    @Test("A stream without a reader keeps few events, and reports that there were more")
    func slowReader() async throws {
        let (browser, coordinator) = (Browser(), try container())
        browser.show(coordinator, name: "Notes")
        let stream = await browser.respond(
            to: BrowserRequest(target: "/stores/1/events", user: BrowserUser(name: "eva")))
        for _ in 0..<100 { try await save(in: coordinator) }
        var text = ""
        while !text.contains("p100\""), let piece = try await stream.body.next() {
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.contains("\"many\":true"))
        #expect(text.components(separatedBy: "data:").count < 70)
    }
}
