import CoreData
import CoreDataBrowserServer
import SQLiteKit
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "What the server says, on a German page", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"), .timeLimit(.minutes(3)))
struct ServerTextPageTests {
    private static func germanPages() async throws -> HeroPages {
        let heroes = try await HeroPages()
        try await heroes.page.evaluate(
            "localStorage.setItem('opencoredata:settings', JSON.stringify({ language: 'de' }))")
        return heroes
    }

    @Test("a wrong predicate, an unknown property and an object that does not exist are reported in German (BRW-54)")
    func failuresOfViews() async throws {
        let heroes = try await Self.germanPages()
        let failures = [
            ("entities/Hero?where=name%20%3D", "das Ende des Textes gefunden, ein Wert oder ein Schlüssel erwartet"),
            ("entities/Hero?where=nmae%20%3D%20%22a%22", "die Entität „Hero“ hat keine Eigenschaft „nmae“"),
            ("objects/Hero/p999", "dieses Objekt gibt es im Store nicht"),
        ]
        for (path, text) in failures {
            try await heroes.go(to: path)
            try await heroes.page.wait(
                until: "document.querySelector('.state.failed')?.innerText.includes(arguments[0])", [.string(text)])
            let english = try await heroes.page.evaluate("return document.querySelector('.state.failed [lang=en]')")
            #expect(english == .null, "\(path)")
        }
    }

    @Test("a lock is reported in German until the next save is done (BRW-20, BRW-54)")
    func lockIsReportedUntilNextSave() async throws {
        let heroes = try await Self.germanPages()
        let page = heroes.page
        try await heroes.go(to: "objects/\(try heroes.id("Bolt"))")
        try await heroes.enter("Bolt II", into: "name")
        try await page.wait(until: "document.querySelector('dd.changed')")
        let other = try Connection.open(heroes.store.url.path)
        try other.execute("BEGIN EXCLUSIVE")
        try await page.click(".editbar .primary")
        let lock = "ein anderes Programm benutzt den Store"
        try await page.wait(until: "document.querySelector('.toast.error')?.innerText.includes('\(lock)')")
        try other.execute("ROLLBACK")
        other.close()
        try await page.click(".editbar .primary")
        try await page.wait(until: "document.querySelector('.toast.good')")
        let errors = try await page.evaluate("return document.querySelectorAll('.toast.error').length").number
        #expect(errors == 0)
        #expect(try heroes.hero("Bolt II") != nil)
    }
}
