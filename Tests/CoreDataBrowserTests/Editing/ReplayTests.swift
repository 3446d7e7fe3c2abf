import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Edits that outlive the program")
struct ReplayTests {
    /// A tab of the same name in a browser that begins anew, as after `kill -9`.
    private func restarted(_ heroes: SavedHeroes) -> EditingTab { EditingTab(heroes.stack) }

    @Test(
        "what a killed program had staged is staged again, with names, undo and redo (BRW-20)", arguments: StoreKind.all
    )
    func whatKilledProgramHadStagedIsStagedAgain(_ kind: StoreKind) async throws {
        let heroes = try SavedHeroes(kind)
        let tab = EditingTab(heroes.stack)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        try await tab.stage(#"{"do": "insert", "entity": "Power", "values": {"hero": "\#(heroes["Bolt"])"}}"#)
        try await tab.ask("POST", "edits/undo")
        try await tab.stage(#"{"do": "insert", "entity": "Power", "values": {"name": "Second"}}"#)
        try await tab.stage(#"{"do": "set", "object": "Power/t2", "key": "source", "value": "x"}"#)
        try await tab.stage(#"{"do": "delete", "object": "\#(heroes["Dusk"])"}"#)
        try await tab.ask("POST", "bulk", #"{"objects": ["\#(heroes["Echo"])"], "set": {"sex": "e"}}"#)
        try await tab.ask("POST", "edits/undo")
        let before = try await tab.edits()
        let again = restarted(heroes)
        let after = try await again.edits()
        #expect(after.without("version").sorted == before.without("version").sorted)
        #expect(after["count"].number == 3 && after["canRedo"].flag == true && after["lost"].list.isEmpty)
        try await again.ask("POST", "edits/redo")
        for _ in 0..<5 { try await again.ask("POST", "edits/undo") }
        let empty = try await again.edits()
        #expect(empty["count"].number == 0 && empty["canUndo"].flag == false)
        for _ in 0..<5 { try await again.ask("POST", "edits/redo") }
        try await again.save()
        let saved = try await restarted(heroes).edits()
        #expect(saved["count"].number == 0)
        let context = heroes.stack.newContext()
        let names = try context.all("Hero", sortedBy: "name").compactMap { $0.value(forKey: "name") as? String }
        #expect(names == ["A", "Bolt", "Cinder", "Echo"])
    }

    @Test("a call that changes nothing leaves what was undone to be redone, also after restarts (BRW-20)")
    func callWithoutChangeKeepsRedo() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        try await tab.ask("POST", "edits/undo")
        let same = #"{"do": "set", "object": "\#(heroes["Bolt"])", "key": "name", "value": "Bolt"}"#
        #expect(try await tab.stage(same)["canRedo"].flag == true)
        let again = restarted(heroes)
        #expect(try await again.edits()["canRedo"].flag == true)
        let redone = try await again.ask("POST", "edits/redo")
        #expect(redone["changes"].list.map { $0["object"].text } == [heroes["Alpha"]])
        let further = try await restarted(heroes).edits()
        #expect(further["changes"].list.map { $0["object"].text } == [heroes["Alpha"]])
        // A call that changes something ends what can be redone, after a restart as before it.
        try await again.ask("POST", "edits/undo")
        try await again.stage(same.replacing("\"Bolt\"}", with: "\"B\"}"))
        #expect(try await restarted(heroes).edits()["canRedo"].flag == false)
    }

    @Test("steps that cannot be staged again since the store changed are reported, and the rest is staged (BRW-20)")
    func changedMeanwhile() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Bolt"])", "key": "name", "value": "B"}"#)
        let context = heroes.stack.newContext()
        for hero in try context.all("Hero", NSPredicate(format: "name == 'Alpha'")) { context.delete(hero) }
        try context.save()
        let again = restarted(heroes)
        let edits = try await again.edits()
        #expect(edits["changes"].list.map { $0["object"].text } == [heroes["Bolt"]])
        #expect(edits["lost"].list.count == 1 && edits["lost"][0]["object"].text == heroes["Alpha"])
        #expect(edits["lost"][0]["reason"].text?.isEmpty == false)
        let undone = try await again.ask("POST", "edits/undo")
        #expect(undone["count"].number == 0 && undone["canUndo"].flag == false)
        let discarded = try await again.ask("POST", "edits/discard")
        #expect(discarded["lost"].list.isEmpty)
    }

    @Test("tabs have journals of their own, and a discarded one is empty (BRW-20)")
    func tabsHaveJournalsOfTheirOwn() async throws {
        let heroes = try SavedHeroes()
        let one = EditingTab(heroes.stack)
        let other = EditingTab(one.browser, "../tab2")
        try await one.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        try await other.stage(#"{"do": "set", "object": "\#(heroes["Bolt"])", "key": "name", "value": "B"}"#)
        try await one.ask("POST", "edits/discard")
        let again = restarted(heroes)
        let first = try await again.edits()
        #expect(first["count"].number == 0)
        let second = try await EditingTab(again.browser, "../tab2").edits()
        #expect(second["changes"].list.map { $0["object"].text } == [heroes["Bolt"]])
    }
}
