import CoreData
import CoreDataBrowserServer
import TestBrowsers
import Testing

@Suite("The page of SQL in Chromium", .serialized, .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct SQLConsolePageTests {
    private static let field = "textarea.sqltext"
    private static let rows =
        "[...document.querySelectorAll('.result tbody tr')].map(r => r.innerText.replaceAll('\\t', '|'))"

    private func pages() async throws -> HeroPages {
        let pages = try await HeroPages()
        try await pages.go(to: "sql")
        try await pages.page.wait(until: "document.querySelector('textarea.sqltext')")
        return pages
    }

    private func texts(_ script: String, _ page: WebPage) async throws -> [String] {
        try await page.evaluate("return \(script)").elements.compactMap(\.text)
    }

    @Test("names are completed by what they are in the model, and Ctrl-Enter runs the statement (BRW-46)")
    func completesAndRuns() async throws {
        let pages = try await pages()
        let page = pages.page
        try await page.type("SELECT h. FROM ZHERO h ORDER BY 1", into: Self.field)
        try await page.evaluate("document.querySelector('textarea.sqltext').setSelectionRange(9, 9)")
        try await page.press("sec")
        try await page.wait(
            until: "document.querySelector('.completions li')?.innerText.includes('Hero.secretIdentity')")
        try await page.press(WebKey.down)
        #expect(
            try await page.evaluate(
                "return document.querySelector('textarea.sqltext').getAttribute('aria-activedescendant')"
            ).text?.isEmpty == false)
        try await page.press(WebKey.enter)
        let text = try await page.evaluate("return document.querySelector('textarea.sqltext').value").text
        #expect(text == "SELECT h.ZSECRETIDENTITY FROM ZHERO h ORDER BY 1")
        try await page.press(WebKey.enter, holding: [WebKey.control])
        try await page.wait(until: "document.querySelectorAll('.result tbody tr').length === 5")
        #expect(try await texts(Self.rows, page).first == "Ann Archer")
        let heading = try await page.text(of: ".result thead th")
        #expect(heading?.contains("ZSECRETIDENTITY") == true && heading?.contains("Hero.secretIdentity") == true)
        #expect(try await page.text(of: ".resultstatus")?.contains("5 rows") == true)
    }

    @Test("parameters are a form, the address has everything, and Back and reload ask again (BRW-46)")
    func parametersAndAddress() async throws {
        let pages = try await pages()
        let page = pages.page
        try await page.type("SELECT ZNAME, ZBIRTHDATE FROM ZHERO WHERE ZSEX IS :sex ORDER BY ZNAME", into: Self.field)
        try await page.type("Male", into: "[data-parameter=':sex']")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelectorAll('.result tbody tr').length === 2")
        #expect(try await texts(Self.rows, page)[1] == "Dusk|-652320000 1980-05-01 00:00:00")
        let address = try await page.address
        #expect(address.contains("run=1") && address.contains("p%3Asex=Male"), "\(address)")
        try await page.reload()
        try await page.wait(until: "document.querySelectorAll('.result tbody tr').length === 2")
        #expect(try await page.evaluate("return document.querySelector('[data-parameter]').value").text == "Male")
        try await page.clear("[data-parameter=':sex']")
        try await page.click(".consoletools button.primary")
        try await page.wait(until: "\(Self.rows).join() === 'Echo|NULL'")
        // Without run=1 nothing is asked.
        try await page.go(to: address.replacing("&run=1", with: ""))
        try await page.wait(until: "document.querySelector('.resultplace h2')?.innerText === 'No statement yet'")
    }

    @Test("what is wrong is shown with its place, and what would write is refused (BRW-46)")
    func whatIsWrongIsShownWithItsPlace() async throws {
        let pages = try await pages()
        let page = pages.page
        try await page.type("SELECT ZNOME FROM ZHERO", into: Self.field)
        try await page.wait(
            until: "document.querySelector('.predicateerror')?.innerText.includes('no such column: ZNOME')")
        #expect(try await page.text(of: ".predicateerror pre")?.hasSuffix("       ^") == true)
        try await page.clear(Self.field)
        try await page.type("DELETE FROM ZHERO", into: Self.field)
        try await page.press(WebKey.enter, holding: [WebKey.control])
        try await page.wait(
            until: "document.querySelector('.resultplace [role=alert]')?.innerText.includes('would delete from ZHERO')")
        #expect(try pages.hero("Alpha") != nil)
    }

    @Test("a statement without end is cut by time or stopped, and says so (BRW-46)")
    func statementWithoutEndIsCutByTimeOrStopped() async throws {
        let pages = try await pages()
        let page = pages.page
        let sql = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x %2B 1 FROM c) SELECT max(x) FROM c".replacing(
            " ", with: "+")
        try await pages.go(to: "sql?query=\(sql)&timeout=1&run=1")
        try await page.wait(until: "document.querySelector('.stopped')?.innerText === 'incomplete: time limit reached'")
        try await pages.go(to: "sql?query=\(sql)&timeout=60&run=1")
        try await page.wait(until: "document.querySelector('.resultplace .spinner')")
        try await page.evaluate(
            "[...document.querySelectorAll('.consoletools button')].find(b => b.innerText === 'Stop').click()")
        try await page.wait(until: "document.querySelector('.resultplace h2')?.innerText === 'Stopped'")
    }

    @Test("results are saved as CSV and JSON, the latter as the command prints it (BRW-46)")
    func resultsAreSavedAsCSVAndJSON() async throws {
        let pages = try await pages()
        let page = pages.page
        try await pages.go(to: "sql?query=SELECT+ZNAME+FROM+ZHERO+ORDER+BY+1&limit=2&run=1")
        try await page.wait(until: "document.querySelector('.result')")
        #expect(try await page.text(of: ".stopped") == "row limit reached, there are more")
        try await page.evaluate(
            "window.saved = []; URL.createObjectURL = (blob) => { blob.text().then(t => window.saved.push(t)); return 'blob:x'; }"
        )
        for form in ["CSV", "JSON"] { try await page.click("[aria-label='Save as \(form)']") }
        try await page.wait(until: "window.saved.length === 2")
        let saved = try await texts("window.saved.sort()", page)
        #expect(saved.first == "ZNAME\r\nAlpha\r\nBolt\r\n")
        #expect(saved.last?.contains("\"stopped\": \"rows\"") == true)
    }

    @Test("the console is reached from the side and by the palette, and its tables write names (BRW-46)")
    func consoleIsReachedFromSideAndByPalette() async throws {
        let pages = try await pages()
        let page = pages.page
        try await page.wait(until: "document.querySelector('.sidefoot [aria-current]')?.innerText === 'SQL'")
        try await page.click(".sqltables > summary")
        try await page.evaluate(
            "[...document.querySelectorAll('.sqltables li summary')].find(s => s.innerText.includes('ZHERO')).click()")
        try await page.evaluate(
            "[...document.querySelectorAll('.sqlcolumns button')].find(b => b.innerText === 'ZSEX').click()")
        #expect(try await page.evaluate("return document.querySelector('textarea.sqltext').value").text == "ZSEX")
        try await pages.goToHeroes()
        try await page.press("k", holding: [WebKey.control])
        try await page.type("SQL", into: "dialog input")
        try await page.press(WebKey.enter)
        try await page.wait(until: "document.querySelector('main h1')?.innerText === 'SQL'")
    }
}
