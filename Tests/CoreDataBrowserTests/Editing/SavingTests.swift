import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Saving what tabs staged")
struct SavingTests {
    @Test(
        "what a save would refuse is reported before and by the save, per property, with what to do (BRW-19, VAL-18, TOOL-21)",
        arguments: StoreKind.all)
    func whatSaveWouldRefuseIsReportedBeforeAndBySave(_ kind: StoreKind) async throws {
        let heroes = try SavedHeroes(kind)
        let tab = EditingTab(heroes.stack)
        let staged = try await tab.stage(
            #"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": ""}"#,
            #"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "secretIdentity", "value": null}"#,
            #"{"do": "set", "object": "\#(heroes["Bolt"])", "key": "secretIdentity", "value": null}"#)
        let places = staged["problems"].list.map { "\($0["object"].text ?? "") \($0["key"].text ?? "")" }
        #expect(
            places.sorted()
                == [
                    "\(heroes["Alpha"]) name", "\(heroes["Alpha"]) secretIdentity", "\(heroes["Bolt"]) secretIdentity",
                ].sorted())
        #expect(staged["problems"].list.allSatisfy { $0["text"].text?.isEmpty == false && $0["code"].number != nil })
        let refused = try await tab.save(status: 422)
        #expect(refused["problems"].list.count == 3)
        for problem in refused["problems"].list {
            #expect(problem["domain"].text == NSCocoaErrorDomain && problem["cure"].text?.contains("value") == true)
        }
        let stored = try heroes.stored("Bolt", "secretIdentity") as? String
        #expect(stored == "Ben Brook")
    }

