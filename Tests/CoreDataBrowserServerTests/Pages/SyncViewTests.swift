import CoreData
import CoreDataBrowserServer
import CoreDataSyncing
import StoreContract
import TestBasics
import TestBrowsers
import Testing

/// The view of a store's peers.
@Suite(
    "Sync in a browser", .enabled(if: HeroPages.isPossible, "chromedriver is not installed"), .timeLimit(.minutes(4)))
struct SyncViewTests {
    @Test("peers are shown, an exchange brings their changes, and a peer is forgotten (SYNC-12, BRW-56)")
    func life() async throws {
        let folder = try TemporaryFolder()
        let transport = FolderTransport(folder.url.appendingPathComponent("shared"))
        let heroes = try await HeroPages()
        let page = heroes.page
        try await heroes.go(to: "sync")
        try await page.wait(until: "document.querySelector('main code')?.innerText.includes('coredata sync init')")

        let first = try SyncSession(heroes.store.store, over: transport)
        try await first.join(.founding)
        let stack = try Stack(
            SuperDB.model(), url: folder.url.appendingPathComponent("Device.sqlite"),
            options: [NSPersistentHistoryTrackingKey: true])
        let second = try SyncSession(stack.store, over: transport)
        try await second.join(.joining)
        try await first.exchange()
        try await second.exchange()
        try stack.context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Hero", into: stack.context)
                .setValue("Yota", forKey: "name")
            try stack.context.save()
        }
        try await second.exchange()

        try await page.reload()
        try await page.wait(until: "document.querySelector('main [data-sync=false]')?.innerText === 'Not in sync'")
        #expect(try await page.evaluate("return document.querySelectorAll('main tr[data-peer]').length").number == 2)
        try await page.click("main .line .primary")
        await eventually("the other device's hero") { (try? heroes.hero("Yota")) != nil }
        try await second.exchange()
        try await page.wait(until: "!document.querySelector('main .line .primary').disabled")
        try await page.click("main .line .primary")
        try await page.wait(until: "document.querySelector('main [data-sync=true]')?.innerText === 'In sync'")

        try await page.wait(until: "!document.querySelector('main tr[data-peer] button').disabled")
        try await page.click("main tr[data-peer] button")
        try await page.wait(until: "document.querySelector('dialog footer .primary')")
        try await page.click("dialog footer .primary")
        try await page.wait(
            until: "document.querySelector('main tr[data-peer]:last-child')?.innerText.includes('forgotten')")
        // Who reads only sees all this, and changes nothing.
        try await page.evaluate("document.querySelector('.side input[role=switch]').click()")
        try await page.wait(until: "document.querySelector('main .line .primary').disabled")
        try await page.wait(until: "document.querySelector('main')?.innerText.includes('Switch writing on')")
    }
}
