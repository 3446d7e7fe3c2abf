import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Previews of edits")
struct PreviewTests {
    /// Heroes with powers; Alpha has two.
    private func heroesWithPowers() async throws -> (SavedHeroes, EditingTab) {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        try await tab.stage(
            #"{"do": "insert", "entity": "Power", "values": {"name": "a", "hero": "\#(heroes["Alpha"])"}}"#,
            #"{"do": "insert", "entity": "Power", "values": {"name": "b", "hero": "\#(heroes["Alpha"])"}}"#,
            #"{"do": "insert", "entity": "Power", "values": {"name": "c", "hero": "\#(heroes["Bolt"])"}}"#)
        try await tab.save()
        return (heroes, tab)
    }

    @Test("a deletion's preview names what cascades and what is nullified, and stages nothing (BRW-30)")
    func deletionsPreviewNamesWhatCascadesAndWhatIsNullified() async throws {
        let (heroes, tab) = try await heroesWithPowers()
        let preview = try await tab.ask("GET", "deletion?objects=\(heroes["Alpha"])")
        #expect(preview["deleted"].list.count == 3 && preview["entities"]["Power"].number == 2)
        #expect(preview["deleted"].list.filter { $0["chosen"].flag == true }.map { $0["label"].text } == ["Alpha"])
        #expect(preview["nullified"].list.isEmpty && preview["denied"].list.isEmpty)
        let power = try #require(preview["deleted"].list.first { $0["label"].text == "a" }?["object"].text)
        let one = try await tab.ask("GET", "deletion?objects=\(power)")
        #expect(one["nullified"][0]["object"].text == heroes["Alpha"] && one["nullified"][0]["key"].text == "powers")
        let edits = try await tab.edits()
        #expect(edits["count"].number == 0)
        try await tab.ask("GET", "deletion?objects=Hero/p99", status: 404)
        try await tab.ask("GET", "deletion", status: 400)
    }

    @Test("a deletion that a rule denies is reported (BRW-30)")
    func deniedDeletionIsReported() async throws {
        let model = CompanyModel.make()
        model.entitiesByName["Department"]?.relationshipsByName["employees"]?.deleteRule = .denyDeleteRule
        let stack = try Stack(model)
        let department = stack.context.insert("Department", ["name": "D"])
        stack.context.insert("Employee", ["name": "E", "department": department])
        try stack.context.save()
        let tab = EditingTab(stack)
        let preview = try await tab.ask("GET", "deletion?objects=\(department.objectID.shortText)")
        #expect(preview["denied"][0]["key"].text == "employees" && preview["counts"]["denied"].number == 1)
    }

    @Test(
        "the review shows objects and the statements of the save, and saves nothing (BRW-21)", arguments: [false, true])
    func reviewShowsObjectsAndStatementsOfSave(_ keepsHistory: Bool) async throws {
        let heroes = try SavedHeroes(.sqlite, options: [NSPersistentHistoryTrackingKey: keepsHistory])
        let tab = EditingTab(heroes.stack)
        try await tab.stage(
            #"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "O'Neil"}"#,
            #"{"do": "insert", "entity": "Power", "values": {"name": "Flight", "hero": "\#(heroes["Alpha"])"}}"#,
            #"{"do": "delete", "object": "\#(heroes["Dusk"])"}"#)
        let before = try await tab.edits()
        for _ in 0..<2 {
            let review = try await tab.ask("GET", "edits/review")
            let sql = review["sql"].texts
            #expect(review["objects"].list.count == 3 && review["sqlProblem"].isNull)
            #expect(sql.contains { $0.hasPrefix("UPDATE ZHERO") && $0.contains("'O''Neil'") }, "\(review)")
            #expect(sql.contains { $0.hasPrefix("INSERT") && $0.contains("ZPOWER") && $0.contains("'Flight'") })
            #expect(sql.contains { $0.hasPrefix("DELETE FROM ZHERO") })
            let names = try heroes.stack.newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero"))
            #expect(names == 5)
        }
        let after = try await tab.edits()
        #expect(after.sorted == before.sorted)
        let saved = try await tab.save()
        #expect(saved["saved"]["inserted"]["Power/t1"].text == "Power/p1")
        let stored = try heroes.stored("Alpha", "name") as? String
        #expect(stored == "O'Neil")
        let xml = EditingTab(try SavedHeroes(.xml).stack)
        try await xml.stage(#"{"do": "insert", "entity": "Power"}"#)
        let none = try await xml.ask("GET", "edits/review")
        #expect(none["sql"].list.isEmpty && none["objects"].list.count == 1)
    }

    @Test("many objects are counted in a dry run, staged as one step, and saved (BRW-31)")
    func manyObjectsAreCountedInDryRun() async throws {
        let (heroes, tab) = try await heroesWithPowers()
        let body = #"{"entity": "Hero", "where": "sex == 'Male'", "set": {"sex": "M"}, "dryRun": true}"#
        let tried = try await tab.ask("POST", "bulk", body)
        #expect(tried["matched"].number == 2 && tried["changed"].number == 2 && tried["sample"].list.count == 2)
        #expect(tried["sample"][0]["properties"][0]["new"].text == "M")
        let none = try await tab.edits()
        #expect(none["count"].number == 0)
        try await tab.ask("POST", "bulk", body.replacing("true", with: "false"))
        let staged = try await tab.edits()
        #expect(staged["count"].number == 2)
        let undone = try await tab.ask("POST", "edits/undo")
        #expect(undone["count"].number == 0)
        try await tab.ask("POST", "edits/redo")
        let again = try await tab.ask("POST", "bulk", body)
        #expect(again["matched"].number == 0)
        try await tab.save()
        let stored = try heroes.stored("Bolt", "sex") as? String
        #expect(stored == "M")
        try await tab.ask("POST", "bulk", #"{"entity": "Hero", "where": "sex ==", "set": {"sex": "M"}}"#, status: 422)
        try await tab.ask("POST", "bulk", #"{"entity": "Hero", "set": {"nothing": "M"}}"#, status: 422)
        try await tab.ask("POST", "bulk", #"{"set": {"sex": "M"}}"#, status: 422)
    }

    @Test("ten thousand objects are staged together, and more are refused (BRW-31)")
    func manyObjects() async throws {
        let stack = try Stack(SuperDB.model())
        for number in 0..<10_000 { stack.context.insert("Hero", ["name": "Hero \(number)"]) }
        try stack.context.save()
        stack.context.reset()
        let tab = EditingTab(stack)
        let staged = try await tab.ask("POST", "bulk", #"{"entity": "Hero", "set": {"sex": "x"}}"#)
        #expect(staged["changed"].number == 10_000)
        try await tab.save()
        let context = stack.newContext()
        let count = try context.all("Hero", NSPredicate(format: "sex == 'x'")).count
        #expect(count == 10_000)
        stack.context.insert("Hero", ["name": "One More"])
        try stack.context.save()
        let refused = try await tab.ask("POST", "bulk", #"{"entity": "Hero", "set": {"sex": "y"}}"#, status: 422)
        #expect(refused["error"]["code"].text == "tooMany" && refused["error"]["matched"].number == 10_001)
    }

    @Test("a shallow copy leaves what is owned, a deep one copies it (BRW-32)")
    func shallowCopyLeavesWhatIsOwned() async throws {
        let (heroes, tab) = try await heroesWithPowers()
        let staged = try await tab.stage(
            #"{"do": "duplicate", "object": "\#(heroes["Alpha"])"}"#,
            #"{"do": "duplicate", "object": "\#(heroes["Alpha"])", "deep": true}"#)
        let shallow = staged["changes"].first("object", "Hero/t4")
        #expect(shallow["properties"].first("key", "name")["new"].text == "Alpha")
        #expect(shallow["properties"].first("key", "powers").isNull)
        let deep = staged["changes"].first("object", "Hero/t5")
        #expect(deep["properties"].first("key", "powers")["new"].texts == ["Power/t6", "Power/t7"])
        try await tab.save()
        let context = heroes.stack.newContext()
        let alphas = try context.all("Hero", NSPredicate(format: "name == 'Alpha'"))
        let counts = alphas.map { ($0.value(forKey: "powers") as? NSSet)?.count ?? -1 }.sorted()
        #expect(counts == [0, 2, 2])
    }

    @Test("writing is switched on, and off only when nothing is staged (BRW-04)")
    func writingIsSwitched() async throws {
        let heroes = try SavedHeroes()
        let browser = EditingTab.browser(beside: heroes.stack.url)
        try browser.open(heroes.stack.url)
        let tab = EditingTab(browser)
        try await tab.ask("GET", "edits", status: 409)
        let on = try await tab.ask("POST", "writing", #"{"on": true}"#)
        #expect(on["writing"].flag == true)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        let refused = try await tab.ask("POST", "writing", #"{"on": false}"#, status: 409)
        #expect(refused["error"]["code"].text == "staged")
        try await tab.save()
        let off = try await tab.ask("POST", "writing", #"{"on": false}"#)
        #expect(off["writing"].flag == false)
        try await tab.ask("GET", "edits", status: 409)
        let stored = try heroes.stored("Alpha", "name") as? String
        #expect(stored == "A")
    }

    @Test("rules keep users from changing, and hide what they may not read (BRW-53)")
    func rulesKeepUsersFromChanging() async throws {
        let heroes = try SavedHeroes()
        let rules = BrowserRules { user, action, entity, key in
            if key == "secretIdentity" || entity == "Power" { return user?.name == "boss" }
            return action == .read || user?.name != "guest"
        }
        let browser = EditingTab.browser(beside: heroes.stack.url, rules: rules)
        browser.show(heroes.stack.coordinator, name: "Test")
        let alpha = heroes["Alpha"]
        let set = #"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "A"}"#
        let secret = #"{"do": "set", "object": "\#(alpha)", "key": "secretIdentity", "value": "A"}"#
        let guest = EditingTab(browser, "guest", user: "guest")
        let refused = try await guest.stage(set, status: 403)
        #expect(refused["error"]["code"].text == "notAllowed")
        try await guest.ask("POST", "writing", #"{"on": true}"#, status: 403)
        let clerk = EditingTab(browser, "clerk", user: "clerk")
        try await clerk.stage(set)
        let hidden = try await clerk.stage(secret, status: 422)
        #expect(hidden["error"]["code"].text == "unknownKey")
        try await clerk.stage(#"{"do": "insert", "entity": "Power"}"#, status: 422)
        try await clerk.stage(#"{"do": "insert", "entity": "Hero", "values": {"powers": []}}"#, status: 422)
        let boss = EditingTab(browser, "boss", user: "boss")
        try await boss.stage(secret, #"{"do": "insert", "entity": "Power", "values": {"hero": "\#(alpha)"}}"#)
        try await boss.save()
        try await clerk.ask("POST", "edits/discard")
        // The power that goes with the hero is not the clerk's to delete.
        try await clerk.stage(#"{"do": "delete", "object": "\#(alpha)"}"#, status: 403)
    }
}
