import CoreData
import TestBrowsers
import Testing

@testable import SuperDBSample

@Suite(
    "Lists of applications in a real web browser", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct AppListTests {
    @Test("of 10,000 rows those in view are asked and drawn, with title and subtitle (APP-02)")
    func lazyRows() async throws {
        let app = try await AppPages(fill: { context in
            for number in 0..<10_000 {
                let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
                hero.setValue(String(format: "Hero %05d", number), forKey: "name")
                hero.setValue("Nobody \(number)", forKey: "secretIdentity")
            }
        })
        let page = app.page
        try await app.goToList()
        let asked = "performance.getEntriesByType('resource').filter(r => /lists.0/.test(r.name)).length"
        let drawn = "document.querySelectorAll('.approw').length"
        var counts = try await page.evaluate("return [\(asked), \(drawn)]").elements.compactMap(\.number)
        #expect(counts[0] <= 2)
        #expect(counts[1] > 5 && counts[1] < 60)
        let first = try await page.text(of: ".approw")
        #expect(first?.contains("Hero 00000") == true && first?.contains("Nobody 0") == true)
        try await page.evaluate("const s = document.querySelector('.appscroll'); s.scrollTop = s.scrollHeight")
        try await page.wait(until: "document.querySelector('.approws').innerText.includes('Hero 09999')")
        counts = try await page.evaluate("return [\(asked), \(drawn)]").elements.compactMap(\.number)
        #expect(counts[0] <= 4)
        #expect(counts[1] < 60)
    }

    @Test("what another process saves inserts, deletes, moves and updates just those rows (APP-04)")
    func liveRows() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        // Rows are marked, so that one that is made anew is known by its missing mark.
        try await page.evaluate("document.querySelectorAll('.approw').forEach(row => { row.mark = row.innerText })")
        try app.save { context in
            try AppPages.find("Hero", "name", "Bolt", context).setValue("Betty", forKey: "secretIdentity")
            context.delete(try AppPages.find("Hero", "name", "Cinder", context))
            try AppPages.find("Hero", "name", "Alpha", context).setValue("Zero", forKey: "name")
            NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context).setValue("Cosmo", forKey: "name")
        }
        try await page.wait(until: "document.querySelector('.approws').innerText.includes('Betty')")
        #expect(try await app.rows() == ["Bolt", "Cosmo", "Dusk", "Echo", "Zero"])
        let kept = try await page.evaluate(
            "return [...document.querySelectorAll('.approw')].filter(r => r.mark).map(r => r.querySelector('strong').innerText).sort()"
        )
        #expect(kept.elements.compactMap(\.text) == ["Dusk", "Echo"])
        // One object that is changed draws one row.
        try await page.evaluate("document.querySelectorAll('.approw').forEach(row => { row.mark = row.innerText })")
        try app.save { try AppPages.find("Hero", "name", "Echo", $0).setValue("Eve", forKey: "secretIdentity") }
        try await page.wait(until: "document.querySelector('.approws').innerText.includes('Eve')")
        let drawn = try await page.evaluate(
            "return [...document.querySelectorAll('.approw')].filter(r => !r.mark).map(r => r.innerText)")
        #expect(drawn.elements.count == 1)
    }

    @Test("a list whose sections have another number of rows than its total is reported with both numbers (APP-04)")
    func wrongCounts() async throws {
        let app = try await AppPages()
        let told = try await app.page.evaluate(
            """
            const { AppRows } = await import('/assets/components/appRows.js');
            let told = [];
            const rows = new AppRows({ ask: async () => ({}), draw: () => document.createElement('div'), wrong: (...n) => { told = n } });
            rows.take({ total: 6, offset: 0, rows: [], sections: [{ name: 'A', indexTitle: 'A', offset: 0, count: 5 }] });
            return told;
            """)
        #expect(told.elements.compactMap(\.number) == [5, 6])
    }

    @Test("a row has the colour of its attribute and a text that can be read on it (APP-41)")
    func rowHasColourOfItsAttributeAndTextThatCanBeRead() async throws {
        let app = try await AppPages(keys: ["rowColorKey": "favoriteColor"])
        try await app.goToList()
        try await app.page.evaluate(
            """
            const { editsOf } = await import('/assets/base/edits.js');
            const ids = [...document.querySelectorAll('.approw')].sort((a, b) => a.dataset.index - b.dataset.index).map(row => row.dataset.id);
            const set = (id, value) => ({ do: 'set', object: id, key: 'favoriteColor', value });
            await editsOf(arguments[0]).stage('Colour', [set(ids[0], [0.2, 0.1, 0, 1]), set(ids[1], [0.9, 0.95, 1, 1])]);
            await editsOf(arguments[0]).save();
            """, [.string(app.storeID)])
        try await app.page.wait(
            until: """
                getComputedStyle(document.querySelector('.approw[data-index="1"]')).backgroundColor !== 'rgb(255, 255, 255)'
                """)
        let styles = try await app.page.evaluate(
            """
            return [...document.querySelectorAll('.approw.coloured')].sort((a, b) => a.dataset.index - b.dataset.index)
                .slice(0, 3).flatMap(row => [getComputedStyle(row).backgroundColor, getComputedStyle(row.querySelector('a')).color])
            """)
        #expect(
            styles.elements.compactMap(\.text) == [
                "rgb(51, 26, 0)", "rgb(255, 255, 255)", "rgb(230, 242, 255)", "rgb(0, 0, 0)",
                "rgb(255, 255, 255)", "rgb(0, 0, 0)",
            ])
    }

    @Test("a list that says so shades every other row (APP-41)")
    func listThatSaysSoShadesEveryOtherRow() async throws {
        let app = try await AppPages(keys: ["rowShading": true])
        try await app.goToList()
        let shaded = try await app.page.evaluate(
            "return [...document.querySelectorAll('.approw.shaded')].map(row => row.dataset.index).sort()")
        #expect(shaded.elements.compactMap(\.text) == ["1", "3"])
        let backgrounds = try await app.page.evaluate(
            """
            return new Set([...document.querySelectorAll('.approw')].map(r => getComputedStyle(r).backgroundColor)).size
            """)
        #expect(backgrounds == 2)
    }

    @Test("what a list saved at once is taken back by Ctrl-Z and done again by Ctrl-Shift-Z (APP-32)")
    func whatListSavedAtOnceIsTakenBackByCtrlZAndDoneAgainByCtrl() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        try await app.press("Edit")
        try await page.click(".approw .danger")
        try await page.click("dialog[open] footer .danger")
        try await page.wait(until: "!document.querySelector('.approws').innerText.includes('Alpha')")
        try await page.wait(until: "document.querySelector('.steps button:not(:disabled)')")
        try await page.press("z", holding: [WebKey.control])
        try await page.wait(until: "document.querySelector('.approws').innerText.includes('Alpha')")
        #expect(try app.names().sorted() == ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"])
        try await page.press("z", holding: [WebKey.control, WebKey.shift])
        try await page.wait(until: "!document.querySelector('.approws').innerText.includes('Alpha')")
        #expect(try app.count() == 4)
    }
}
