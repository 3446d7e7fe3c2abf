import CoreData
import CoreDataBrowser
import TestBasics
import Testing

@Suite("A model on the page")
struct ModelEditPageTests {
    @Test(
        "a model is answered with its items, an edit with what it changed, and nothing is written before it is saved (BRW-35, TOOL-06)"
    )
    func modelIsAnsweredWithItsItems() async throws {
        let tab = try ModelTab()
        let whole = try await tab.ask("GET")
        #expect(whole["whole"].flag == true && whole["items"].list.count == 3 && whole["editable"].flag == true)
        #expect(whole["versions"][0]["current"].flag == true && whole["unsaved"].flag == false)
        let hero = whole["items"].named("Hero")
        #expect(hero["parts"].named("age")["values"]["type"].text == "Integer 16")
        let revision = try #require(whole["revision"].number)
        let told = try await tab.edit("add attribute Hero.alias type=String", revision: revision)
        #expect(told["whole"].flag == false && told["items"].list.compactMap { $0["item"].text } == ["Hero"])
        #expect(told["undo"].text == "add attribute Hero.alias type=String" && told["unsaved"].flag == true)
        #expect(tab.text == ModelTab.heroes)
        // Another tab that is behind is told the same.
        let other = try await tab.ask("GET", "?since=\(revision)")
        #expect(other["items"].list.count == 1 && other["whole"].flag == false)
        #expect(try await tab.ask("GET", "?since=999")["whole"].flag == true)
        try await tab.ask("POST", "save", "{}")
        #expect(tab.text.contains("\"alias\""))
        let undone = try await tab.ask("POST", "undo", "{}")
        #expect(undone["unsaved"].flag == true && undone["redo"].isNull == false)
        try await tab.ask("POST", "redo", "{}")
        try await tab.ask("POST", "undo", "{}")
        try await tab.ask("POST", "save", "{}")
        #expect(tab.text == ModelTab.heroes)
    }

    @Test("an invalid edit is refused with a hint and changes nothing (TOOL-06)")
    func invalidEditIsRefusedWithHint() async throws {
        let tab = try ModelTab()
        let unknown = try await tab.edit("set Heroo.name optional=YES", status: 404)
        #expect(unknown["error"]["hint"].text?.contains("Hero") == true)
        try await tab.edit("add entity Hero", status: 409)
        try await tab.edit("remove Power", status: 409)
        try await tab.edit("set Hero.age type=Nonsense", status: 422)
        try await tab.edit("frobnicate", status: 400)
        try await tab.edit("add entity A", "add relationship Hero.x", status: 422)
        try await tab.ask("POST", "edits", "{\"edits\": 5}", status: 422)
        try await tab.ask("GET", "?version=Nowhere", status: 503)
        try await tab.ask("GET", status: 404, id: "9")
        #expect(try await tab.ask("GET")["unsaved"].flag == false)
    }

    @Test("the inspector shows what several items have in common, and where they differ (TOOL-07)")
    func inspectorShowsWhatSeveralItemsHaveInCommon() async throws {
        let tab = try ModelTab()
        let one = try await tab.ask("GET", "items?items=Hero.age")
        #expect(one["options"].named("type")["value"].text == "Integer 16")
        #expect(one["options"].named("min-length").isNull && one["options"].named("min")["form"].text == "value")
        #expect(one["options"].named("type")["words"].list.count == 15)
        let both = try await tab.ask("GET", "items?items=Hero.age%0AHero.name")
        #expect(both["options"].named("type")["mixed"].flag == true)
        #expect(both["options"].named("min").isNull && both["options"].named("transient")["mixed"].flag == false)
        try await tab.ask("GET", "items?items=Hero.nothing", status: 404)
        try await tab.ask("GET", "items?items=a/b", status: 400)
    }

    @Test("findings stand beside their items, and one click repairs them (TOOL-14)")
    func findingsStandBesideTheirItems() async throws {
        let tab = try ModelTab(
            ModelTab.heroes.replacing(" inverseName=\"powers\" inverseEntity=\"Hero\"", with: "")
                .replacing(" inverseName=\"hero\" inverseEntity=\"Power\"", with: ""))
        let found = try await tab.ask("GET", "findings")["findings"]
        let finding = found.named("Hero.powers", by: "item")
        #expect(finding["rule"].text == "missing-inverse" && finding["line"].number == 6)
        let repair = finding["repair"].list.compactMap(\.text)
        #expect(repair.count == 1)
        try await tab.ask(
            "POST", "edits", "{\"edits\": \(String(decoding: try JSONEncoder().encode(repair), as: UTF8.self))}")
        let after = try await tab.ask("GET", "findings")["findings"]
        #expect(after.named("Hero.powers", by: "item").isNull)
    }

