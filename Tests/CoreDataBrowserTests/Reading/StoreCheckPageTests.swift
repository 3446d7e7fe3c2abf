import CoreData
import CoreDataBrowser
import CoreDataRepair
import CoreDataWorkbench
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("The check of a store, on the page")
struct StoreCheckPageTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("Heroes.sqlite")
        let stack = try Stack(SuperDB.model(), url: file)
        SuperDB.fill(stack.context)
        try stack.context.save()
        for hero in try stack.context.all("Hero") { stack.context.insert("Power", ["name": "Flight", "hero": hero]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    /// Two powers lead to heroes that are not there.
    private func damage() throws {
        let connection = try Connection.open(file.path)
        try connection.execute("UPDATE ZPOWER SET ZHERO = 999 WHERE Z_PK <= 2")
        connection.close()
    }

    private func tab(isWriting: Bool = false, rules: BrowserRules = .everything) throws -> EditingTab {
        let browser = EditingTab.browser(beside: file, rules: rules)
        try browser.open(file, isWriting: isWriting)
        return EditingTab(browser)
    }

    @Test("the page's findings are those that 'coredata check' prints, and looking changes nothing (BRW-49, BRW-51)")
    func pagesFindingsAreThoseThatCoredataCheckPrints() async throws {
        let sound = try await tab().ask("GET", "check")
        #expect(sound["sound"].flag == true && sound["count"].number == 0)
        try damage()
        let before = try Data(contentsOf: file)
        let response = try await Browser(of: file).respond(
            to: BrowserRequest(target: "/stores/1/check", user: BrowserUser(name: "eva")))
        let text = String(decoding: try await response.body.bytes(limit: 1 << 20), as: UTF8.self)
        #expect(text == JSONWriter.lines(try StoreCheck(file).run().json) + "\n")
        let found = try await tab().ask("GET", "check?limit=1")
        #expect(found["count"].number == 2 && found["findings"].list.count == 1 && found["repairable"].number == 2)
        #expect(found["findings"][0]["object"].text == "Power/p1")
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("a repair leaves a backup, and the list goes on with the repaired store (BRW-49)")
    func repairLeavesBackupAndListGoesOnWithRepairedStore() async throws {
        try damage()
        let tab = try tab()
        try await tab.ask("POST", "repair", "{}", status: 409)
        try await tab.ask("POST", "writing", "{\"on\": true}")
        try await tab.stage("{\"do\": \"set\", \"object\": \"Hero/p1\", \"key\": \"name\", \"value\": \"Zeta\"}")
        let refused = try await tab.ask("POST", "repair", "{}", status: 409)
        #expect(refused["error"]["code"].text == "staged")
        try await tab.ask("POST", "edits/discard")
        let repair = try await tab.ask("POST", "repair", "{}")
        #expect(repair["repaired"].number == 2 && repair["check"]["sound"].flag == true)
        let backup = try #require(repair["backup"].text)
        #expect(try StoreCheck(URL(fileURLWithPath: backup)).run().findings.count == 2)
        let rows = try await tab.ask("GET", "entities/Power?keys=hero")["rows"]
        #expect(rows.list.count == 5 && rows[0]["links"]["hero"].isNull && !rows[4]["links"]["hero"].isNull)
        #expect(try await tab.ask("GET", "check")["sound"].flag == true)
        // Nothing is left to do, and no second backup is made.
        #expect(try await tab.ask("POST", "repair", "{}")["repaired"].number == 0)
    }

    @Test("who may not read or change everything may not check or repair (BRW-49, BRW-53)")
    func whoMayNotReadOrChangeEverythingMayNotCheckOrRepair() async throws {
        try damage()
        let reader = try tab(isWriting: true, rules: BrowserRules { _, action, _, _ in action == .read })
        #expect(try await reader.ask("GET", "check")["count"].number == 2)
        try await reader.ask("POST", "repair", "{}", status: 403)
        let clerk = try tab(isWriting: true, rules: BrowserRules { _, _, entity, _ in entity != "Power" })
        try await clerk.ask("GET", "check", status: 403)
        try await clerk.ask("POST", "repair", "{}", status: 403)
        #expect(try StoreCheck(file).run().findings.count == 2)
    }

    @Test("a check ends when its task is cancelled, and its cut part is not a finding (BRW-49)")
    func checkEndsWhenItsTaskIsCancelled() async throws {
        let browser = try tab().browser
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await browser.respond(
                to: BrowserRequest(target: "/stores/1/check", user: BrowserUser(name: "eva"))
            ).status
        }
        #expect(await task.value == 499)
    }
}

extension Browser {
    fileprivate convenience init(of file: URL) throws {
        var options = BrowserOptions()
        options.stateFolder = file.deletingLastPathComponent().appendingPathComponent("state")
        self.init(options: options)
        try open(file)
    }
}
