import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Two stores beside each other in Chromium", .serialized,
    .enabled(if: HeroPages.isPossible, "chromedriver is not installed"))
struct CompareViewTests {
    @Test(
        "differences are shown with both values, and a chosen one is copied over when it was agreed to (BRW-50, BRW-36)"
    )
    func differencesAreShownWithBothValues() async throws {
        let heroes = try await HeroPages()
        let page = heroes.page
        let other = heroes.store.url.deletingLastPathComponent().appendingPathComponent("Other.sqlite")
        let stack = try Stack(SuperDB.model(), url: other)
        SuperDB.fill(stack.context)
        try stack.context.save()
        let hero = try #require(try stack.context.all("Hero").first { $0.value(forKey: "name") as? String == "Alpha" })
        hero.setValue("Another", forKey: "name")
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let right = try heroes.browser.open(other, isWriting: true)
        let left = try #require(heroes.browser.core.shown.first).id
        try await page.go(to: heroes.server.address + "compare?left=\(left)&right=\(right)&kind=changed")
        try await page.wait(until: "document.querySelector('main li.change.updated table')")
        let text = try #require(try await page.text(of: "main"))
        #expect(text.contains("Another") && text.contains("Alpha") && text.contains("Compare stores"), "\(text)")
        try await page.click("main li.change input[type=checkbox]")
        try await page.evaluate(
            "[...document.querySelectorAll('main button')].find((b) => b.textContent.includes('Other.sqlite')).click()")
        try await page.wait(until: "document.querySelector('dialog[open] footer .primary')")
        #expect(try await page.text(of: "dialog")?.contains("1 updated") == true)
        try await page.click("dialog[open] footer .primary")
        try await page.wait(
            until: "!document.querySelector('main li.change') && document.querySelector('main .state h2')")
        #expect(try Self.names(other).contains("Alpha"))
        try await page.go(to: heroes.server.address + "compare/models?left=\(left)&right=\(right)")
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('No migration is needed')")
    }

    private static func names(_ file: URL) throws -> [String] {
        let stack = try Stack(SuperDB.model(), url: file)
        defer { try? stack.coordinator.remove(stack.store) }
        return try stack.context.all("Hero").compactMap { $0.value(forKey: "name") as? String }
    }
}
