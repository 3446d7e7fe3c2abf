import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Any store in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct AnyStoreTests {
    /// Two entities that no application's list describes.
    private static func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = ["Planet", "Ship"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            let title = NSAttributeDescription()
            title.name = "title"
            title.attributeType = .stringAttributeType
            title.isOptional = true
            entity.properties = [title]
            return entity
        }
        return model
    }

    @Test("objects of each entity are listed, opened, added, edited and deleted without any configuration (APP-01)")
    func eachEntity() async throws {
        let heroes = try await HeroPages(
            fill: { context in
                for name in ["Planet", "Ship"] {
                    NSEntityDescription.insertNewObject(forEntityName: name, into: context).setValue(
                        "First \(name)", forKey: "title")
                }
            }, model: Self.model())
        let page = heroes.page
        let saved = "document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled"
        for name in ["Planet", "Ship"] {
            try await page.evaluate("document.querySelector('.side [data-entity=\(name)]').click()")
            try await page.wait(until: "document.querySelector('.grid')?.innerText.includes('First \(name)')")
            try await page.click("[data-command=add]")
            try await heroes.enter("Second \(name)", into: "title")
            try await page.wait(until: "document.querySelector('main h1')?.innerText === 'Second \(name)'")
            try await page.click(".editbar .primary")
            try await page.wait(until: saved)
            #expect(try titles(name, heroes) == ["First \(name)", "Second \(name)"])
            try await heroes.go(to: "objects/\(name)/p1")
            try await heroes.enter("Changed \(name)", into: "title")
            try await page.wait(until: "document.querySelector('dd.changed')")
            try await page.click(".editbar .primary")
            try await page.wait(until: saved)
            #expect(try titles(name, heroes) == ["Changed \(name)", "Second \(name)"])
            try await page.click(".objecthead .danger")
            try await page.click("dialog[open] footer .primary")
            try await page.wait(until: "!document.querySelector('dialog')")
            try await page.click(".editbar .primary")
            try await page.wait(until: saved)
            #expect(try titles(name, heroes) == ["Second \(name)"])
        }
    }

    private func titles(_ entity: String, _ heroes: HeroPages) throws -> [String] {
        let other = try heroes.store.another()
        return try other.context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).compactMap {
            $0.value(forKey: "title") as? String
        }.sorted()
    }

    @Test("what others save in a field that is being typed in is shown beside it, and neither is lost (APP-40)")
    func whatOthersSaveInFieldThatIsBeingTypedInIsShownBeside() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "objects/\(try heroes.id("Echo"))")
        try await heroes.type("Mine", into: "secretIdentity")
        let other = try #require(try heroes.hero("Echo"))
        other.setValue("Theirs", forKey: "secretIdentity")
        try other.managedObjectContext?.save()
        try await page.wait(until: "document.querySelector('.elsewhere')?.innerText.includes('Theirs')")
        #expect(try await page.evaluate("return document.querySelector('[data-field=secretIdentity]').value") == "Mine")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelector('dd.changed')")
        // What is staged says what it replaces; taken back, the other's value is there.
        try await page.wait(until: "document.querySelector('dd.changed .was')?.innerText.includes('Theirs')")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('[data-field=secretIdentity]').value === 'Theirs'")
        #expect(try heroes.value("secretIdentity", of: "Echo") == "Theirs")
    }

    @Test("on an object's page each field, each new object and each deletion is a step of Ctrl-Z (APP-32)")
    func onObjectsPageEachField() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let count = "Number(document.querySelector('.editbar .staged')?.innerText.match(/\\d+/)?.[0] ?? 0)"
        try await heroes.go(to: "objects/\(try heroes.id("Alpha"))")
        try await heroes.enter("Ada", into: "secretIdentity")
        try await page.wait(until: "\(count) === 1")
        try await page.click(".objecthead .danger")
        try await page.click("dialog[open] footer .primary")
        try await page.wait(until: "document.querySelector('.objecthead .problem')")
        try await heroes.goToHeroes()
        try await page.click("[data-command=add]")
        try await page.wait(until: "\(count) === 2")
        try await heroes.go(to: "objects/\(try heroes.id("Alpha"))")
        try await page.wait(until: "\(count) === 2")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "\(count) === 1 && document.querySelector('.objecthead .problem')")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('[data-field=secretIdentity]')?.value === 'Ada'")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('[data-field=secretIdentity]')?.value === 'Ann Archer'")
        try await page.press("z", holding: [WebKey.control, WebKey.shift])
        try await page.wait(until: "document.querySelector('[data-field=secretIdentity]')?.value === 'Ada'")
    }
}
