import CoreData
import CoreDataBrowserServer
import StoreContract
import Synchronization
import TestBasics
import TestBrowsers
import TestServers
import Testing

/// The view of a store's subscriptions.
@Suite("Subscriptions in a browser", .enabled(if: HeroPages.isPossible), .timeLimit(.minutes(4)))
struct SubscriptionViewTests {
    private func service() throws -> (ScriptedServer, Names) {
        let names = Names()
        let server = try ScriptedServer { _, reply in
            let items = names.all.map { "<item><title>\($0)</title><guid>\($0)</guid></item>" }.joined()
            try reply.respond(
                200, ["Content-Type: application/rss+xml"],
                text: "<rss version=\"2.0\"><channel><title>News</title>\(items)</channel></rss>")
        }
        return (server, names)
    }

    private static func choose(_ page: WebPage, _ selector: String, _ value: String, _ event: String) async throws {
        try await page.evaluate(
            """
            const field = document.querySelector('\(selector)');
            field.value = '\(value)';
            field.dispatchEvent(new Event('\(event)'));
            """)
    }

    @Test("a feed is previewed, subscribed to, refreshed, also by itself while it is due, and left (WEB-11)")
    func life() async throws {
        let (server, names) = try service()
        defer { server.stop() }
        let heroes = try await HeroPages(importHosts: ["127.0.0.1"])
        let page = heroes.page
        try await heroes.go(to: "subscriptions")
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('No subscriptions')")
        #expect(try await page.evaluate("return document.querySelector('.importrun .primary').disabled").flag == true)
        try await Self.choose(page, "#subscription-url", server.url("/feed").absoluteString, "input")
        try await Self.choose(page, "main .importsource select[aria-label=Entity]", "Hero", "change")
        try await page.click("main .importrun button[type=submit]")
        try await page.wait(until: "document.querySelector('.importreport')?.innerText.includes('Zeta')")
        #expect(try heroes.hero("Yota") == nil)
        // What is typed afterwards was not shown.
        try await Self.choose(page, "#subscription-interval", "3600", "change")
        #expect(try await page.evaluate("return document.querySelector('.importrun .primary').disabled").flag == true)
        try await page.click("main .importrun button[type=submit]")
        try await page.wait(until: "!document.querySelector('.importrun .primary').disabled")
        try await page.click("main .importrun .primary")
        let row = "document.querySelector('main li[data-url]')"
        try await page.wait(until: "\(row)?.innerText.includes('New entries imported')")
        #expect(try await page.evaluate("return \(row).innerText").text?.contains("1 hour") == true)
        #expect(try heroes.hero("Yota") != nil)
        names.add("Phi")
        try await page.click("main li[data-url] button")
        await eventually("the third entry") { (try? heroes.hero("Phi")) != nil }
        names.add("Omega")
        try Self.makeDue(heroes.store.url)
        try await page.reload()
        await eventually("a refresh without a click", within: .seconds(40)) { (try? heroes.hero("Omega")) != nil }
        try await page.wait(until: "!\(row).querySelector('button').disabled")
        try await page.click("main li[data-url] button:last-child")
        try await page.wait(until: "document.querySelector('dialog footer .primary')")
        try await page.click("dialog footer .primary")
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('No subscriptions')")
        #expect(try heroes.hero("Omega") != nil)
    }

    /// Notes in the store that its subscriptions were asked for long ago.
    private static func makeDue(_ file: URL) throws {
        let store = try OpenStore(at: file, model: nil, for: .editing)
        defer { store.close() }
        for var subscription in Subscription.all(in: store.coordinator.metadata(for: store.store)) {
            subscription.asked = Date(timeIntervalSinceNow: -7_200)
            try subscription.save(in: store)
        }
    }

    @Test("a URL of this machine is refused with the reason, and who reads only has no form (WEB-11, WEB-13)")
    func refusals() async throws {
        let (server, _) = try service()
        defer { server.stop() }
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "subscriptions")
        try await page.wait(until: "document.querySelector('#subscription-url')")
        try await Self.choose(page, "#subscription-url", server.url("/feed").absoluteString, "input")
        try await Self.choose(page, "main .importsource select[aria-label=Entity]", "Hero", "change")
        try await page.click("main .importrun button[type=submit]")
        try await page.wait(until: "document.querySelector('main .failed')?.innerText.includes('private network')")
        #expect(server.connectionCount == 0)
        try await page.evaluate("document.querySelector('.side input[role=switch]').click()")
        try await page.wait(until: "!document.querySelector('#subscription-url')")
    }
}

/// The names that the feed has.
private final class Names: Sendable {
    private let names = Mutex(["Yota", "Zeta"])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
}
