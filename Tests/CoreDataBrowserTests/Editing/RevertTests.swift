import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Undo of saves in the browser")
struct RevertTests {
    private static var options: [AnyHashable: Any] {
        [NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true]
    }

    private func newest(_ stack: Stack) throws -> Int64 {
        let context = stack.newContext()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return (result?.result as? [NSPersistentHistoryTransaction])?.last?.transactionNumber ?? 0
    }

    @Test("the inverse of a save is staged as one step, and saved like other edits (BRW-23)")
    func inverseOfSaveIsStagedAsOneStep() async throws {
        let heroes = try SavedHeroes(.sqlite, options: Self.options)
        let tab = EditingTab(heroes.stack)
        try await tab.stage(
            #"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "Changed"}"#,
            #"{"do": "delete", "object": "\#(heroes["Bolt"])"}"#, #"{"do": "insert", "entity": "Power"}"#)
        try await tab.save()
        let number = try newest(heroes.stack)
        let staged = try await tab.ask("POST", "revert", #"{"transaction": \#(number)}"#)
        #expect(staged["changes"].list.map { $0["kind"].text } == ["inserted", "updated", "deleted"])
        #expect(staged["created"].list.count == 1 && staged["undoName"].text?.contains("\(number)") == true)
        let undone = try await tab.ask("POST", "edits/undo")
        #expect(undone["count"].number == 0)
        try await tab.ask("POST", "edits/redo")
        try await tab.save()
        let context = heroes.stack.newContext()
        let names = try context.all("Hero", sortedBy: "name").compactMap { $0.value(forKey: "name") as? String }
        #expect(names == SuperDB.rows.map(\.name))
        let powers = try context.all("Power").count
        #expect(powers == 0)
    }

    @Test("later saves of the same, unknown transactions and stores without a history are reported (BRW-23)")
    func laterSavesOfSame() async throws {
        let heroes = try SavedHeroes(.sqlite, options: Self.options)
        let tab = EditingTab(heroes.stack)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "One"}"#)
        try await tab.save()
        let number = try newest(heroes.stack)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "Two"}"#)
        try await tab.save()
        try await tab.ask("POST", "revert", #"{"transaction": \#(number)}"#, status: 409)
        try await tab.ask("POST", "revert", #"{"transaction": 999}"#, status: 404)
        try await tab.ask("POST", "revert", #"{"transaction": "x"}"#, status: 422)
        let edits = try await tab.edits()
        #expect(edits["count"].number == 0)
        let plain = EditingTab(try SavedHeroes().stack)
        try await plain.ask("POST", "revert", #"{"transaction": 1}"#, status: 404)
    }

    @Test("numbers that no transaction has are refused, also where a damaged journal has them (BRW-23, BRW-20)")
    func numbersBeyondBounds() async throws {
        let heroes = try SavedHeroes(.sqlite, options: Self.options)
        let tab = EditingTab(heroes.stack)
        for numbers in [#"{"transaction": 0}"#, #"{"transaction": -2}"#, #"{"transaction": "1"}"#, "{}"] {
            try await tab.ask("POST", "revert", numbers, status: 422)
        }
        try await tab.ask("POST", "revert", #"{"transaction": 9223372036854775807}"#, status: 404)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        let state = heroes.stack.url.deletingLastPathComponent().appendingPathComponent("state")
        let name = try FileManager.default.subpathsOfDirectory(atPath: state.path).first { $0.hasSuffix(".journal") }
        let file = state.appendingPathComponent(try #require(name))
        let line = #"{"revert":-2,"first":1}"# + "\n"
        try (Data(contentsOf: file) + Data(line.utf8)).write(to: file)
        let again = try await EditingTab(heroes.stack).edits()
        #expect(again["count"].number == 1 && again["lost"].list.count == 1, "\(again)")
        #expect(again["lost"][0]["code"].text == "badStep")
    }
}
