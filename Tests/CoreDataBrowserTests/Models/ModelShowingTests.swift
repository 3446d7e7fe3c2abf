import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import Testing

@Suite("Models that are only shown, and diagrams")
struct ModelShowingTests {
    @Test(
        "boxes stand as Xcode's editor had them, and stay where they are put; the model stays as it is (BRW-33, TOOL-08)"
    )
    func boxesStandAsXcodesEditorHadThem() async throws {
        let tab = try ModelTab()
        let boxes = try await tab.ask("GET", "diagram")["boxes"]
        let (hero, power) = (boxes.named("Hero", by: "item"), boxes.named("Power", by: "item"))
        #expect(try #require(hero["x"].real) < (try #require(power["x"].real)))
        #expect(hero["rows"].list.count == 2 && hero["rows"][0][1].text == "Integer 16?")
        let moved = try await tab.ask("PUT", "diagram", "{\"places\": {\"Hero\": [1000.5, -20]}}")
        #expect(moved["boxes"].named("Hero", by: "item")["x"].real == 1000.5)
        try await tab.edit("add entity Lair")
        let grown = try await tab.ask("GET", "diagram")["boxes"]
        #expect(grown.list.count == 3 && grown.named("Hero", by: "item")["x"].real == 1000.5)
        #expect(grown.named("Power", by: "item")["x"].real == power["x"].real)
        // Where boxes stand outlives the program, and is not in the model.
        let again = Browser(options: tab.browser.core.options)
        try again.openModel(tab.file)
        let answer = try await BrowserAnswers(again).json("/models/1/diagram")
        #expect(answer["boxes"].named("Hero", by: "item")["x"].real == 1000.5)
        #expect(tab.text == ModelTab.heroes)
        try await tab.ask("PUT", "diagram", "{\"places\": {\"Hero\": [1e99, 0]}}", status: 400)
        let arranged = try await tab.ask("PUT", "diagram", "null")
        #expect(arranged["boxes"].named("Hero", by: "item")["x"].real != 1000.5)
    }

    @Test("entities of a store's model name the classes that they were made with (BRW-35)")
    func entitiesOfStoresModelNameClassesThatTheyWereMade() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Heroes.sqlite")
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType]).managedObjectClassName = "App.CostumedHero"
        ObjectClassResolver.expectMissingClasses(of: builder.model)
        let stack = try Stack(builder.model, url: url)
        try stack.coordinator.remove(stack.store)
        let browser = Browser()
        try browser.open(url)
        let reply = try await BrowserAnswers(browser).json("/models/store-1")
        let values = reply["items"].named("Hero")["values"]
        #expect(values["class"].text == "CostumedHero" && values["module"].text == "App")
    }

    @Test("a compiled model and the model of a store are shown and not edited (BRW-35)")
    func readOnly() async throws {
        let tab = try ModelTab()
        let compiled = tab.folder.url.appendingPathComponent("Heroes.mom")
        let model = try NSManagedObjectModel(reading: tab.file)
        try model.compiledData().write(to: compiled)
        try tab.browser.openModel(compiled, isWriting: true)
        let reply = try await tab.ask("GET", id: "2")
        #expect(reply["editable"].flag == false && reply["reason"].text?.contains("source") == true)
        #expect(reply["items"].named("Hero")["parts"].named("powers")["values"]["inverse"].text == "hero")
        try await tab.ask("POST", "edits", "{\"edits\": [\"add entity A\"]}", status: 409, id: "2")
        try await tab.ask("POST", "versions", "{\"add\": \"x\"}", status: 409, id: "2")
        try await tab.ask("POST", "classes", "{}", status: 409, id: "2")

        let store = try Stack(model, url: tab.folder.url.appendingPathComponent("Heroes.sqlite"))
        tab.browser.show(store.coordinator, name: "Heroes")
        let kept = try await tab.ask("GET", id: "store-1")
        #expect(kept["editable"].flag == false && kept["items"].list.count >= 2)
        try await tab.ask("POST", "edits", "{\"edits\": [\"add entity A\"]}", status: 409, id: "store-1")
        #expect(try await tab.ask("GET", "diagram", id: "store-1")["boxes"].list.count == 2)
        let list = try await BrowserAnswers(tab.browser).json("/")
        #expect(list["models"].list.count == 2)
        try await tab.ask("GET", status: 404, id: "store-7")
    }

    @Test("a store's model is not shown to who may not read all of it (BRW-35, BRW-53)")
    func storesModelIsNotShownToWhoMayNotRead() async throws {
        let stack = try Stack(SuperDB.model())
        var options = BrowserOptions()
        options.rules = BrowserRules { _, _, entity, _ in entity != "Power" }
        let browser = Browser(options: options)
        browser.show(stack.coordinator, name: "Test")
        _ = try await BrowserAnswers(browser).json("/models/store-1", status: 403)
    }

    @Test("a model whose path leads out of its package, and a malformed one, are refused with the reason (TOOL-06)")
    func modelWhosePathLeadsOutOfItsPackage() async throws {
        let tab = try ModelTab()
        try FileManager.default.removeItem(at: tab.contents)
        let outside = tab.folder.url.appendingPathComponent("outside")
        try Data(ModelTab.heroes.utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(at: tab.contents, withDestinationURL: outside)
        let refused = try await tab.ask("GET", status: 503)
        #expect(refused["error"]["reason"].text?.contains("leads out") == true)
        try FileManager.default.removeItem(at: tab.contents)
        try Data("<model><entity name=\"A\">".utf8).write(to: tab.contents)
        try await tab.ask("GET", status: 500)
        #expect(throws: (any Error).self) { try tab.browser.openModel(outside.appendingPathExtension("nothing")) }
        // A source that breaks rules is still shown, with what is wrong.
        let broken = ModelTab.heroes.replacing("destinationEntity=\"Power\"", with: "destinationEntity=\"Nobody\"")
        try Data(broken.utf8).write(to: tab.contents)
        #expect(try await tab.ask("GET")["items"].list.count == 3)
        let found = try await tab.ask("GET", "findings")["findings"]
        #expect(found.list.contains { $0["severity"].text == "error" && $0["item"].text == "Hero.powers" })
        try await tab.edit("set Hero.powers destination=Power inverse=hero")
        try await tab.ask("GET", "diagram")
    }

    @Test("a thousand entities have places of their own, none on another (TOOL-08)")
    func thousandEntities() async throws {
        let entities = (0..<1000).map { number in
            """
            <entity name="E\(number)" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/>\
            <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="E\((number * 7 + 1) % 1000)"/>\
            </entity>
            """
        }
        let tab = try ModelTab(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n\(entities.joined(separator: "\n"))\n</model>\n")
        let reply = try await tab.ask("GET")
        #expect(reply["items"].list.count == 1000)
        let boxes = try await tab.ask("GET", "diagram")["boxes"].list
        #expect(boxes.count == 1000)
        let areas = boxes.map { ($0["x"].real ?? 0, $0["y"].real ?? 0, $0["width"].real ?? 0, $0["height"].real ?? 0) }
        var overlaps = 0
        for (number, one) in areas.enumerated() {
            for other in areas[(number + 1)...]
            where abs(one.0 - other.0) < (one.2 + other.2) / 2 && abs(one.1 - other.1) < (one.3 + other.3) / 2 {
                overlaps += 1
            }
        }
        #expect(overlaps == 0)
        let edited = try await tab.edit("set E5.name optional=NO", revision: reply["revision"].number)
        #expect(edited["items"].list.count == 1 && edited["whole"].flag == false)
    }
}
