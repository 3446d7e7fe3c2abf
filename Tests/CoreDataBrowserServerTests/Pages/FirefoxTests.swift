import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBasics
import TestBrowsers
import Testing

/// Left out of `make test`, and run by `make test-all`: see Scripts/run-tests.
@Suite("The browser's pages in Firefox", .enabled(if: FirefoxPage.isInstalled, "Firefox is not installed"))
struct FirefoxTests {
    @Test(
        "Firefox opens the printed address, shows a list and an object, without an error of a script (BRW-54)"
    )
    func firefoxOpensPrintedAddress() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("SuperDB.sqlite")
        let stack = try Stack(SuperDB.model(), url: file)
        SuperDB.fill(stack.context)
        try stack.context.save()
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        let browser = Browser(options: options)
        try browser.open(file, isWriting: true)
        let server = try BrowserServer(browser)
        defer { server.stop() }
        let page = try await FirefoxPage()
        try page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main a')")
        try page.go(to: server.address + browser.named("stores/1/entities/Hero?sort=name"))
        try await page.wait(until: "document.querySelectorAll('.grid .row[data-id]').length === 5")
        let names = try page.evaluate("return document.querySelector('.grid').innerText").text ?? ""
        #expect(["Alpha", "Bolt", "Cinder", "Dusk", "Echo"].allSatisfy(names.contains))
        let isDrawn = try page.evaluate(
            "const box = document.querySelector('.grid .row[data-id]').getBoundingClientRect(); return box.width > 200 && box.height > 20"
        )
        #expect(isDrawn == true)
        try page.go(to: server.address + browser.named("stores/1/objects/Hero/p1"))
        try await page.wait(until: "document.querySelector('[data-field=name]')?.value === 'Alpha'")
        #expect(try page.errors(from: server.address) == [])
        // What is to find errors finds one.
        try page.evaluate(
            "const s = document.createElement('script'); s.type = 'module'; s.src = '/assets/strings/en.json'; document.head.append(s)"
        )
        await eventually("the error") { (try? page.errors(from: server.address))?.isEmpty == false }
    }
}
