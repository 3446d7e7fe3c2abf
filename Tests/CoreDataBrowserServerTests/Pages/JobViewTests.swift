import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import TestServers
import Testing

@Suite(
    "Jobs and imports by mapping in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct JobViewTests {
    /// Chooses a file in the view of imports.
    private func choose(_ page: WebPage, _ script: String, name: String) async throws {
        try await page.wait(until: "document.querySelector('main input[type=file]')")
        try await page.evaluate(
            """
            const files = new DataTransfer();
            files.items.add(new File([\(script)], '\(name)'));
            const input = document.querySelector('main input[type=file]');
            input.files = files.files;
            input.dispatchEvent(new Event('change'));
            """)
    }

    private static let many = "'name\\n' + Array.from({ length: 300000 }, (_, i) => `Hero ${i}\\n`).join('')"

    @Test("a running import is a row that a reload and another tab show, and is cancelled there (CONC-06, CONC-05)")
    func runningImport() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "import")
        try await choose(page, Self.many, name: "heroes.csv")
        try await page.wait(until: "document.querySelector('main .importrun button.primary')")
        try await page.click("main .importrun button.primary")
        try await page.wait(
            until: "/^Completed [1-9]/.test(document.querySelector('main .job .line:last-child')?.innerText ?? '')")
        try await page.wait(until: "location.search.includes('job=')")
        try await page.reload()
        try await page.wait(until: "document.querySelector('main .importreport .job[data-state=running]')")
        try await page.openTab()
        // On a busy machine the first tab may not lend its session in time.
        for _ in 0..<10 {
            try await heroes.go(to: "jobs")
            try await page.wait(until: "document.querySelector('main h1, main form')")
            if try await page.evaluate("return document.querySelector('main h1')?.textContent").text == "Jobs" { break }
        }
        try await page.wait(until: "document.querySelector('main .job[data-state=running] progress')")
        try await page.wait(until: "document.querySelector('main .job')?.innerText.includes(' of ')")
        // The list of heroes answers while the import is at work.
        try await page.wait(until: "document.querySelector('.side [data-jobs]')?.textContent === '1'")
        try await page.evaluate(
            "[...document.querySelectorAll('main .job button')].find(b => b.innerText === 'Cancel').click()")
        try await page.wait(until: "document.querySelector('main .job')?.innerText.includes('Cancelled...')")
        try await page.wait(
            until:
                "!document.querySelector('main .job') && document.querySelector('main').innerText.includes('No jobs')")
        #expect(try heroes.hero("Hero 1") == nil)
    }

    @Test("a guessed mapping is corrected in the table, tried, imported and taken back (WEB-06, BRW-48)")
    func guessedMapping() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "import")
        let document = """
            JSON.stringify({ people: [{ name: 'Yota', civil: 'Yve', birthDate: '03.02.2001' },
                { name: 'Zeta', civil: 'Zoe', birthDate: 'long ago' }] })
            """
        try await choose(page, document, name: "people.json")
        try await page.wait(
            until: "document.querySelector('.mappingrows tr[data-property=name] input')?.value === 'name'")
        let entity = "document.querySelector('main .formgrid select[aria-label=Entity]').value"
        #expect(try await page.evaluate("return \(entity)").text == "Hero")
        try await page.evaluate(
            """
            const row = document.querySelector('.mappingrows tr[data-property=birthDate]');
            const select = row.querySelector('td:nth-child(3) select');
            select.value = 'pattern';
            select.dispatchEvent(new Event('change'));
            const pattern = row.querySelector('td:nth-child(3) input');
            pattern.value = 'dd.MM.yyyy';
            pattern.dispatchEvent(new Event('input'));
            const add = document.querySelector('.mappingrows select[aria-label^=Add]');
            add.value = 'secretIdentity';
            add.dispatchEvent(new Event('change'));
            const path = document.querySelector('.mappingrows tr[data-property=secretIdentity] input');
            path.value = 'civil';
            path.dispatchEvent(new Event('input'));
            """)
        try await page.wait(
            until: "document.querySelector('.mappingtext textarea').value.includes('secretIdentity = civil;')")
        try await page.click("main .importrun button:not(.primary)")
        try await page.wait(until: "document.querySelector('.importreport .rules')?.innerText.includes('birthDate')")
        #expect(try heroes.hero("Yota") == nil)
        try await page.click("main input[type=checkbox]:not([role=switch])")
        try await page.click("main .importrun button.primary")
        try await page.wait(
            until: "[...document.querySelectorAll('main h2')].some((x) => x.textContent === 'Imported')")
        #expect(try heroes.value("secretIdentity", of: "Yota") == "Yve")
        try await page.click(".importreport p.line button")
        try await page.wait(until: "document.querySelector('.importreport')?.innerText.includes('was taken back')")
        #expect(try heroes.hero("Yota") == nil)
    }

    @Test("a URL of this machine is refused with the reason (WEB-13)")
    func privateURL() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(text: "name\nYota\n") }
        defer { server.stop() }
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "import")
        try await page.wait(until: "document.querySelector('main input[type=url]')")
        try await page.evaluate(
            "document.querySelector('main input[type=url]').value = '\(server.url("/heroes.csv").absoluteString)'")
        try await page.click("main .importsource button")
        try await page.wait(until: "document.querySelector('main .failed')?.innerText.includes('private network')")
        #expect(server.connectionCount == 0)
    }
}
