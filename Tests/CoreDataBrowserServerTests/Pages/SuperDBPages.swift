import CoreData
import CoreDataBrowserServer
import CoreDataTestSupport
import Testing

@testable import SuperDBSample

/// SuperDB's last stage with the five heroes, and a real web browser that looks at it.
final class SuperDBPages {
    let page: WebPage
    private let server: BrowserServer
    private let browser: Browser
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        browser = Browser(options: options)
        let lists = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
                "Examples/SuperDB/App/Stage5")
        try browser.openApp(lists, classes: [SuperDBSample.Hero.self], storeFolder: folder.url)
        let context = try Self.context(browser)
        try context.performAndWait {
            SuperDB.fill(context)
            try context.save()
        }
        server = try BrowserServer(browser)
        page = try await WebDriver().open()
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('main a')")
    }

    deinit { server.stop() }

    private static func context(_ browser: Browser) throws -> NSManagedObjectContext {
        let store = try #require(browser.core.shown.first)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.opened.coordinator
        return context
    }

    func goToList() async throws {
        try await page.go(to: server.address + "apps/1/lists/0")
        try await page.wait(until: "document.querySelector('.approw a')")
    }

    /// The titles of the rows that are drawn, from the top.
    func rows() async throws -> [String] {
        let script = """
            return [...document.querySelectorAll('.approw')].sort((a, b) => a.dataset.index - b.dataset.index)
                .map(row => row.querySelector('strong').innerText)
            """
        return try await page.evaluate(script).elements.compactMap(\.text)
    }

    /// Presses a button of the view by its text.
    func press(_ text: String) async throws {
        let script = "[...document.querySelectorAll('main button')].find(b => b.innerText === arguments[0])"
        try await page.wait(until: script, [.string(text)])
        try await page.evaluate("\(script).click()", [.string(text)])
    }

    /// How many heroes are saved.
    func count() throws -> Int { try names().count }

    /// The names of the heroes that are saved.
    func names() throws -> [String] {
        let context = try Self.context(browser)
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero")).compactMap {
                $0.value(forKey: "name") as? String
            }
        }
    }
}
