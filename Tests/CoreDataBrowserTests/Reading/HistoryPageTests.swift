import CoreData
import CoreDataBrowser
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

@Suite("The history on the page")
struct HistoryPageTests {
    private let heroes: SavedHeroes
    private let tab: EditingTab

    init() throws {
        heroes = try SavedHeroes(
            .sqlite, options: [NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true])
        tab = EditingTab(heroes.stack)
    }

    private func rename(_ hero: String, _ name: String, by user: String = "eva") async throws {
        var tab = tab
        tab.user = user
        try await tab.stage(
            "{\"do\": \"set\", \"object\": \"\(heroes[hero])\", \"key\": \"name\", \"value\": \"\(name)\"}")
        try await tab.save()
    }

    private func newest() async throws -> Int {
        try #require(try await tab.ask("GET", "history?limit=1")["transactions"][0]["id"].number)
    }

    @Test("a save has an address, with old and new values and what the model keeps of what was deleted (BRW-38)")
    func saveHasAddressWithOldAndNewValuesAndWhatModelKeeps() async throws {
        try await rename("Alpha", "Anna")
        let number = try await newest()
        let save = try await tab.ask("GET", "history/\(number)")
        #expect(save["id"].number == number && save["author"].text == "eva")
        let change = save["changes"][0]
        #expect(change["type"].text == "update" && change["objectID"].text == heroes["Alpha"])
        #expect(change["values"]["name"]["old"].text == "Alpha" && change["values"]["name"]["new"].text == "Anna")
        try await tab.ask("GET", "history/999", status: 404)
        try await tab.ask("GET", "history/first", status: 404)
        let reverted = try await tab.ask("POST", "revert", "{\"transaction\": \(number)}")
        #expect(reverted["changes"].list.count == 1)
    }

    @Test("saves of an author, those that changed one object, and how many there were when (BRW-38)")
    func savesOfAuthorThoseThatChangedOneObject() async throws {
        try await rename("Alpha", "Anna")
        try await rename("Bolt", "Ben", by: "adam")
        let mine = try await tab.ask("GET", "history?author=adam")["transactions"]
        #expect(mine.list.count == 1 && mine[0]["changes"][0]["objectID"].text == heroes["Bolt"])
        let alpha = try await tab.ask("GET", "history?object=\(heroes["Alpha"])")["transactions"]
        #expect(alpha.list.count == 2 && alpha.list.allSatisfy { $0["changes"].list.count == 1 })
        #expect(alpha[1]["changes"][0]["updatedProperties"].texts == ["name"])
        try await tab.ask("GET", "history?object=Nothing/p1", status: 404)
        try await tab.ask("GET", "history?object=Hero", status: 404)
        let timeline = try await tab.ask("GET", "history/timeline")
        let counts = timeline["authors"].list.map { ($0["author"].text, $0["transactions"].number) }
        #expect(counts.contains { $0.0 == "eva" && $0.1 == 1 } && counts.contains { $0.0 == "adam" && $0.1 == 1 })
        #expect(timeline["authors"][0]["counts"].list.count == 60 && timeline["complete"].flag == true)
    }

    @Test("several saves are compared as one: what came back to its value is left out, what came and went too (BRW-38)")
    func severalSavesAreCompared() async throws {
        let first = try await newest()
        try await rename("Alpha", "Anna")
        try await rename("Alpha", "Alpha")
        try await rename("Bolt", "Ben")
        try await rename("Bolt", "Benno")
        try await tab.stage("{\"do\": \"delete\", \"object\": \"\(heroes["Echo"])\"}")
        try await tab.save()
        let last = try await newest()
        let span = try await tab.ask("GET", "history/span?from=\(first)&to=\(last)")
        #expect(span["objects"].list.count == 2, "\(span)")
        let bolt = span["objects"].first("objectID", heroes["Bolt"])
        #expect(bolt["values"]["name"]["old"].text == "Bolt" && bolt["values"]["name"]["new"].text == "Benno")
        #expect(span["objects"].first("objectID", heroes["Echo"])["type"].text == "delete")
        try await tab.ask("GET", "history/span?from=\(last)&to=\(first)", status: 422)
        try await tab.ask("GET", "history/span?from=x", status: 400)
    }

