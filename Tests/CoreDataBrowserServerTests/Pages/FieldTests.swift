import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "The fields of an object's page in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct FieldTests {
    /// An entity with an attribute of each type that has an editor, optional all, and one that owns some of them.
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            [
                "small": .integer16AttributeType, "long": .integer64AttributeType, "price": .decimalAttributeType,
                "real": .doubleAttributeType, "isNew": .booleanAttributeType, "made": .dateAttributeType,
                "code": .UUIDAttributeType, "link": .URIAttributeType, "title": .stringAttributeType,
            ])
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = ["x", "y"].map { name in
            let element = NSAttributeDescription()
            element.name = name
            element.type = .double
            return element
        }
        place.isOptional = true
        builder["Thing"].properties.append(place)
        builder.entity("Box", ["name": .stringAttributeType])
        builder.relationships("Box.things*", "Thing.box")
        return builder.model
    }

    private static func pages() async throws -> HeroPages {
        try await HeroPages(
            fill: { context in
                let box = context.insert("Box", ["name": "Box"])
                for title in ["One", "Two"] { context.insert("Thing", ["title": title]).setValue(box, forKey: "box") }
                context.insert("Thing", ["title": "Loose"])
                try context.save()
            }, model: model())
    }

    private static let isSaved = """
        document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled
        """

    private func stored(_ entity: String, where format: String, _ pages: HeroPages) throws -> NSManagedObject {
        try #require(try pages.stored(entity, NSPredicate(format: format)))
    }

    @Test("each type of attribute has an editor, whose value is stored to the last digit (BRW-18)")
    func eachTypeOfAttributeHasEditor() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        let id = try stored("Thing", where: "title == 'One'", pages).objectID.shortText
        try await pages.go(to: "objects/\(id)")
        let entered: [(key: String, text: String)] = [
            ("small", "-12"), ("long", "9007199254740993"), ("price", "1234567.12345678"), ("real", "0.1"),
            ("made", "2024-02-29 12:30:15"), ("code", "0f8fad5b-d9cb-469f-a165-70867728950e"),
            ("link", "https://example.org/ä?b=1"), ("title", "Größe"),
        ]
        for (count, (key, text)) in entered.enumerated() {
            try await pages.enter(text, into: key)
            try await page.wait(
                until: "document.querySelectorAll('dd.changed').length === arguments[0]", [.number(Double(count + 1))])
        }
        try await page.evaluate(
            """
            const choice = document.querySelector('[data-field=isNew]');
            choice.value = 'true';
            choice.dispatchEvent(new Event('change', { bubbles: true }));
            """)
        try await page.wait(until: "document.querySelectorAll('dd.changed').length === 9")
        try await page.evaluate("document.querySelector('[data-field=place]').focus()")
        try await page.press("{\"x\": 1.5, \"y\": -2}")
        try await page.click("main h1")
        try await page.wait(until: "document.querySelectorAll('dd.changed').length === 10")
        // Shown as it was entered, which a JavaScript number could not.
        let shown = try await page.evaluate("return document.querySelector('[data-field=long]').value")
        #expect(shown == "9007199254740993")
        try await page.click(".editbar .primary")
        try await page.wait(until: Self.isSaved)
        let thing = try stored("Thing", where: "title == 'Größe'", pages)
        #expect(thing.value(forKey: "small") as? Int == -12)
        #expect(thing.value(forKey: "long") as? Int == 9_007_199_254_740_993)
        #expect(thing.value(forKey: "price") as? Decimal == Decimal(string: "1234567.12345678"))
        #expect(thing.value(forKey: "real") as? Double == 0.1)
        #expect(thing.value(forKey: "isNew") as? Bool == true)
        #expect((thing.value(forKey: "made") as? Date)?.timeIntervalSince1970 == 1_709_209_815)
        #expect(thing.value(forKey: "code") as? UUID == UUID(uuidString: "0f8fad5b-d9cb-469f-a165-70867728950e"))
        #expect((thing.value(forKey: "link") as? URL)?.path == "/ä")
        let place = thing.value(forKey: "place") as? [String: Any]
        #expect(place?["x"] as? Double == 1.5 && place?["y"] as? Double == -2)
    }

    @Test("a composite has a field for each element, and one without a value is nil (BRW-18)")
    func elementFields() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        let id = try stored("Thing", where: "title == 'One'", pages).objectID.shortText
        try await pages.go(to: "objects/\(id)")
        func enter(_ text: String, _ name: String, untilStaged json: String) async throws {
            try await page.wait(until: "document.querySelector('[data-field=\"place.\(name)\"]')")
            try await page.evaluate(
                """
                const field = document.querySelector('[data-field="place.\(name)"]');
                field.value = '\(text)';
                field.dispatchEvent(new Event('change', { bubbles: true }));
                """)
            try await page.wait(
                until: "document.querySelector('[data-field=place]').value === arguments[0]", [.string(json)])
        }
        try await page.wait(until: "document.querySelector('[data-field=small]')")
        try await Task.sleep(for: .seconds(1))
        try await enter("1.5", "x", untilStaged: #"{"x":1.5}"#)
        try await enter("-2", "y", untilStaged: #"{"x":1.5,"y":-2}"#)
        try await enter("", "x", untilStaged: #"{"y":-2}"#)
        try await page.click(".editbar .primary")
        try await page.wait(until: Self.isSaved)
        let thing = try stored("Thing", where: "title == 'One'", pages)
        let place = thing.value(forKey: "place") as? [String: Any]
        #expect(place?["x"] == nil && place?["y"] as? Double == -2)
        try await enter("", "y", untilStaged: "")
        try await page.click(".editbar .primary")
        try await page.wait(until: Self.isSaved)
        #expect(try stored("Thing", where: "title == 'One'", pages).value(forKey: "place") == nil)
    }

    @Test("columns of a table are taken for the elements of a composite (BRW-48)")
    func importedElements() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        try await page.go(to: pages.address("stores/1/import"))
        try await page.wait(until: "document.querySelector('.side input[role=switch]')")
        if try await page.evaluate("return document.querySelector('main input[type=file]') !== null") != .bool(true) {
            try await page.click(".side input[role=switch]")
        }
        try await page.wait(until: "document.querySelector('main input[type=file]')")
        try await page.evaluate(
            """
            const files = new DataTransfer();
            files.items.add(new File(['title,Place X\\nImported,2.5\\n'], 'Thing.csv'));
            const input = document.querySelector('main input[type=file]');
            input.files = files.files;
            input.dispatchEvent(new Event('change'));
            """)
        try await page.wait(until: "document.querySelectorAll('main tbody select').length === 2")
        let chosen = "return [...document.querySelectorAll('main tbody select')].map((s) => s.value).join(' ')"
        #expect(try await page.evaluate(chosen).text == "title place.x")
        try await page.click("main button.primary")
        try await page.wait(
            until: "[...document.querySelectorAll('main h2')].some((x) => x.textContent === 'Imported')")
        let place = try stored("Thing", where: "title == 'Imported'", pages).value(forKey: "place") as? [String: Any]
        #expect(place?["x"] as? Double == 2.5 && place?["y"] == nil)
    }

    @Test("a text that is not a value of the type is reported beside the field and not staged (BRW-18)")
    func invalidTextIsReportedBesideField() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        let id = try stored("Thing", where: "title == 'One'", pages).objectID.shortText
        try await pages.go(to: "objects/\(id)")
        // The page is drawn once more when it hears of its store for the first time.
        try await page.wait(until: "document.querySelector('[data-field=small]')")
        try await Task.sleep(for: .seconds(1))
        for (key, text) in [
            ("small", "70000"), ("small", "1.5"), ("price", "1,2,3"), ("made", "2023-02-29 00:00:00"), ("code", "12"),
        ] {
            try await pages.enter(text, into: key)
            try await page.wait(
                until: """
                    document.querySelector('[data-field=\(key)]').closest('dd').querySelector('.fieldproblem').innerText.trim()
                    """)
            // What was asked while it was typed is answered by now, and takes nothing away.
            try await Task.sleep(for: .milliseconds(600))
            let told = try await page.evaluate(
                "return document.querySelector('[data-field=\(key)]').closest('dd').querySelector('.fieldproblem').innerText"
            )
            #expect(told.text?.isEmpty == false, "\(key): \(text)")
            let changed = try await page.evaluate("return document.querySelectorAll('dd.changed').length")
            #expect(changed == 0, "\(key): \(text)")
        }
    }

    @Test("members of a to-many relationship are counted in the list, added and taken out in place (BRW-26)")
    func membersOfToManyRelationshipAreCountedInList() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        try await pages.go(to: "entities/Box")
        try await page.wait(until: "document.querySelector('.grid .row[data-id]')?.innerText.includes('2')")
        let id = try stored("Box", where: "name == 'Box'", pages).objectID.shortText
        try await pages.go(to: "objects/\(id)")
        let members = "[...document.querySelectorAll('ul.members li')].map(m => m.innerText.replace('✕', '').trim())"
        try await page.wait(until: "\(members).sort().join() === 'One,Two'")
        try await page.evaluate(
            "[...document.querySelectorAll('ul.members li')].find(m => m.innerText.includes('One')).querySelector('button').click()"
        )
        try await page.wait(until: "\(members).join() === 'Two'")
        try await page.evaluate("document.querySelector('button[data-field=things]').click()")
        try await page.wait(until: "document.querySelector('dialog[open] input')")
        // Enter at once is of what was typed, not of what was listed before.
        try await page.press("Loose" + WebKey.enter)
        try await page.wait(until: "\(members).sort().join() === 'Loose,Two'")
        try await page.click(".editbar .primary")
        try await page.wait(until: Self.isSaved)
        let things = try stored("Box", where: "name == 'Box'", pages).value(forKey: "things") as? Set<NSManagedObject>
        #expect(Set((things ?? []).compactMap { $0.value(forKey: "title") as? String }) == ["Loose", "Two"])
    }

    @Test(
        "in German a number takes a comma and points between thousands, and what has two meanings is refused (BRW-18)")
    func germanNumbers() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        let id = try stored("Thing", where: "title == 'One'", pages).objectID.shortText
        try await page.evaluate("localStorage.setItem('opencoredata:settings', JSON.stringify({ language: 'de' }))")
        try await pages.go(to: "objects/\(id)")
        for (count, (key, text)) in [("real", "1,5"), ("price", "1.234.567,25"), ("long", "12.345.678")].enumerated() {
            try await pages.enter(text, into: key)
            try await page.wait(
                until: "document.querySelectorAll('dd.changed').length === arguments[0]", [.number(Double(count + 1))])
        }
        try await pages.enter("1.500", into: "small")
        try await page.wait(
            until: "[...document.querySelectorAll('.fieldproblem')].some(p => p.innerText.includes('1500'))")
        #expect(try await page.evaluate("return document.querySelectorAll('dd.changed').length").number == 3)
        try await page.click(".editbar .primary")
        try await page.wait(until: Self.isSaved)
        let thing = try stored("Thing", where: "title == 'One'", pages)
        #expect(thing.value(forKey: "real") as? Double == 1.5 && thing.value(forKey: "long") as? Int == 12_345_678)
        #expect((thing.value(forKey: "price") as? NSDecimalNumber)?.stringValue == "1234567.25")
        #expect(thing.value(forKey: "small") == nil)
    }
}
