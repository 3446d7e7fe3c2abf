import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

/// New objects of an application whose model demands members of a relationship.
@Suite(
    "Choosing objects in an application's form", .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct AppChoiceTests {
    private static func fill(_ context: NSManagedObjectContext) {
        for (name, cost) in [("Lamp", 20), ("Table", 300)] {
            context.insert("Product", ["name": name, "itemCost": NSDecimalNumber(value: cost)])
        }
    }

    /// Presses a button of the form, chooses in the dialog what a word finds.
    private func choose(_ word: String, _ app: AppPages) async throws {
        let page = app.page
        try await page.click(".appline[data-key=orderItems] .chosen > button")
        try await page.wait(until: "document.querySelector('dialog[open] input')")
        try await page.type(word, into: "dialog[open] input")
        try await page.wait(
            until: """
                (() => { const all = [...document.querySelectorAll('dialog[open] [role=option]')];
                    return all.length === 1 && all[0].innerText.includes('\(word)'); })()
                """)
        try await page.click("dialog[open] [role=option]")
        try await page.wait(until: "!document.querySelector('dialog[open]')")
    }

    @Test("a new order gets its items by the choice of products, and none is saved without (SAMPLE-12, APP-10)")
    func newOrder() async throws {
        let app = try await AppPages("Orders/App", classes: [], fill: Self.fill)
        let page = app.page
        try await page.go(to: app.address("apps/1/forms/OrderDetail/CustomerOrder/new"))
        try await page.wait(until: "document.querySelector('.appline[data-key=orderItems] .chosen > button')")
        try await page.type("Ann", into: ".appline[data-key=customerName] input")
        try await app.press("Save")
        try await page.wait(until: "document.querySelector('dialog[open]')?.innerText.includes('orderItems')")
        try await page.evaluate(
            "[...document.querySelectorAll('dialog[open] button')].find(b => b.innerText === 'Fix').click()")
        try await page.wait(until: "!document.querySelector('dialog[open]')")
        try await choose("Lamp", app)
        try await choose("Table", app)
        // One that was chosen by mistake is taken out, and undo brings it back.
        try await page.click(".chosen li:last-child button")
        try await page.wait(until: "document.querySelectorAll('.chosen li').length === 1")
        try await page.click(".steps button")
        try await page.wait(until: "document.querySelectorAll('.chosen li').length === 2")
        try await app.press("Save")
        try await page.wait(until: "!location.pathname.endsWith('/new')")
        try await page.go(to: app.address("apps/1/lists/0"))
        try await page.wait(until: "document.querySelector('.approw')?.innerText.includes('Ann')")
        try app.save { context in
            let order = try AppPages.find("CustomerOrder", "customerName", "Ann", context)
            let items = (order.value(forKey: "orderItems") as? Set<NSManagedObject>) ?? []
            let names = items.compactMap { ($0.value(forKey: "product") as? NSManagedObject)?.value(forKey: "name") }
            #expect(names.compactMap { $0 as? String }.sorted() == ["Lamp", "Table"])
        }
        #expect(try await page.evaluate("return document.querySelectorAll('.approw').length").number == 1)
    }
}
