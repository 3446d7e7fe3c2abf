import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "The browser's pages in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct PageTests {
    @Test("the printed address gives a session once; a reload keeps it, another tab gets one of its own (BRW-52)")
    func printedAddressGivesSessionOnce() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        let address = try await page.address
        #expect(!address.contains("secret") && !address.contains("code"))
        try await heroes.goToHeroes()
        try await page.reload()
        try await page.wait(until: "document.querySelector('.grid .row[data-id]')")
        let secrets =
            "return JSON.parse(Object.entries(sessionStorage).find(([key]) => key.startsWith('opencoredata:'))[1]).tab"
        let first = try await page.evaluate(secrets)
        try await page.openTab()
        try await heroes.goToHeroes()
        let second = try await page.evaluate(secrets)
        #expect(first != second)
        #expect(second != .null)
        // Another person's browser has nothing, and is told what to do.
        let stranger = try await WebDriver().open()
        try await stranger.go(to: heroes.server.address)
        try await stranger.wait(until: "document.querySelector('main input, main form, main p')")
        let text = try await stranger.text(of: "main") ?? ""
        #expect(!text.contains("SuperDB"))
    }

    @Test("a click on a header sorts, the address follows, and Back leads back (BRW-06, BRW-13)")
    func clickOnHeaderSorts() async throws {
        let heroes = try await HeroPages(isWriting: false)
        try await heroes.goToHeroes("sort=name")
        try await heroes.page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 5")
        let byName = try await heroes.names()
        #expect(byName == ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"])
        try await heroes.goToHeroes("sort=-name")
        let backwards = try await heroes.names()
        #expect(backwards == ["Echo", "Dusk", "Cinder", "Bolt", "Alpha"])
        try await heroes.page.goBack()
        try await heroes.page.wait(until: "document.querySelector('.grid .row[data-id=\"Hero/p1\"]')")
        try await heroes.page.wait(until: "location.search.includes('sort=name')")
    }

    @Test(
        "rows stand in the sections of their values, whatever the order within (BRW-06, BRW-07)",
        arguments: ["", "-name"])
    func rowsStandInSectionsOfTheirValues(sort: String) async throws {
        let heroes = try await HeroPages(isWriting: false)
        try await heroes.goToHeroes("section=sex&sort=\(sort)")
        let female = sort == "" ? "Alpha,Cinder" : "Cinder,Alpha"
        let male = sort == "" ? "Bolt,Dusk" : "Dusk,Bolt"
        let lines =
            "[...document.querySelectorAll('.grid .sectionname bdi, .grid .row[data-id]')].map(e => [e.getBoundingClientRect().top, /Alpha|Bolt|Cinder|Dusk|Echo|nil$|Female$|^Male$/.exec(e.innerText)?.[0]]).sort((a, b) => a[0] - b[0]).map(l => l[1])"
        try await heroes.page.wait(
            until: "\(lines).join() === arguments[0]", [.string("nil,Echo,Female,\(female),Male,\(male)")])
    }

    @Test("a header, the search and the predicate's Apply change the list that is shown (BRW-06, BRW-08, BRW-09)")
    func headerSearchAndPredicatesApplyChangeListThatIsShown() async throws {
        let heroes = try await HeroPages(isWriting: false)
        let page = heroes.page
        try await heroes.goToHeroes("")
        func wait(for names: [String]) async throws {
            let labels =
                "[...document.querySelectorAll('.grid .row[data-id]')].sort((a, b) => a.dataset.index - b.dataset.index)"
            try await page.wait(
                until:
                    "\(labels).map(r => /Alpha|Bolt|Cinder|Dusk|Echo/.exec(r.innerText)?.[0]).join() === arguments[0]",
                [.string(names.joined(separator: ","))])
        }
        let header =
            "[...document.querySelectorAll('.gridhead button')].find(b => b.innerText.trim().startsWith('name'))"
        try await page.evaluate("\(header).click()")
        try await wait(for: ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"])
        try await page.evaluate("\(header).click()")
        try await wait(for: ["Echo", "Dusk", "Cinder", "Bolt", "Alpha"])
        try await page.evaluate("document.querySelector('.toolbar .search').focus()")
        try await page.press("BEN")
        try await wait(for: ["Bolt"])
        try await page.goBack()
        try await page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 5")
        try await page.evaluate(
            "[...document.querySelectorAll('.toolbar button')].find(b => b.innerText === 'Predicate').click()")
        try await page.wait(until: "document.activeElement.matches('.predicaterow input')")
        try await page.press("name BEGINSWITH 'E'")
        try await page.evaluate("document.querySelector('.predicaterow .primary').click()")
        try await wait(for: ["Echo"])
    }

    @Test("a field that is changed is staged, marked and saved with one button (BRW-20)")
    func fieldThatIsChangedIsStaged() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let id = try heroes.id("Alpha")
        try await heroes.go(to: "objects/\(id)")
        try await heroes.enter("Zoë Zed", into: "secretIdentity")
        try await page.wait(until: "!document.querySelector('.editbar').hidden")
        try await page.wait(until: "document.querySelector('dd.changed')")
        var stored = try heroes.value("secretIdentity", of: "Alpha")
        #expect(stored == "Ann Archer")
        try await page.click(".editbar .primary")
        try await page.wait(
            until: "document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled")
        stored = try heroes.value("secretIdentity", of: "Alpha")
        #expect(stored == "Zoë Zed")
    }

    @Test("what is being typed stays when the page is drawn again, since another writer has saved (BRW-20, BRW-37)")
    func typedTextStaysWhenPageIsDrawnAgain() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "objects/\(try heroes.id("Echo"))")
        try await heroes.type("Echo the", into: "name")
        let other = try #require(try heroes.hero("Echo"))
        other.setValue("Eve", forKey: "secretIdentity")
        try other.managedObjectContext?.save()
        // The save is told to the page, whose field is then left alone.
        try await Task.sleep(for: .seconds(2))
        try await page.press(" Second" + WebKey.enter)
        try await page.wait(until: "document.querySelector('[data-field=name]').value === 'Echo the Second'")
        try await page.wait(until: "document.querySelector('[data-field=secretIdentity]').value === 'Eve'")
    }

    @Test("Ctrl-Z takes an edit back, Ctrl-Shift-Z makes it again (BRW-22)")
    func ctrlZTakesEditBack() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "objects/\(try heroes.id("Bolt"))")
        try await heroes.enter("Bolt II", into: "name")
        try await page.wait(until: "document.querySelector('dd.changed')")
        try await page.click("main h1")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('[data-field=name]').value === 'Bolt'")
        try await page.press("Z", holding: [WebKey.control, WebKey.shift])
        try await page.wait(until: "document.querySelector('[data-field=name]').value === 'Bolt II'")
        let stored = try heroes.value("name", of: "Bolt")
        #expect(stored == "Bolt")
    }

    @Test("Ctrl-S saves what is being typed, in a field and in a cell, where nothing else is staged (BRW-20)")
    func saveByKey() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "objects/\(try heroes.id("Bolt"))")
        try await heroes.type("Bolt II", into: "name")
        try await page.press("s", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('.toast.good')")
        #expect(try heroes.hero("Bolt II") != nil)
        try await heroes.goToHeroes()
        try await page.evaluate("document.querySelector('.grid').focus()")
        try await page.press(WebKey.right + WebKey.enter)
        try await page.wait(until: "document.activeElement.matches('.editing input')")
        try await page.evaluate("document.activeElement.select()")
        try await page.press("Aleph")
        try await page.press("s", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('.toast.good')")
        #expect(try heroes.hero("Aleph") != nil)
    }

    @Test("of two tabs that change the same, the second sees mine, theirs and base, and picks (BRW-24)")
    func ofTwoTabsThatChangeSame() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let path = "objects/\(try heroes.id("Cinder"))"
        func change(_ text: String) async throws {
            try await heroes.go(to: path)
            try await heroes.enter(text, into: "secretIdentity")
            try await page.wait(until: "document.querySelector('dd.changed')")
        }
        let first = try await page.windows[0]
        try await change("Mine")
        let second = try await page.openTab()
        try await change("Theirs")
        try await page.click(".editbar .primary")
        try await page.wait(
            until: "document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled")
        #expect(second != first)
        try await page.switchTab(to: first)
        try await page.click(".editbar .primary")
        try await page.wait(until: "document.querySelector('dialog[open]')?.innerText.includes('Theirs')")
        let text = try await page.text(of: "dialog[open]") ?? ""
        #expect(text.contains("Mine"))
        #expect(text.contains("Cora Cole"))
    }

    @Test("what another process saves is seen without asking (BRW-37)")
    func whatAnotherProcessSavesIsSeenWithoutAsking() async throws {
        let heroes = try await HeroPages(isWriting: false)
        try await heroes.goToHeroes()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.predicate = NSPredicate(format: "name == 'Dusk'")
        let hero = try #require(try heroes.store.context.fetch(request).first)
        hero.setValue("Dawn", forKey: "name")
        try heroes.store.context.save()
        try await heroes.page.wait(until: "document.querySelector('.grid').innerText.includes('Dawn')")
    }

    @Test("markup, scripts and marks that turn lines around are shown and not run (BRW-31, HAZ-26, HAZ-62)")
    func hostileValues() async throws {
        let texts = [
            "<script>window.ran = 1</script>", "<img src=x onerror='window.ran = 2'>", "\u{202E}txt.exe",
            "'; alert(1); '",
            String(repeating: "e\u{301}\u{302}\u{303}", count: 2_000), String(repeating: "x", count: 1_000_000),
        ]
        let heroes = try await HeroPages(fill: { context in
            for text in texts {
                let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
                hero.setValue(text, forKey: "name")
                hero.setValue(text, forKey: "secretIdentity")
            }
        })
        let page = heroes.page
        try await heroes.goToHeroes("")
        for key in 1...texts.count {
            try await heroes.go(to: "objects/Hero/p\(key)")
            try await page.wait(until: "document.querySelector('.objecthead')")
        }
        let ran = try await page.evaluate("return window.ran ?? null")
        #expect(ran == .null)
        let wide = try await page.evaluate("return document.documentElement.scrollWidth <= innerWidth")
        #expect(wide == true)
    }

    @Test("what was staged when the program ended is there again, for the tab that comes first (BRW-55)")
    func whatWasStagedWhenProgramEndedIsThereAgain() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let path = "objects/\(try heroes.id("Echo"))"
        try await heroes.go(to: path)
        try await heroes.enter("Echo II", into: "name")
        try await page.wait(until: "document.querySelector('dd.changed')")
        try await heroes.restart()
        try await heroes.go(to: path)
        try await page.wait(until: "document.querySelector('[data-field=name]')?.value === 'Echo II'")
        try await page.click(".editbar .primary")
        try await page.wait(
            until: "document.querySelector('.editbar').hidden || document.querySelector('.editbar .primary').disabled")
        let saved = try heroes.hero("Echo II")
        #expect(saved != nil)
        try await heroes.restart()
        try await heroes.go(to: path)
        try await page.wait(until: "document.querySelector('[data-field=name]')")
        let isHidden = try await page.evaluate("return document.querySelector('.editbar').hidden")
        #expect(isHidden == true)
    }
}
