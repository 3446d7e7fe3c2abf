import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import Testing

@Suite("Files of stores that change while they are shown")
struct FileProblemTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("Notes.store")
    }

    private static var model: NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Note", ["title": .stringAttributeType])
        return builder.model
    }

    private func make(_ kind: StoreKind, at url: URL, _ titles: [String]) throws {
        let stack = try Stack(Self.model, url: url, kind: kind)
        for title in titles { stack.context.insert("Note", ["title": title]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    private func browser(_ file: URL) throws -> BrowserAnswers {
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        let browser = Browser(options: options)
        try browser.open(file)
        return BrowserAnswers(browser)
    }

    private func reopen(_ answers: BrowserAnswers) async throws -> (Int, Answer) {
        let answer = await answers.browser.respond(
            to: BrowserRequest(
                method: "POST", target: answers.browser.named("/stores/1/reopen"), user: BrowserUser(name: "eva")))
        let bytes = try await answer.body.bytes(limit: 1 << 20)
        return (answer.status, Answer(try JSONSerialization.jsonObject(with: Data(bytes))))
    }

    @Test("what happened to a file is said by name, with its path, and where it can be opened again (BRW-01)")
    func whatHappenedToFileIsSaidByName() async throws {
        try make(.sqlite, at: file, ["A"])
        let answers = try browser(file)
        let list = "/stores/1/entities/Note"
        #expect(try await answers.json(list)["rows"].list.count == 1)
        let away = folder.url.appendingPathComponent("Away.store")
        try FileManager.default.moveItem(at: file, to: away)
        let reply = try await answers.json(list, status: 503)["error"]
        #expect(
            reply["code"].text == "fileDeleted" && reply["store"].text == answers.browser.core.shown[0].id
                && reply["path"].text == file.path)
        #expect(reply["reopens"].flag == true)
        let stores = try await answers.json("/")["stores"]
        #expect(stores[0]["problems"][0].text?.contains("was deleted or moved") == true)
        let refused = try await reopen(answers)
        #expect(refused.0 == 503 && refused.1["error"]["code"].text == "fileDeleted")
        try make(.sqlite, at: file, ["B", "C"])
        #expect(try await answers.json(list, status: 503)["error"]["code"].text == "fileReplaced")
        #expect(try await reopen(answers).0 == 200)
        #expect(try await answers.json(list)["rows"].list.count == 2)
        #expect(try await answers.json("/")["stores"][0]["problems"].list.isEmpty)
    }

    @Test("a store that cannot be opened again says so until it can be, and holds no other back (BRW-01)")
    func storeThatCannotBeOpenedAgainSays() async throws {
        try make(.sqlite, at: file, ["A"])
        let answers = try browser(file)
        let other = folder.url.appendingPathComponent("Other.store")
        try make(.sqlite, at: other, ["B"])
        try answers.browser.open(other)
        try FileManager.default.removeItem(at: file)
        try Data(repeating: 0x2E, count: 10_000).write(to: file)
        let refused = try await reopen(answers)
        #expect(refused.0 == 503 && refused.1["error"]["code"].text == "fileDamaged")
        let reply = try await answers.json("/stores/1/entities/Note", status: 503)["error"]
        #expect(reply["code"].text == "fileDamaged" && reply["reason"].text?.contains("not an SQLite database") == true)
        #expect(try await answers.json("/stores/2/entities/Note")["rows"].list.count == 1)
        try FileManager.default.removeItem(at: file)
        try make(.sqlite, at: file, ["C", "D"])
        #expect(try await reopen(answers).0 == 200)
        #expect(try await answers.json("/stores/1/entities/Note")["rows"].list.count == 2)
    }

    @Test("a store of one file that is saved as a new file is still the same store (BRW-03)")
    func storeOfOneFileThatIsSavedAsNewFileIsStillSameStore() async throws {
        var project = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { project.deleteLastPathComponent() }
        let package = project.appendingPathComponent("Examples/SuperDB/Sources/Model/SuperDB.xcdatamodeld")
        let model = try #require(NSManagedObjectModel(contentsOf: package))
        func make() throws {
            let stack = try Stack(model, url: file, kind: .xml)
            stack.context.insert("Hero", ["name": "A", "secretIdentity": "B"])
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
        }
        try make()
        let browser = Browser()
        try browser.open(file, model: package)
        let answers = BrowserAnswers(browser)
        try FileManager.default.removeItem(at: file)
        try make()
        #expect(try await answers.json("/stores/1/entities/Hero")["rows"].list.count == 1)
        try FileManager.default.removeItem(at: file)
        #expect(try await answers.json("/stores/1/entities/Hero", status: 503)["error"]["code"].text == "fileDeleted")
    }

    @Test("what becomes of a host's file is the host's affair (BRW-53)")
    func whatBecomesOfHostsFileIsHostsAffair() async throws {
        try make(.sqlite, at: file, ["A"])
        let stack = try Stack(Self.model, url: file)
        let answers = BrowserAnswers(stack)
        try FileManager.default.removeItem(at: file)
        #expect(try await answers.json("/stores/1/entities/Note")["rows"].list.count == 1)
        #expect(try await reopen(answers).0 == 403)
    }
}