    @Test("the command prints the same span and timeline (BRW-38, BRW-51)")
    func commandPrintsSameSpanAndTimeline() async throws {
        let first = try await newest()
        try await rename("Alpha", "Anna")
        let last = try await newest()
        let store = try OpenStore(at: heroes.stack.url, model: nil, for: .readingTransaction)
        defer { store.close() }
        let (changes, isComplete) = try store.store.netChanges(after: Int64(first), through: Int64(last))
        let json = JSONWriter.line(.array(changes.map { $0.json() }))
        let page = try await tab.ask("GET", "history/span?from=\(first)&to=\(last)")["objects"]
        let printed = Reply(try JSONSerialization.jsonObject(with: Data(json.utf8)))
        #expect(isComplete && printed.sorted == page.sorted)
        let timeline = JSONWriter.line(try HistoryTimeline(HistoryFilter(), of: store.store).json)
        let asked = try await tab.ask("GET", "history/timeline")
        let told = Reply(try JSONSerialization.jsonObject(with: Data(timeline.utf8)))
        #expect(told.sorted == asked.sorted)
    }

    @Test(
        "a save says whether it can be taken back, and a history that keeps what is written over can be begun (BRW-23)")
    func saveSaysWhetherItCanBeTakenBack() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Plain.sqlite")
        let stack = try Stack(SuperDB.model(), url: file)
        SuperDB.fill(stack.context)
        try stack.context.save()
        let hero = try #require(try stack.context.all("Hero").first?.objectID.shortText)
        try stack.coordinator.remove(stack.store)
        let browser = EditingTab.browser(beside: file)
        try browser.open(file)
        let tab = EditingTab(browser)
        try await tab.ask("POST", "history", "{}", status: 409)
        try await tab.ask("POST", "writing", "{\"on\": true}")
        for path in ["history", "history/timeline"] {
            let none = try await tab.ask("GET", path)
            #expect(none[path == "history" ? "transactions" : "authors"].list.isEmpty, "\(path)")
            #expect(none["reason"].text?.contains("history") == true, "\(path)")
        }
        let step = "{\"do\": \"set\", \"object\": \"\(hero)\", \"key\": \"name\", \"value\": \"Anna\"}"
        try await tab.stage(step)
        try await tab.ask("POST", "history", "{}", status: 204)
        // What was staged is staged still.
        #expect(try await tab.edits()["count"].number == 1)
        try await tab.save()
        let history = try await tab.ask("GET", "history")
        #expect(history["keepsOldValues"].flag == true)
        let save = try #require(history["transactions"].list.last)
        #expect(save["revertible"].flag == true && save["changes"][0]["objectID"].text == hero)
        let reverted = try await tab.ask("POST", "revert", "{\"transaction\": \(save["id"].number ?? 0)}")
        #expect(reverted["count"].number == 1)
    }

    @Test("a save that kept no former values cannot be taken back, and says so (BRW-23)")
    func notRevertible() async throws {
        let plain = try SavedHeroes(.sqlite, options: [NSPersistentHistoryTrackingKey: true])
        let tab = EditingTab(plain.stack)
        try await tab.stage(
            "{\"do\": \"set\", \"object\": \"\(plain["Alpha"])\", \"key\": \"name\", \"value\": \"Anna\"}")
        try await tab.save()
        let history = try await tab.ask("GET", "history")
        #expect(history["keepsOldValues"].flag == false)
        #expect(history["transactions"].list.allSatisfy { $0["revertible"].flag == false })
        let number = history["transactions"].list.last?["id"].number ?? 0
        try await tab.ask("POST", "revert", "{\"transaction\": \(number)}", status: 422)
    }
}
