import CoreData
import CoreDataBrowserServer
import TestBrowsers
import Testing

@Suite(
    "SuperDB in a real web browser", .serialized, .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct AppPageTests {
    @Test("the list of heroes by tabs, Edit, delete and Done (SAMPLE-02, APP-05, APP-06, APP-07)")
    func listOfHeroesByTabs() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        #expect(try await app.rows() == ["Alpha", "Bolt", "Cinder", "Dusk", "Echo"])
        try await page.evaluate(
            "[...document.querySelectorAll('.apptools button')].find(b => b.innerText === 'By Secret Identity').click()"
        )
        try await page.wait(until: "document.querySelector('.approw a')?.innerText.startsWith('Ann Archer')")
        // The choice is kept.
        try await app.goToList()
        try await page.wait(until: "document.querySelector('.approw a')?.innerText.startsWith('Ann Archer')")
        try await page.evaluate(
            "[...document.querySelectorAll('.apptools button')].find(b => b.innerText === 'Edit').click()")
        let isDisabled = try await page.evaluate("return document.querySelector('.apptools .primary').disabled")
        #expect(isDisabled == true)
        try await page.click(".approw .danger")
        try await page.click("dialog[open] .danger")
        try await page.wait(until: "!document.querySelector('.approws').innerText.includes('Ann Archer')")
        let count = try app.count()
        #expect(count == 4)
    }

    @Test(
        "a form is edited and saved; a broken rule is reported, Cancel restores the value (SAMPLE-03, APP-22, APP-23)")
    func formIsEditedAndSaved() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        try await page.click(".approw a")
        try await page.wait(until: "document.querySelector('.appform')")
        let texts = try await page.text(of: ".appform") ?? ""
        #expect(texts.contains("Ann Archer"))
        try await app.press("Edit")
        try await page.wait(until: "document.querySelector('.appform input')")
        // The name is the first field.
        try await page.evaluate("document.querySelector('.appform input').select()")
        try await page.type("Omega", into: ".appform input")
        try await app.press("Save")
        try await page.wait(until: "document.querySelector('main h1')?.innerText.includes('Omega')")
        #expect(try app.names().contains("Omega"))
        try await app.press("Edit")
        try await page.evaluate(
            "const f = document.querySelector('.appform input'); f.value = ''; f.dispatchEvent(new Event('input')); f.dispatchEvent(new Event('change'))"
        )
        try await page.wait(until: "document.querySelector('dialog[open]')")
        let alert = try await page.text(of: "dialog[open]") ?? ""
        #expect(alert.contains("Validation"))
        try await page.evaluate(
            "[...document.querySelectorAll('dialog[open] button')].find(b => b.innerText === 'Cancel').click()")
        try await page.wait(until: "document.querySelector('.appform input')?.value === 'Omega'")
    }

    @Test("a report's row opens the form of its hero, and so on (SAMPLE-05, APP-27, APP-29)")
    func reportsRowOpensFormOfItsHero() async throws {
        let app = try await AppPages()
        let page = app.page
        try await app.goToList()
        try await page.click(".approw a")
        for _ in 0..<3 {
            try await page.wait(
                until: "[...document.querySelectorAll('.appline')].some(a => a.innerText.includes('Opposite Sex'))")
            try await page.evaluate(
                "[...document.querySelectorAll('a.appline')].find(a => a.innerText.includes('Opposite Sex')).click()")
            try await page.wait(
                until: "location.pathname.includes('/reports/') && document.querySelector('main ul a, main li a')")
            try await page.evaluate("document.querySelector('main ul a, main li a').click()")
            try await page.wait(until: "location.pathname.includes('/forms/')")
        }
        for _ in 0..<6 { try await page.goBack() }
        try await page.wait(
            until:
                "location.pathname.includes('/forms/') && document.querySelector('main h1')?.innerText.includes('Alpha')"
        )
    }
}
