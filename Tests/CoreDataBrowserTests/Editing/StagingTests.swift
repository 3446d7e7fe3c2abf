import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Edits that a tab stages")
struct StagingTests {
    @Test(
        "what is staged is shown with its former value, and in the store once it is saved (BRW-20)",
        arguments: StoreKind.all)
    func setAndSave(_ kind: StoreKind) async throws {
        let heroes = try SavedHeroes(kind)
        let tab = EditingTab(heroes.stack)
        let alpha = heroes["Alpha"]
        let staged = try await tab.stage(
            #"{"do": "set", "object": "\#(alpha)", "key": "secretIdentity", "value": "Nobody"}"#)
        let change = staged["changes"][0]
        #expect(change["object"].text == alpha && change["kind"].text == "updated" && change["label"].text == "Alpha")
        #expect(change["properties"][0]["old"].text == "Ann Archer")
        #expect(change["properties"][0]["new"].text == "Nobody")
        #expect(staged["canUndo"].flag == true && staged["canRedo"].flag == false)
        let before = try heroes.stored("Alpha", "secretIdentity") as? String
        #expect(before == "Ann Archer")
        let saved = try await tab.save()
        #expect(saved["saved"]["updated"].texts == [alpha])
        let after = try heroes.stored("Alpha", "secretIdentity") as? String
        #expect(after == "Nobody")
        let empty = try await tab.edits()
        #expect(empty["count"].number == 0 && empty["canUndo"].flag == false)
    }

    @Test("an inserted object has a name of the tab, and a saved one afterwards (BRW-32, BRW-25)")
    func insertAndLink() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let staged = try await tab.stage(
            #"{"do": "insert", "entity": "Power", "values": {"name": "Flight", "source": "wings"}}"#,
            #"{"do": "add", "object": "\#(heroes["Bolt"])", "key": "powers", "member": "@0"}"#,
            #"{"do": "insert", "entity": "Power", "values": {"name": "Fire", "hero": "\#(heroes["Bolt"])"}}"#)
        #expect(staged["created"].texts == ["Power/t1", "Power/t2"])
        let bolt = staged["changes"].first("object", heroes["Bolt"])
        #expect(bolt["properties"].first("key", "powers")["new"].texts == ["Power/t1", "Power/t2"])
        let more = try await tab.stage(#"{"do": "set", "object": "Power/t1", "key": "source", "value": null}"#)
        let power = more["changes"].first("object", "Power/t1")
        #expect(power["properties"].first("key", "hero")["new"].text == heroes["Bolt"])
        #expect(power["properties"].first("key", "source").isNull)
        let saved = try await tab.save()
        #expect(saved["saved"]["inserted"].keys == ["Power/t1", "Power/t2"])
        let name = try #require(saved["saved"]["inserted"]["Power/t1"].text)
        #expect(name.hasPrefix("Power/p"))
        let context = heroes.stack.newContext()
        let powers = try context.all("Power", sortedBy: "name").map { $0.value(forKeyPath: "hero.name") as? String }
        #expect(powers == ["Bolt", "Bolt"])
        try await tab.stage(#"{"do": "set", "object": "Power/t1", "key": "name", "value": "x"}"#, status: 422)
    }

    @Test("undo and redo go back and forth by calls, under their names (BRW-22)")
    func undoAndRedoGoBackAndForthByCalls() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let alpha = heroes["Alpha"]
        try await tab.ask(
            "POST", "edits",
            #"{"name": "Rename", "steps": [{"do": "set", "object": "\#(alpha)", "key": "name", "value": "A"}, "#
                + #"{"do": "set", "object": "\#(alpha)", "key": "sex", "value": "x"}]}"#)
        try await tab.stage(#"{"do": "insert", "entity": "Power", "values": {"hero": "\#(alpha)"}}"#)
        let deleted = try await tab.stage(#"{"do": "delete", "object": "\#(alpha)"}"#)
        #expect(deleted["changes"].list.map { $0["kind"].text } == ["deleted"])
        let undone = try await tab.ask("POST", "edits/undo")
        #expect(undone["count"].number == 2 && undone["redoName"].text == "Deletion")
        #expect(undone["changes"].first("object", "Power/t1")["kind"].text == "inserted")
        try await tab.ask("POST", "edits/undo")
        let first = try await tab.ask("POST", "edits/undo")
        #expect(first["count"].number == 0 && first["redoName"].text == "Rename" && first["canUndo"].flag == false)
        try await tab.ask("POST", "edits/undo", status: 409)
        try await tab.ask("POST", "edits/redo")
        let redone = try await tab.ask("POST", "edits/redo")
        #expect(redone["changes"].first("object", "Power/t1")["properties"].first("key", "hero")["new"].text == alpha)
        try await tab.stage(#"{"do": "set", "object": "Power/t1", "key": "name", "value": "Again"}"#)
        try await tab.save()
        let context = heroes.stack.newContext()
        let powers = try context.all("Power").map { $0.value(forKey: "name") as? String }
        #expect(powers == ["Again"])
    }

    @Test("a bad step stages nothing of its call, and what could be redone still can (BRW-20)")
    func allOrNothing() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let alpha = heroes["Alpha"]
        try await tab.stage(#"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "A"}"#)
        try await tab.ask("POST", "edits/undo")
        let failed = try await tab.stage(
            #"{"do": "insert", "entity": "Power"}"#, #"{"do": "delete", "object": "\#(heroes["Bolt"])"}"#,
            #"{"do": "set", "object": "\#(alpha)", "key": "birthDate", "value": "yesterday"}"#, status: 422)
        #expect(failed["error"]["object"].text == alpha && failed["error"]["key"].text == "birthDate")
        #expect(failed["error"]["step"].number == 2)
        let edits = try await tab.edits()
        #expect(edits["count"].number == 0 && edits["canRedo"].flag == true && edits["canUndo"].flag == false)
        let redone = try await tab.ask("POST", "edits/redo")
        #expect(redone["count"].number == 1)
        let inserted = try await tab.stage(#"{"do": "insert", "entity": "Power"}"#)
        #expect(inserted["created"].texts == ["Power/t1"])
    }

    @Test("a refused call leaves what could be undone and redone, whatever its steps did before (BRW-20, BRW-22)")
    func refusedCallLeavesUndoAndRedo() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let (alpha, bolt) = (heroes["Alpha"], heroes["Bolt"])
        try await tab.stage(#"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "A"}"#)
        try await tab.stage(#"{"do": "insert", "entity": "Power", "values": {"hero": "\#(bolt)"}}"#)
        let full = try await tab.edits()
        try await tab.ask("POST", "edits/undo")
        let before = try await tab.edits()
        for last in [#"{"do": "delete", "object": "Hero/p77"}"#, #"{"do": "insert", "entity": "Nothing"}"#] {
            try await tab.stage(
                #"{"do": "insert", "entity": "Hero", "values": {"name": "Z"}}"#,
                #"{"do": "duplicate", "object": "\#(alpha)", "deep": true}"#,
                #"{"do": "set", "object": "\#(alpha)", "key": "sex", "value": "x"}"#,
                #"{"do": "delete", "object": "\#(bolt)"}"#, last, status: 422)
            let after = try await tab.edits()
            #expect(after.sorted == before.sorted)
        }
        let redone = try await tab.ask("POST", "edits/redo")
        #expect(redone["changes"].sorted == full["changes"].sorted && redone["canRedo"].flag == false)
        try await tab.ask("POST", "edits/undo")
        let empty = try await tab.ask("POST", "edits/undo")
        #expect(empty["count"].number == 0 && empty["canUndo"].flag == false)
        let saved = try await tab.save()
        #expect(saved["saved"]["updated"].list.isEmpty && saved["saved"]["deleted"].list.isEmpty)
    }

    @Test("discarding leaves nothing, also nothing to undo (BRW-20)")
    func discardingLeavesNothingAlsoNothingToUndo() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        try await tab.stage(
            #"{"do": "insert", "entity": "Power", "values": {"hero": "\#(heroes["Echo"])"}}"#,
            #"{"do": "delete", "object": "\#(heroes["Dusk"])"}"#)
        let discarded = try await tab.ask("POST", "edits/discard")
        #expect(discarded["count"].number == 0 && discarded["canUndo"].flag == false)
        try await tab.save()
        let context = heroes.stack.newContext()
        let counts = try (context.all("Hero").count, context.all("Power").count)
        #expect(counts == (5, 0))
    }

    @Test(
        "malformed steps are refused with 422 and stage nothing (HAZ-62)",
        arguments: [
            #"{"do": "destroy"}"#, #"{"do": "set", "object": 3, "key": "name", "value": 1}"#, #"{}"#, #"7"#,
            #"{"do": "set", "object": "Hero/p1", "key": "name"}"#,
            #"{"do": "set", "object": "Hero/p1", "key": "nam", "value": "x"}"#,
            #"{"do": "set", "object": "Hero/p1", "key": "name", "value": 7}"#,
            #"{"do": "set", "object": "Hero/p1", "key": "olderHeroes", "value": []}"#,
            #"{"do": "set", "object": "Hero/p99999999999999999999", "key": "name", "value": "x"}"#,
            #"{"do": "set", "object": "Hero/p-1", "key": "name", "value": "x"}"#,
            #"{"do": "set", "object": "../p1", "key": "name", "value": "x"}"#,
            #"{"do": "set", "object": "x-coredata://other/Hero/p1", "key": "name", "value": "x"}"#,
            #"{"do": "set", "object": "@0", "key": "name", "value": "x"}"#,
            #"{"do": "set", "object": "@-1", "key": "name", "value": "x"}"#,
            #"{"do": "insert", "entity": "Nothing"}"#,
            #"{"do": "insert", "entity": "Power", "values": {"hero": "Power/p1"}}"#,
            #"{"do": "add", "object": "Hero/p1", "key": "name", "member": "Hero/p2"}"#,
            #"{"do": "add", "object": "Hero/p1", "key": "powers", "member": "Hero/p2"}"#,
            #"{"do": "move", "object": "Hero/p1", "key": "powers", "from": 0, "to": 0}"#,
            #"{"do": "delete", "object": "Hero/p77"}"#,
        ])
    func malformedStepsAreRefused(_ step: String) async throws {
        let tab = EditingTab(try SavedHeroes().stack)
        let answer = try await tab.stage(step, status: 422)
        #expect(answer["error"]["reason"].text?.isEmpty == false)
        let edits = try await tab.edits()
        #expect(edits["count"].number == 0)
    }

    @Test("members of an ordered relationship are moved, added in a place and removed (BRW-27)")
    func membersOfOrderedRelationshipAreMoved() async throws {
        let stack = try Stack(CompanyModel.make())
        let department = stack.context.insert("Department", ["name": "D"])
        let tasks = (0..<4).map { stack.context.insert("Task", ["name": "T\($0)"]) }
        department.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
        try stack.context.save()
        let names = tasks.map(\.objectID.shortText)
        let tab = EditingTab(stack)
        let object = department.objectID.shortText
        let moved = try await tab.stage(
            #"{"do": "move", "object": "\#(object)", "key": "tasks", "from": 3, "to": 0}"#,
            #"{"do": "remove", "object": "\#(object)", "key": "tasks", "member": ["\#(names[1])"]}"#,
            #"{"do": "add", "object": "\#(object)", "key": "tasks", "member": "\#(names[1])", "at": 1}"#)
        let order = moved["changes"].first("object", object)["properties"].first("key", "tasks")
        #expect(order["new"].texts == [names[3], names[1], names[0], names[2]])
        #expect(order["old"].texts == names)
        try await tab.stage(
            #"{"do": "move", "object": "\#(object)", "key": "tasks", "from": 4, "to": 0}"#, status: 422)
        try await tab.save()
        let context = stack.newContext()
        let saved = try context.all("Department")[0].value(forKey: "tasks") as? NSOrderedSet
        let found = saved?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        #expect(found == ["T3", "T1", "T0", "T2"])
    }

    @Test("a store that is open for reading takes no edits (BRW-04)")
    func readOnly() async throws {
        let heroes = try SavedHeroes()
        let browser = EditingTab.browser(beside: heroes.stack.url)
        try browser.open(heroes.stack.url)
        let tab = EditingTab(browser)
        let answer = try await tab.ask("GET", "edits", status: 409)
        #expect(answer["error"]["code"].text == "readOnly")
        try await tab.stage(#"{"do": "insert", "entity": "Power"}"#, status: 409)
    }
}
