import CoreData
import CoreDataBrowserServer
import SQLiteKit
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "The check of a store in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct StoreCheckViewTests {
    /// A store in which a power leads to a hero that is not there.
    private static func damaged(_ file: URL) throws {
        let stack = try Stack(SuperDB.model(), url: file)
        SuperDB.fill(stack.context)
        stack.context.insert("Power", ["name": "Flight"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let connection = try Connection.open(file.path)
        try connection.execute("UPDATE ZPOWER SET ZHERO = 999")
        connection.close()
    }

    @Test("findings lead to their objects, and a repair that was asked for makes the store sound (BRW-49)")
    func findingsLeadToTheirObjects() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let file = heroes.store.url.deletingLastPathComponent().appendingPathComponent("Damaged.sqlite")
        try Self.damaged(file)
        try heroes.browser.open(file)
        try await page.go(to: heroes.address("stores/2/check"))
        try await page.wait(until: "document.querySelector('main .change.deleted a[href$=\"/objects/Power/p1\"]')")
        #expect(try await page.text(of: "main")?.contains("1 finding") == true)
        #expect(try await page.text(of: "main")?.contains("Switch writing on") == true)
        try await page.click(".side input[role=switch]")
        try await page.click("main button.primary")
        try await page.wait(until: "document.querySelector('dialog[open] footer .primary')")
        #expect(try await page.text(of: "dialog")?.contains("after a backup") == true)
        try await page.click("dialog[open] footer .primary")
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('The store is sound.')")
        let text = try #require(try await page.text(of: "main"))
        #expect(text.contains("1 change was made") && text.contains("Damaged.before-repair.sqlite"), "\(text)")
        try await page.reload()
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('The store is sound.')")
        #expect(try await page.evaluate("return document.querySelectorAll('main button.primary').length").number == 0)
    }
}
