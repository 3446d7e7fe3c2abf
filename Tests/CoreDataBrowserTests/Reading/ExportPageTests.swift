import CoreData
import CoreDataBrowser
import CoreDataExchange
import CoreDataWorkbench
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Objects of a store as a file", .timeLimit(.minutes(2)))
struct ExportPageTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(SuperDB.model(), url: file)
        SuperDB.fill(stack.context)
        for number in 0..<3_000 { stack.context.insert("Hero", ["name": "Extra, \"\(number)\"\n"]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    private func browser(_ rules: BrowserRules = .everything) throws -> Browser {
        let browser = EditingTab.browser(beside: file, rules: rules)
        try browser.open(file)
        return browser
    }

    private func response(_ query: String, _ browser: Browser) async -> BrowserResponse {
        await browser.respond(
            to: BrowserRequest(target: "/stores/1/export?\(query)", user: BrowserUser(name: "eva")))
    }

    private static func expected(_ file: URL, _ names: [String], csv: Bool = false, where predicate: String? = nil)
        throws
        -> [UInt8]
    {
        let export = try StoreExport(
            OpenStore(at: file, model: nil, for: .exporting), entities: names, where: predicate)
        var bytes: [UInt8] = []
        if csv {
            _ = try export.writeTables(isOneTable: true, failures: { _, _ in }, begin: { _ in }, to: { bytes += $0 })
        } else {
            _ = try export.write(as: .jsonLines, failures: { _, _ in }, to: { bytes += $0 })
        }
        return bytes
    }

    @Test("the page gives the bytes that 'coredata export' writes, in pieces (BRW-47, BRW-51)")
    func sameBytes() async throws {
        let browser = try browser()
        let all = await response("", browser)
        #expect(all.status == 200 && all.headers["Content-Disposition"] == "attachment; filename=\"export.jsonl\"")
        var (bytes, pieces) = ([UInt8](), 0)
        while let piece = try await all.body.next() {
            bytes += piece
            pieces += 1
        }
        #expect(bytes == (try Self.expected(file, [])) && pieces > 3)
        let table = await response("entities=Hero&to=csv&where=name%20BEGINSWITH%20%22Extra%22", browser)
        #expect(table.headers["Content-Disposition"] == "attachment; filename=\"Hero.csv\"")
        #expect(
            try await table.body.bytes(limit: 1 << 28)
                == Self.expected(file, ["Hero"], csv: true, where: "name BEGINSWITH \"Extra\""))
    }

    @Test("a reader that goes away ends the export, which then holds the store's log no longer (BRW-47)")
    func readerThatGoesAwayEndsExport() async throws {
        let browser = try browser()
        var bodies: [BrowserBody] = []
        for _ in 0..<5 {
            let body = await response("", browser).body
            #expect(try await body.next()?.isEmpty == false)
            bodies.append(body)
        }
        let stack = try Stack(SuperDB.model(), url: file)
        stack.context.insert("Hero", ["name": "New"])
        try stack.context.save()
        #expect(try Self.busyReaders(file))
        bodies = []
        await eventually("the readers' end") { (try? Self.busyReaders(file)) == false }
        try stack.coordinator.remove(stack.store)
    }

    /// Whether somebody reads an earlier state of the store, so that its log cannot be emptied.
    private static func busyReaders(_ file: URL) throws -> Bool {
        let connection = try Connection.open(file.path)
        defer { connection.close() }
        try connection.execute("PRAGMA busy_timeout = 0")
        return try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first?.integer == 1
    }

    @Test("readers that take their time, and statements without end, hold up no limit of time (BRW-46, BRW-47)")
    func slowReaders() async throws {
        let browser = try browser()
        var bodies: [BrowserBody] = []
        for _ in 0..<8 {
            let body = await response("", browser).body
            #expect(try await body.next()?.isEmpty == false)
            bodies.append(body)
        }
        let endless =
            "WITH%20RECURSIVE%20c(x)%20AS%20(SELECT%201%20UNION%20ALL%20SELECT%20x%2B1%20FROM%20c)%20SELECT%20max(x)%20FROM%20c"
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let request = BrowserRequest(
                        target: "/stores/1/sql?timeout=2&query=\(endless)", user: BrowserUser(name: "eva"))
                    let bytes = try? await browser.respond(to: request).body.bytes(limit: 1 << 20)
                    return String(decoding: bytes ?? [], as: UTF8.self)
                }
            }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers.count == 8)
        for answer in answers { #expect(answer.contains("\"stopped\": \"time\""), "\(answer.prefix(300))") }
        #expect(bodies.count == 8)
    }

    @Test("what cannot be exported is refused before the first byte (BRW-47)")
    func whatCannotBeExportedIsRefusedBeforeFirstByte() async throws {
        let browser = try browser()
        let wrong = [
            ("to=xml", 400), ("to=csv", 400), ("entities=Nobody", 404), ("entities=Hero&keys=nome", 422),
            ("entities=Hero&where=nome%20%3D%201", 422), ("entities=Hero&where=name%20%3D", 422),
        ]
        for (query, status) in wrong {
            #expect(await response(query, browser).status == status, "\(query)")
        }
        let clerk = try self.browser(BrowserRules { _, _, _, key in key != "secretIdentity" })
        #expect(await response("entities=Hero", clerk).status == 403)
    }
}
