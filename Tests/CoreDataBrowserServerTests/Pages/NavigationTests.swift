import CoreData
import CoreDataBrowserServer
import TestBrowsers
import Testing

@Suite(
    "Ways through pages in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct NavigationTests {
    /// Notes in collections: Trips has Rome, which has Hotel.
    private func notes() async throws -> AppPages {
        try await AppPages("NoteCollector/App", classes: []) { context in
            func item(_ entity: String, _ name: String, in above: NSManagedObject?) -> NSManagedObject {
                let item = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                item.setValue(name, forKey: "itemName")
                item.setValue(above, forKey: "superCollection")
                return item
            }
            let trips = item("Collection", "Trips", in: nil)
            _ = item("Note", "Hotel", in: item("Collection", "Rome", in: trips))
        }
    }

    private func openRow(_ title: String, _ app: AppPages, shows heading: String) async throws {
        let script =
            "[...document.querySelectorAll('.approw')].find(r => r.querySelector('strong').innerText === arguments[0])"
        try await app.page.wait(until: script, [.string(title)])
        try await app.page.evaluate("\(script).querySelector('a').click()", [.string(title)])
        try await app.page.wait(until: "document.querySelector('h1').innerText === arguments[0]", [.string(heading)])
    }

    private func crumbs(_ page: WebPage) async throws -> [String] {
        try await page.evaluate("return [...document.querySelectorAll('.crumbs li')].map(l => l.innerText)").elements
            .compactMap(\.text)
    }

    @Test("views are stacked with their titles, and the title of the one beneath leads back to it (APP-33)")
    func viewsAreStackedWithTheirTitles() async throws {
        let app = try await notes()
        let page = app.page
        try await app.goToList()
        try await openRow("Trips", app, shows: "Trips")
        try await openRow("Rome", app, shows: "Rome")
        try await openRow("Hotel", app, shows: "Hotel")
        #expect(try await crumbs(page) == ["Stores", "Note Collector", "Trips", "Rome", "Hotel"])
        #expect(try await page.evaluate("return document.title") == "Hotel · Core Data")
        let bookmark = try await page.address
        try await page.evaluate(
            "[...document.querySelectorAll('.crumbs a')].find(a => a.innerText === 'Trips').click()")
        try await page.wait(until: "document.querySelector('h1').innerText === 'Trips'")
        #expect(try await crumbs(page) == ["Stores", "Note Collector", "Trips"])
        try await page.go(to: bookmark)
        try await page.wait(until: "document.querySelector('h1')?.innerText === 'Hotel'")
        // The application's own address shows its first list.
        try await page.go(to: app.address("apps/1"))
        try await page.wait(until: "document.querySelector('.approw a')")
        try await openRow("Trips", app, shows: "Trips")
        try await openRow("Rome", app, shows: "Rome")
        #expect(try await crumbs(page) == ["Stores", "Note Collector", "Trips", "Rome"])
    }

    @Test("a wide window shows list and object side by side, a narrow one opens the object (APP-33)")
    func sideBySide() async throws {
        let wide = try await HeroPages(isWriting: false)
        try await wide.goToHeroes()
        try await wide.page.evaluate("document.querySelector('.grid').focus()")
        try await wide.page.press(WebKey.down + WebKey.down)
        try await wide.page.wait(until: "document.querySelector('.pane h2')?.innerText.includes('Cinder')")
        let pane = try await wide.page.evaluate(
            "const [g, p] = ['.grid', '.pane'].map(s => document.querySelector(s).getBoundingClientRect()); return g.width > 300 && p.left >= g.right"
        )
        #expect(pane == true)
        let narrow = try await HeroPages(isWriting: false, width: 500, height: 800)
        try await narrow.goToHeroes()
        try await narrow.page.evaluate("document.querySelector('.grid').focus()")
        try await narrow.page.press(WebKey.down + WebKey.enter)
        try await narrow.page.wait(until: "document.querySelector('main h1')?.innerText === 'Bolt'")
    }

    @Test("of two dialogs the second waits until the first is closed, and each is answered once (APP-33, APP-35)")
    func ofTwoDialogsSecondWaitsUntilFirstIsClosed() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        try await page.evaluate(
            """
            const { ask } = await import('/assets/components/dialog.js');
            window.answers = [];
            for (const title of ['First', 'Second']) ask({ title, text: 'Sure?', action: 'Go' }).then(a => answers.push([title, a].join()));
            """)
        try await page.wait(until: "document.querySelector('dialog[open]')")
        #expect(try await page.evaluate("return document.querySelectorAll('dialog').length") == 1)
        #expect(try await page.text(of: "dialog[open] h2") == "First")
        try await page.click("dialog[open] .primary")
        try await page.wait(until: "document.querySelector('dialog[open] h2')?.innerText === 'Second'")
        try await page.press(WebKey.escape)
        try await page.wait(until: "window.answers.length === 2")
        #expect(
            try await page.evaluate("return answers").elements.compactMap(\.text) == ["First,true", "Second,false"])
        #expect(try await page.evaluate("return document.querySelectorAll('dialog').length") == 0)
    }

    @Test("+ offers a note, a collection and Cancel; a collection is made by its name, and Cancel makes none (APP-35)")
    func offersNoteCollectionAndCancel() async throws {
        let app = try await notes()
        let page = app.page
        try await app.goToList()
        try await app.press("+")
        try await page.wait(until: "document.querySelector('dialog[open] .sheet')")
        let choices = try await page.evaluate(
            "return [...document.querySelectorAll('.sheet button')].map(b => b.innerText)")
        #expect(choices.elements.compactMap(\.text) == ["Add Note", "Add Collection", "Cancel"])
        try await app.press("Cancel", in: "dialog[open]")
        try await page.wait(until: "!document.querySelector('dialog')")
        for (name, end) in [("Given up", WebKey.escape), ("Books", WebKey.enter)] {
            try await app.press("+")
            try await app.press("Add Collection", in: "dialog[open]")
            try await page.wait(until: "document.activeElement.matches('dialog[open] input')")
            try await page.press(name + end)
            try await page.wait(until: "!document.querySelector('dialog')")
        }
        try await page.wait(until: "document.querySelectorAll('.approw').length === 2")
        #expect(try await app.rows() == ["Books", "Trips"])
        // Whoever asks is told for what it asked.
        try await page.evaluate(
            """
            const { askName } = await import('/assets/components/sheets.js');
            askName({ title: 'T', label: 'L', action: 'A', info: { row: 7 } }).then(given => { window.given = given });
            """)
        try await page.wait(until: "document.activeElement.matches('dialog[open] input')")
        try await page.press("x" + WebKey.enter)
        try await page.wait(until: "window.given")
        #expect(try await page.evaluate("return given") == .object(["text": "x", "info": .object(["row": 7])]))
    }

    @Test(
        "after a restart the same view opens again, with those beneath; a vanished object is skipped (APP-34, BRW-55)")
    func afterRestartSameViewOpensAgain() async throws {
        let app = try await notes()
        let page = app.page
        try await app.goToList()
        try await openRow("Trips", app, shows: "Trips")
        try await openRow("Rome", app, shows: "Rome")
        try await openRow("Hotel", app, shows: "Hotel")
        try await Task.sleep(for: .milliseconds(800))
        try await app.restart()
        try await page.wait(until: "document.querySelector('h1').innerText === 'Hotel'")
        try await page.goBack()
        try await page.wait(until: "document.querySelector('h1').innerText === 'Rome'")
        try await openRow("Hotel", app, shows: "Hotel")
        try await Task.sleep(for: .milliseconds(800))
        try await app.restart { context in
            context.delete(try AppPages.find("AbstractItem", "itemName", "Hotel", context))
        }
        try await page.wait(until: "document.querySelector('h1').innerText === 'Rome'")
        #expect(try await crumbs(page) == ["Stores", "Note Collector", "Trips", "Rome"])
    }

    @Test("after a restart each tab opens its own last view again, and another tab that of the newest (BRW-55)")
    func restoredByTab() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let first = try await page.windows[0]
        try await heroes.goToHeroes()
        try await Task.sleep(for: .milliseconds(800))
        let second = try await page.openTab()
        try await heroes.go(to: "objects/\(try heroes.id("Bolt"))")
        try await page.wait(until: "document.querySelector('main h1')?.innerText === 'Bolt'")
        try await Task.sleep(for: .milliseconds(800))
        try await page.switchTab(to: first)
        try await heroes.restart()
        try await page.wait(
            until: "location.pathname.endsWith('/entities/Hero') && document.querySelector('.grid .row[data-id]')")
        try await page.switchTab(to: second)
        try await page.go(to: heroes.server.link())
        try await page.wait(until: "document.querySelector('main h1')?.innerText === 'Bolt'")
        try await Task.sleep(for: .milliseconds(800))
        try await page.openTab()
        try await page.go(to: heroes.server.link())
        try await page.wait(until: "document.querySelector('main h1')?.innerText === 'Bolt'")
    }

    @Test("a view or save that fails is reported with what to do, and the page goes on (APP-36)")
    func failuresAreReported() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "objects/Hero/p999")
        try await page.wait(until: "document.querySelector('.failed h2')")
        let told = try await page.text(of: ".failed") ?? ""
        #expect(told.contains("p999"))
        try await heroes.go(to: "entities/Heros")
        try await page.wait(until: "document.querySelector('.failed')?.innerText.includes('Hero')")
        // A save that the model's rules forbid stays staged.
        try await heroes.go(to: "objects/\(try heroes.id("Alpha"))")
        try await page.wait(until: "document.querySelector('[data-field=name]')")
        try await page.evaluate(
            "const f = document.querySelector('[data-field=name]'); f.value = ''; f.dispatchEvent(new Event('change'))")
        try await page.wait(until: "!document.querySelector('.editbar').hidden")
        try await page.click(".editbar .primary")
        try await page.wait(until: "document.querySelector('dialog[open]')?.innerText.includes('name')")
        try await page.press(WebKey.escape)
        #expect(try heroes.hero("Alpha") != nil)
        // A program that has ended is told too, and the page goes on once it is there again.
        heroes.server.stop()
        try await page.evaluate(
            "document.querySelector('.crumbs a').click()")
        try await page.wait(until: "document.querySelector('.failed')?.innerText.includes('server')")
        #expect(try await page.evaluate("return !!document.querySelector('.failed button')") == true)
    }
}