    @Test("a value is checked while it is typed, and nothing is staged (VAL-21)")
    func valueIsCheckedWhileItIsTyped() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        func problems(_ key: String, _ value: String) async throws -> [Reply] {
            let body = #"{"object": "\#(heroes["Alpha"])", "key": "\#(key)", "value": \#(value)}"#
            return try await tab.ask("POST", "edits/check", body)["problems"].list
        }
        let empty = try await problems("name", #""""#)
        #expect(empty.count == 1 && empty[0]["key"].text == "name" && empty[0]["code"].number == 1670)
        #expect(empty[0]["text"].text?.hasSuffix("It has 0 characters: ''.") == true, "\(empty[0])")
        let fine = try await problems("name", #""Omega""#)
        #expect(fine.isEmpty)
        let date = try await problems("birthDate", #""soon""#)
        #expect(date.count == 1 && date[0]["code"].text == "badValue")
        let missing = try await problems("secretIdentity", "null")
        #expect(missing.count == 1 && missing[0]["code"].number == 1570)
        let edits = try await tab.edits()
        #expect(edits["count"].number == 0 && edits["canUndo"].flag == false)
    }

    @Test("two tabs change one property: three columns, and a choice (BRW-24)", arguments: [true, false])
    func twoTabsChangeOneProperty(_ takesMine: Bool) async throws {
        let heroes = try SavedHeroes()
        let one = EditingTab(heroes.stack)
        let other = EditingTab(one.browser, "tab2")
        let alpha = heroes["Alpha"]
        try await one.stage(#"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "One"}"#)
        try await other.stage(
            #"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "Other"}"#,
            #"{"do": "set", "object": "\#(alpha)", "key": "sex", "value": "x"}"#)
        try await one.save()
        let refused = try await other.save(status: 409)
        let conflict = refused["conflicts"][0]
        let name = conflict["properties"].first("key", "name")
        #expect(conflict["object"].text == alpha && conflict["kind"].text == "updated")
        #expect([name["mine"].text, name["theirs"].text, name["base"].text] == ["Other", "One", "Alpha"])
        let before = try await other.edits()
        #expect(before["changes"].first("object", alpha)["properties"].list.count == 2)
        let side = takesMine ? "mine" : "theirs"
        try await other.save(#"{"resolutions": [{"object": "\#(alpha)", "properties": {"name": "\#(side)"}}]}"#)
        let stored = try (heroes.stored("Alpha", "name") as? String, heroes.stored("Alpha", "sex") as? String)
        #expect(stored == (takesMine ? "Other" : "One", "x"))
    }

    @Test("changes of different properties are brought together, by another process too (BRW-24)")
    func changesOfDifferentPropertiesAreBroughtTogether() async throws {
        let heroes = try SavedHeroes()
        let tab = EditingTab(heroes.stack)
        let alpha = heroes["Alpha"]
        try await tab.stage(#"{"do": "set", "object": "\#(alpha)", "key": "sex", "value": "x"}"#)
        let outside = try heroes.stack.another()
        let hero = try outside.context.all("Hero", NSPredicate(format: "name == 'Alpha'"))[0]
        hero.setValue("Elsewhere", forKey: "secretIdentity")
        try outside.context.save()
        try await tab.save()
        outside.context.reset()
        let saved = try outside.context.all("Hero", NSPredicate(format: "name == 'Alpha'"))[0]
        let values = (saved.value(forKey: "sex") as? String, saved.value(forKey: "secretIdentity") as? String)
        #expect(values == ("x", "Elsewhere"))
    }

    @Test("what others deleted is given up or inserted again (BRW-24)", arguments: [true, false])
    func deletedByOthers(_ takesMine: Bool) async throws {
        let heroes = try SavedHeroes()
        let one = EditingTab(heroes.stack)
        let other = EditingTab(one.browser, "tab2")
        let alpha = heroes["Alpha"]
        try await other.stage(#"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "Mine"}"#)
        try await one.stage(#"{"do": "delete", "object": "\#(alpha)"}"#)
        try await one.save()
        let refused = try await other.save(status: 409)
        #expect(refused["conflicts"][0]["kind"].text == "deleted")
        let side = takesMine ? "mine" : "theirs"
        try await other.save(#"{"resolutions": [{"object": "\#(alpha)", "take": "\#(side)"}]}"#)
        let context = heroes.stack.newContext()
        let names = try context.all("Hero", sortedBy: "name").compactMap { $0.value(forKey: "name") as? String }
        #expect(names == ["Bolt", "Cinder", "Dusk", "Echo"] + (takesMine ? ["Mine"] : []))
        let edits = try await other.edits()
        #expect(edits["count"].number == 0)
    }

    @Test("a tab's deletion of what others changed has to be chosen (BRW-24)", arguments: [true, false])
    func deletionOfChanged(_ takesMine: Bool) async throws {
        let heroes = try SavedHeroes()
        let one = EditingTab(heroes.stack)
        let other = EditingTab(one.browser, "tab2")
        let alpha = heroes["Alpha"]
        try await other.stage(#"{"do": "delete", "object": "\#(alpha)"}"#)
        try await one.stage(#"{"do": "set", "object": "\#(alpha)", "key": "name", "value": "New"}"#)
        try await one.save()
        let refused = try await other.save(status: 409)
        #expect(refused["conflicts"][0]["mine"].text == "deleted")
        let side = takesMine ? "mine" : "theirs"
        try await other.save(#"{"resolutions": [{"object": "\#(alpha)", "take": "\#(side)"}]}"#)
        let context = heroes.stack.newContext()
        let names = try context.all("Hero", sortedBy: "name").compactMap { $0.value(forKey: "name") as? String }
        #expect(names == ["Bolt", "Cinder", "Dusk", "Echo"] + (takesMine ? [] : ["New"]))
    }

    @Test("after a save other tabs see what they have not changed (BRW-20)")
    func otherTabs() async throws {
        let heroes = try SavedHeroes()
        let one = EditingTab(heroes.stack)
        let other = EditingTab(one.browser, "tab2")
        try await other.stage(#"{"do": "set", "object": "\#(heroes["Bolt"])", "key": "sex", "value": "x"}"#)
        try await other.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "sex", "value": "x"}"#)
        try await other.ask("POST", "edits/undo")
        try await one.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "sex", "value": "new"}"#)
        try await one.save()
        let staged = try await other.stage(
            #"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "Both"}"#)
        #expect(staged["changes"].first("object", heroes["Alpha"])["label"].text == "Both")
        try await other.save()
        let stored = try (heroes.stored("Alpha", "sex") as? String, heroes.stored("Bolt", "sex") as? String)
        #expect(stored == ("new", "x"))
    }
}