    @Test("what another program has written is taken over, merged with edits, or asked about (TOOL-06)")
    func changedOutside() async throws {
        let tab = try ModelTab()
        try await tab.ask("GET")
        let other = ModelTab.heroes.replacing("maxValueString=\"40\"", with: "maxValueString=\"50\"")
        try Data(other.utf8).write(to: tab.contents)
        // Nothing is edited, so it is simply the model now.
        #expect(
            try await tab.ask("GET")["items"].named("Hero")["parts"].named("name")["values"]["max-length"].text == "50")
        try await tab.edit("add attribute Hero.alias type=String")
        try await tab.edit("set Power.name optional=NO")
        let third = ModelTab.heroes.replacing("\"Power\"", with: "\"Skill\"")
        try Data(third.utf8).write(to: tab.contents)
        #expect(try await tab.ask("GET")["changedOutside"].flag == true)
        let refused = try await tab.ask("POST", "save", "{}", status: 409)
        #expect(refused["error"]["code"].text == "changedMeanwhile" && tab.text == third)
        let merged = try await tab.ask("POST", "merge", "{}")
        #expect(merged["notes"].list.count == 1 && merged["notes"][0].text?.contains("Power.name") == true)
        try await tab.ask("POST", "save", "{}")
        #expect(tab.text.contains("\"alias\"") && tab.text.contains("\"Skill\""))
        try await tab.edit("add entity Lair")
        try Data(third.utf8).write(to: tab.contents)
        let discarded = try await tab.ask("POST", "discard", "{}")
        #expect(discarded["unsaved"].flag == false && discarded["items"].named("Lair").isNull)
        try FileManager.default.removeItem(at: tab.contents)
        try await tab.edit("add entity Lair", status: 500)
    }

    @Test("edits that are not saved outlive the program, on what another program wrote meanwhile too (TOOL-06, BRW-55)")
    func keptEdits() async throws {
        let tab = try ModelTab()
        try await tab.edit("add attribute Hero.alias type=String")
        try await tab.edit("set Power.name optional=NO")
        try await tab.edit("add entity Lair")
        try await tab.ask("POST", "undo", "{}")
        let again = try tab.restarted()
        let told = try await again.ask("GET")
        #expect(told["unsaved"].flag == true && told["undo"].text == "set Power.name optional=NO")
        #expect(told["notes"].list.count == 1 && told["items"].named("Lair").isNull)
        #expect(try await again.ask("GET")["notes"].list.isEmpty)
        try Data(ModelTab.heroes.replacing("\"Power\"", with: "\"Skill\"").utf8).write(to: tab.contents)
        let merged = try await tab.restarted().ask("GET")
        #expect(merged["notes"].list.count == 2 && merged["undo"].text == "add attribute Hero.alias type=String")
        let last = try tab.restarted()
        try await last.ask("POST", "save", "{}")
        #expect(tab.text.contains("\"alias\"") && tab.text.contains("\"Skill\""))
        #expect(try await tab.restarted().ask("GET")["unsaved"].flag == false)
        // What is kept is anybody's to write.
        let state = try FileManager.default.subpathsOfDirectory(atPath: tab.folder.url.path + "/state")
        for path in state where path.hasSuffix(".json") {
            try Data("[{\"name\": 5}]".utf8).write(to: tab.folder.url.appendingPathComponent("state/" + path))
        }
        #expect(try await tab.restarted().ask("GET")["unsaved"].flag == false)
    }

    @Test("items are copied as edits and pasted into another entity (TOOL-06)")
    func copyAndPaste() async throws {
        let tab = try ModelTab()
        let text = try #require(try await tab.ask("GET", "copy?items=Hero.age")["text"].text)
        let body = try JSONEncoder().encode(["text": text, "target": "Power"])
        let pasted = try await tab.ask("POST", "paste", String(decoding: body, as: UTF8.self))
        #expect(pasted["items"].named("Power")["parts"].named("age")["values"]["default"].text == "0")
        try await tab.ask("POST", "paste", "{\"text\": \"remove Hero\"}", status: 400)
    }

    @Test("versions are added, compared, made current and pruned (TOOL-03, TOOL-04, TOOL-05, BRW-36)")
    func versionsAreAddedCompared() async throws {
        let tab = try ModelTab()
        let added = try await tab.ask("POST", "versions", "{\"add\": \"Heroes 2\"}")
        #expect(added["version"].text == "Heroes 2" && added["versions"].list.count == 2)
        #expect(added["versions"].named("Heroes")["current"].flag == true)
        try await tab.ask(
            "POST", "edits", "{\"version\": \"Heroes 2\", \"edits\": [\"add attribute Hero.alias type=String\"]}")
        // The comparison takes what is edited and not saved yet.
        let compared = try await tab.ask("GET", "compare?from=Heroes&to=Heroes%202")
        #expect(compared["migration"]["verdict"].text == "lightweight" && compared["changes"].list.count == 1)
        try await tab.ask("POST", "versions", "{\"add\": \"Heroes 3\", \"from\": \"Heroes 2\"}", status: 409)
        try await tab.ask("POST", "save", "{\"version\": \"Heroes 2\"}")
        try await tab.ask("POST", "versions", "{\"current\": \"Heroes 2\"}")
        try await tab.ask("POST", "versions", "{\"add\": \"../x\"}", status: 500)
        try await tab.ask("POST", "versions", "{}", status: 400)
        let asked = try await tab.ask("POST", "prune", "{\"stores\": [], \"dryRun\": true}")
        #expect(asked["versions"].named("Heroes")["isNeeded"].flag == false)
        #expect(try await tab.ask("GET")["versions"].list.count == 2)
        let pruned = try await tab.ask("POST", "prune", "{\"stores\": []}")
        #expect(pruned["versions"].named("Heroes")["isRemoved"].flag == true)
        #expect(try await tab.ask("GET")["versions"].list.compactMap { $0["name"].text } == ["Heroes 2"])
    }

    @Test("classes are shown as they are generated, and written to the folder of the program's option (TOOL-10)")
    func classesAreShownAsTheyAreGenerated() async throws {
        let tab = try ModelTab()
        try await tab.edit("add attribute Hero.alias type=String")
        let told = try await tab.ask("GET", "classes?entity=Hero&numbers=object")
        let files = told["files"]
        #expect(files.list.count == 2)
        #expect(files.named("Hero+CoreDataProperties.swift")["text"].text?.contains("alias: String?") == true)
        #expect(files.named("Hero+CoreDataProperties.swift")["text"].text?.contains("age: NSNumber?") == true)
        let written = try await tab.ask("POST", "classes", "{}")
        #expect(written["files"].list.count == 4 && written["files"][0]["outcome"].text == "written")
        let folder = tab.folder.url.appendingPathComponent("classes")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
        try await tab.ask("GET", "classes?entity=Nobody", status: 500)
    }

    @Test("predicates of fetch requests have variables, and keys are those of the entity (TOOL-09)")
    func predicatesOfFetchRequestsHaveVariables() async throws {
        let tab = try ModelTab()
        let told = try await tab.ask("GET", "predicate?entity=Hero&where=name%20%3D%3D%20%24NAME")
        #expect(told["valid"].flag == true && told["tree"]["variable"].text == "NAME")
        let source = try await tab.ask(
            "GET", "predicate?entity=Power&source=Hero&where=%24FETCH_SOURCE.name%20%3D%3D%20name")
        #expect(source["valid"].flag == true)
        let wrong = try await tab.ask(
            "GET", "predicate?entity=Power&source=Hero&where=%24FETCH_SOURCE.nome%20%3D%3D%20name")
        #expect(wrong["valid"].flag == false && wrong["error"]["reason"].text?.contains("name") == true)
        let keys = try await tab.ask("GET", "predicate?entity=Power&where=he&caret=2")["completions"]
        #expect(keys.list.contains { $0["text"].text == "hero" })
        #expect(try await tab.ask("GET", "entities")["entities"].list.count == 2)
        try await tab.ask("GET", "predicate?entity=Nobody&where=x", status: 404)
    }
}
